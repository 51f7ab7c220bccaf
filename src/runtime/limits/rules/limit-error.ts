import { type ASTNode, GraphQLError } from 'graphql';

/**
 * The error of an operation that exceeds a limit. Its code contains the name of the limit, with every engine;
 * the status is 400, which both engines take from `extensions.http`.
 */
export function limitError(limit: string, maximum: number, message: string, node?: ASTNode): GraphQLError {
  return refusal(limitCode(limit), message, { limit, maximum }, node);
}

/** The error of a request that is refused before execution. The details are further extensions. */
export function refusal(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  node?: ASTNode,
): GraphQLError {
  return new GraphQLError(message, {
    nodes: node ?? null,
    extensions: { code, ...details, http: alwaysBadRequest() },
  });
}

/** Yoga marks document errors with `spec`, which makes them 200 for JSON. A limit refuses for all: no mark. */
function alwaysBadRequest(): { readonly status: number } {
  const http = { status: 400 };
  Object.defineProperty(http, 'spec', { get: () => false, set: () => undefined });
  return http;
}

/** `rootFields` → `ROOT_FIELDS_LIMIT_EXCEEDED`. */
export function limitCode(limit: string): string {
  if (limit === 'introspection') return 'INTROSPECTION_DISABLED';
  return `${limit.replace(/[A-Z]/g, '_$&').toUpperCase()}_LIMIT_EXCEEDED`;
}
