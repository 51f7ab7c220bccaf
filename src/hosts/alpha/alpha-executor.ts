import type { GraphQLFormattedError } from 'graphql';
import { type DocumentNode, GraphQLError, type ValidationRule, validate } from 'graphql';
import type { Execution } from '../../execute/execution.js';
import type { Outcome } from '../../http/graphql/known-operation.js';
import { takeScope } from './alpha-context.js';

/** One operation, as Apollo hands it to a gateway; what is not read here is left out. */
export interface AlphaOperation {
  readonly document: DocumentNode;
  /** The text of the document. */
  readonly source: string;
  readonly context: unknown;
  readonly request: {
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly operationName?: string;
  };
}

/** What runs operations and shows their errors, for Apollo. */
export interface AlphaExecutor {
  /** Checks and runs an operation; what is wrong with it is a result without data, which Apollo answers with 400. */
  execute(operation: AlphaOperation): ReturnType<Execution['execute']>;
  /** Makes out of what Apollo would show of an error what a client may see. */
  format(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError;
}

/**
 * Makes what stands behind Apollo: the checks and the execution of every other host.
 *
 * @param rules - Validation rules of the user's own, which go last.
 * @param outcomes - What has happened already of the requests that Apollo has only to tell of.
 */
export function createAlphaExecutor(
  execution: Execution,
  rules: readonly ValidationRule[],
  outcomes: WeakMap<Request, Outcome>,
): AlphaExecutor {
  // Apollo keeps the documents that it has parsed; each is checked once.
  const findings = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const check = (document: DocumentNode): readonly GraphQLError[] => {
    let errors = findings.get(document);
    if (errors === undefined) {
      errors = execution.reader.validate(document);
      if (errors.length === 0 && rules.length > 0) errors = validate(execution.schema, document, rules);
      errors = errors.map(withValidationCode);
      findings.set(document, errors);
    }
    return errors;
  };
  return {
    async execute({ document, source, context, request }) {
      const errors = check(document);
      if (errors.length > 0) return { errors };
      execution.reader.keep(source, document);
      const { scope, contextValue } = takeScope(context);
      const outcome = scope && outcomes.get(scope.request);
      if (outcome?.kind === 'result') return outcome.result;
      return execution.execute({
        document,
        contextValue,
        variableValues: request.variables,
        operationName: request.operationName,
        signal: scope?.request.signal,
      });
    },
    format: (formatted, error) => format(execution, formatted, error),
  };
}

function withValidationCode(error: GraphQLError): GraphQLError {
  error.extensions.code ??= 'GRAPHQL_VALIDATION_FAILED';
  return error;
}

function format(
  { mask, reader }: Execution,
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  if (!(error instanceof GraphQLError)) return mask.thrown(error).toJSON();
  const { code, stacktrace, ...rest } = { ...formatted.extensions };
  const limit = reader.codeOf(error);
  if (limit !== undefined) return { ...formatted, extensions: { ...rest, code: limit } };
  // Apollo calls every error without a code a fault of the server. One that was meant for the client is none.
  const isInvented = code === 'INTERNAL_SERVER_ERROR' && error.extensions.code === undefined;
  if (isInvented && error.originalError && error.path === undefined) {
    return mask.thrown(error.originalError).toJSON();
  }
  const extensions = isInvented ? rest : { code, ...rest };
  const { extensions: _, ...shown } = formatted;
  return Object.keys(extensions).length === 0 ? shown : { ...shown, extensions };
}
