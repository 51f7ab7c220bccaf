import { isFinalStatus } from '../../base/values/answer-parts.js';

/** The HTTP statuses of the codes of errors that any resolver or hook may throw. */
export const codeStatuses: ReadonlyMap<unknown, number> = new Map([
  ['BAD_USER_INPUT', 400],
  ['UNAUTHENTICATED', 401],
  ['FORBIDDEN', 403],
  ['NOT_FOUND', 404],
  ['INTERNAL_SERVER_ERROR', 500],
]);

/**
 * The answer for the extensions of a `GraphQLError` that a hook threw. Without a code, it is FORBIDDEN. The status is
 * that of `extensions.http`, as for the engines, else that of the code, else 403.
 */
export function refusalOf({ http, code = 'FORBIDDEN', ...extensions }: Readonly<Record<string, unknown>>) {
  const { headers = {} } = (http ?? {}) as { headers?: object };
  const pairs = headers instanceof Map ? [...headers] : Object.entries(headers);
  return {
    extensions: { ...extensions, code },
    status: givenStatus({ http }) ?? codeStatuses.get(code) ?? 403,
    headers: Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)])),
  };
}

/**
 * The status that an error gives itself in `extensions.http`, as for the engines; undefined unless it is 400 or more.
 * A status that no answer can have is 500.
 */
export function givenStatus({ http }: Readonly<Record<string, unknown>>): number | undefined {
  const status = (http as { readonly status?: unknown } | null | undefined)?.status;
  if (typeof status !== 'number') return undefined;
  if (!isFinalStatus(status)) return 500;
  return status >= 400 ? status : undefined;
}
