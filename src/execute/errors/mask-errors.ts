import { type DocumentNode, type ExecutionResult, GraphQLError } from 'graphql';
import type { ErrorLocator } from './error-origin.js';

/** Makes out of errors what a client may see of them. */
export interface ErrorMask {
  /** Anything that was thrown outside of an operation: by the context, for instance. */
  thrown(error: unknown): GraphQLError;
  /** A result of a document, with its errors. */
  result(result: ExecutionResult, document: DocumentNode): ExecutionResult;
}

/**
 * Makes the mask of a server. An error that its author meant for the client, a `GraphQLError`, passes as it
 * is. Any other is a fault: it is reported on the console and gets the code INTERNAL_SERVER_ERROR. Its message,
 * which may hold anything, is replaced, unless there is a locator: then the message stays, and
 * `extensions.topology` says where the field that failed is declared.
 *
 * @param locate - Finds that place; undefined in production, where nothing of a fault is told.
 */
export function createErrorMask(locate: ErrorLocator | undefined): ErrorMask {
  const hide = (fault: unknown, located?: GraphQLError, document?: DocumentNode): GraphQLError => {
    console.error(fault);
    const message = fault instanceof Error ? fault.message : String(fault);
    const topology = located && document && locate?.(located, document);
    return new GraphQLError(locate === undefined ? 'Unexpected error.' : message, {
      nodes: located?.nodes ?? null,
      source: located?.source ?? null,
      positions: located?.positions ?? null,
      path: located?.path ?? null,
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...(topology === undefined ? {} : { topology }) },
    });
  };
  const mask = (error: GraphQLError, document: DocumentNode): GraphQLError =>
    isFault(error) ? hide(error.originalError, error, document) : error;
  return {
    thrown: (error) => (isMeant(error) ? error : hide(error)),
    result: (result, document) =>
      result.errors === undefined
        ? result
        : { ...result, errors: result.errors.map((error) => mask(error, document)) },
  };
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
