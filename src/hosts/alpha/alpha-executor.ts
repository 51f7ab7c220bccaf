import type { GraphQLFormattedError } from 'graphql';
import { type DocumentNode, GraphQLError, type ValidationRule, validate } from 'graphql';
import type { Execution } from '../../execute/execution.js';
import { takeScope } from './alpha-context.js';

/** One operation, as Apollo passes it to a gateway; only the members that are read here. */
export interface AlphaOperation {
  readonly document: DocumentNode;
  readonly source: string;
  readonly context: unknown;
  readonly request: {
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly operationName?: string;
  };
}

/** Runs operations and formats their errors, for Apollo. */
export interface AlphaExecutor {
  /** Checks and runs an operation. One that is refused has a result without data, which Apollo answers with 400. */
  execute(operation: AlphaOperation): ReturnType<Execution['execute']>;
  /** Masks an error that Apollo has formatted. */
  format(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError;
}

/**
 * Makes the executor behind Apollo, with the checks and the execution of all hosts.
 *
 * @param rules - The user's validation rules, which run last.
 */
export function createAlphaExecutor(execution: Execution, rules: readonly ValidationRule[]): AlphaExecutor {
  // Apollo caches parsed documents, so each is checked once.
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
      const { exchange, contextValue } = takeScope(context);
      if (exchange?.outcome?.kind === 'result') return exchange.outcome.result;
      return execution.execute({
        document,
        contextValue,
        variableValues: request.variables,
        operationName: request.operationName,
        signal: exchange?.signal(),
        principal: exchange?.principal,
        watched: exchange?.watched,
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
  // Apollo gives every error without a code the code of a server error, even if it is meant for the client.
  const isInvented = code === 'INTERNAL_SERVER_ERROR' && error.extensions.code === undefined;
  if (isInvented && error.originalError && error.path === undefined) {
    return mask.thrown(error.originalError).toJSON();
  }
  const extensions = isInvented ? rest : { code, ...rest };
  const { extensions: _, ...shown } = formatted;
  return Object.keys(extensions).length === 0 ? shown : { ...shown, extensions };
}
