import { type ExecutionResult, GraphQLError } from 'graphql';

/** Makes out of errors what a client may see of them. */
export interface ErrorMask {
  /** An error of a result. */
  error(error: GraphQLError): GraphQLError;
  /** Anything that was thrown outside of an operation: by the context, for instance. */
  thrown(error: unknown): GraphQLError;
  /** A result, with its errors. */
  result(result: ExecutionResult): ExecutionResult;
}

/**
 * Makes the mask of a server. An error that its author meant for the client, a `GraphQLError`, passes as it
 * is. Any other is a fault: it is reported on the console, gets the code INTERNAL_SERVER_ERROR, and in
 * production its message, which may hold anything, is replaced.
 */
export function createErrorMask(production: boolean): ErrorMask {
  const hide = (fault: unknown, located?: GraphQLError): GraphQLError => {
    console.error(fault);
    const message = fault instanceof Error ? fault.message : String(fault);
    return new GraphQLError(production ? 'Unexpected error.' : message, {
      nodes: located?.nodes ?? null,
      source: located?.source ?? null,
      positions: located?.positions ?? null,
      path: located?.path ?? null,
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
  };
  const mask: ErrorMask = {
    error: (error) => (isFault(error) ? hide(error.originalError, error) : error),
    thrown: (error) => (isMeant(error) ? error : hide(error)),
    result: (result) =>
      result.errors === undefined ? result : { ...result, errors: result.errors.map(mask.error) },
  };
  return mask;
}

/**
 * An error of a field that wraps something other than a GraphQLError. Errors of the request itself have no
 * path; they may wrap what a scalar said of a variable, which is meant for the client.
 */
function isFault({ path, originalError }: GraphQLError): boolean {
  return path !== undefined && originalError !== undefined && !isMeant(originalError);
}

/** By name, because a resolver may throw the GraphQLError of another copy of graphql-js. */
function isMeant(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}
