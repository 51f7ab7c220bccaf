import type {
  ApolloServerOptionsWithGateway,
  BaseContext,
  GraphQLRequestContextDidResolveOperation,
} from '@apollo/server';
import { type DocumentNode, GraphQLError, type GraphQLFormattedError, type ValidationRule, validate } from 'graphql';
import { remember } from '../../../compiler/graph/maps.js';
import { DeniedError } from '../../auth/denial.js';
import type { Credentials, Principal } from '../../auth/principal.js';
import { errorOfDenial } from '../../auth/refused-operation.js';
import type { Calls } from '../../call/calls.js';
import type { Exchange } from '../../http/exchange.js';
import type { Service } from '../../server/gql-server.js';
import { admitContext, takeScope } from './alpha-context.js';

/** The configuration of a gateway, which Apollo Server does not export. */
export type Gateway = ApolloServerOptionsWithGateway<BaseContext>['gateway'];

/** An operation, as Apollo passes it to a gateway. */
type Operation = Parameters<NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>>[0];

type RequestHeaders = Iterable<[string, string]> & { get(name: string): string | null | undefined };

/** An operation before it runs, as Apollo passes it to a plugin. */
type AdmittedOperation = GraphQLRequestContextDidResolveOperation<BaseContext>;

export type AlphaExecutor = ReturnType<typeof createAlphaExecutor>;

/** Makes the executor behind Apollo, with the checks and the execution of all hosts. Rules of the user run last. */
export function createAlphaExecutor(
  execution: Calls,
  rules: readonly ValidationRule[],
  authenticate: Service['authenticate'],
) {
  // Apollo caches parsed documents, so each is checked once.
  const findings = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const validateAll = (document: DocumentNode): readonly GraphQLError[] => {
    const errors = execution.reader.validate(document);
    return errors.length > 0 || rules.length === 0 ? errors : validate(execution.schema, document, rules);
  };
  const check = (document: DocumentNode): readonly GraphQLError[] =>
    remember(findings, document, () => validateAll(document).map(withValidationCode));
  /** The caller of an operation; undefined for the program itself. Rejects with the error that refuses it. */
  const callerOf = async (
    exchange: Exchange | undefined,
    http: { readonly headers: RequestHeaders } | undefined,
  ): Promise<Principal | null | undefined> => {
    if (exchange !== undefined) return exchange.principal;
    try {
      return http && (await authenticate(credentialsOf(http.headers)));
    } catch (error) {
      throw error instanceof DeniedError ? errorOfDenial(error.denial) : execution.mask.thrown(error);
    }
  };
  return {
    /** Checks the caller of an operation before a plugin answers it from a cache. Throws the error that refuses it. */
    async admit({ document, operationName, contextValue, request }: AdmittedOperation): Promise<void> {
      if (check(document).length > 0) return;
      const { exchange } = takeScope(contextValue);
      const principal = await callerOf(exchange, request.http);
      const refused = await execution.admit({
        document,
        operationName,
        variableValues: request.variables,
        principal,
        source: exchange,
        tracked: exchange?.tracked,
      });
      if (refused !== undefined) throw refused.errors[0];
      admitContext(contextValue);
    },
    /** Checks and runs an operation. One that is refused has a result without data, which Apollo answers with 400. */
    async execute({ document, source, context, request }: Operation): ReturnType<Calls['execute']> {
      const errors = check(document);
      if (errors.length > 0) return { errors };
      execution.reader.keep(source, document);
      const { exchange, admitted, contextValue } = takeScope(context);
      if (exchange?.outcome?.kind === 'result') return exchange.outcome.result;
      let principal: Principal | null | undefined;
      try {
        principal = await callerOf(exchange, request.http);
      } catch (error) {
        return { errors: [error as GraphQLError] };
      }
      return execution.execute({
        document,
        contextValue,
        variableValues: request.variables,
        operationName: request.operationName,
        client: exchange?.client,
        principal,
        source: exchange,
        admitted,
        tracked: exchange?.tracked,
      });
    },
    format(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
      const { mask, reader } = execution;
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
    },
  };
}

function credentialsOf(headers: RequestHeaders): Credentials {
  return {
    header: (name) => headers.get(name) ?? undefined,
    request: () => new Request('http://localhost/', { headers: [...headers] }),
  };
}

function withValidationCode(error: GraphQLError): GraphQLError {
  error.extensions.code ??= 'GRAPHQL_VALIDATION_FAILED';
  return error;
}
