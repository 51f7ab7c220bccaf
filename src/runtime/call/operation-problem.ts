import type { GraphQLError } from 'graphql';
import { givenStatus } from '../hooks/refusal.js';
import { codeStatus } from './error-status.js';
import type { Problem } from './problem.js';

/**
 * The problem of an operation with errors, which are already masked. The first error decides the status; if there are
 * several, all are listed.
 *
 * @param declared - The statuses of the errors that the operation declares, by their codes.
 */
export function operationProblem(
  errors: readonly GraphQLError[],
  declared: ReadonlyMap<unknown, number> = noStatuses,
): Problem {
  const [first] = errors;
  if (first === undefined) throw new Error('invariant: a failed operation has an error');
  const { code } = first.extensions;
  // An error without code and path is a request error: graphql-js has not run the operation.
  const { headers } = (first.extensions.http ?? {}) as { readonly headers?: unknown };
  const status =
    declared.get(code) ??
    givenStatus(first.extensions) ??
    codeStatus(code) ??
    (code === undefined && first.path === undefined ? 400 : 500);
  return {
    status,
    detail: first.message,
    ...(headers instanceof Map ? { headers: [...headers].flat() as string[] } : {}),
    members: {
      ...withoutHttp(first.extensions),
      ...(errors.length === 1
        ? {}
        : {
            errors: errors.map(({ message, path, extensions }) => ({
              detail: message,
              path,
              ...withoutHttp(extensions),
            })),
          }),
    },
  };
}

const noStatuses: ReadonlyMap<unknown, number> = new Map();

/** The extensions for clients. `http` is for engines. */
function withoutHttp({
  http: _http,
  ...extensions
}: GraphQLError['extensions']): Readonly<Record<string, unknown>> {
  return extensions;
}
