import type { GraphQLError } from 'graphql';
import type { Problem } from '../problem.js';

/** The statuses of the codes that errors carry in `extensions.code`. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['BAD_USER_INPUT', 400],
  ['UNAUTHENTICATED', 401],
  ['FORBIDDEN', 403],
  ['NOT_FOUND', 404],
  ['OPERATION_ABORTED', 499],
  ['NOT_IMPLEMENTED', 501],
  ['OPERATION_TIMEOUT', 504],
  // What stands behind a channel did not answer as it should.
  ['GG5011', 502],
  ['GG5012', 504],
  ['GG5013', 502],
  ['GG5014', 503],
  ['GG5015', 502],
]);

/**
 * The problem that stands for the errors of an operation, which are masked already. The first one decides;
 * when there are several, all are listed.
 */
export function operationProblem(errors: readonly GraphQLError[]): Problem {
  const [first] = errors;
  if (first === undefined) throw new Error('invariant: a failed operation has an error');
  const { code } = first.extensions;
  // Without code and path it is an error of the request: graphql-js did not get as far as running it.
  const status = statuses.get(code) ?? (code === undefined && first.path === undefined ? 400 : 500);
  return {
    status,
    detail: first.message,
    members: {
      ...tellable(first.extensions),
      ...(errors.length === 1
        ? {}
        : {
            errors: errors.map(({ message, path, extensions }) => ({
              detail: message,
              path,
              ...tellable(extensions),
            })),
          }),
    },
  };
}

/** What an error tells clients; `http` is for engines. */
function tellable({ http: _http, ...told }: GraphQLError['extensions']): Readonly<Record<string, unknown>> {
  return told;
}
