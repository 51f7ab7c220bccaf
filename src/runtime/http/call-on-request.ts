import { ProblemError } from '../call/problem.js';
import { isGraphQLError } from '../execute/errors/error-marks.js';
import { refusalOf } from '../hooks/refusal.js';
import type { Hooks } from '../hooks/server-hooks.js';
import { answerOf, checkedHeaders } from './answer.js';
import type { Exchange } from './exchange.js';

/**
 * Calls the hook `onRequest`. Returns the answer that it gives; a `GraphQLError` of the hook becomes a
 * {@link ProblemError}, and other errors are thrown as they are.
 */
export function callOnRequest(hook: NonNullable<Hooks['request']>, exchange: Exchange) {
  const { method, path, query, address } = exchange;
  const header = (name: string): string | undefined => exchange.header(name.toLowerCase());
  try {
    const answered = hook({ method, path, query, address, header });
    if (!(answered instanceof Promise)) return answered && answerOf(answered);
    return answered.then((response) => response && answerOf(response), refuse);
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!isGraphQLError(error)) throw error;
  const { message, extensions = {} } = error as Error & { extensions?: Readonly<Record<string, unknown>> };
  const { extensions: members, status, headers } = refusalOf(extensions);
  // Extensions without a JSON form and impossible headers are faults, on every path: these throw.
  JSON.stringify(members);
  const given = checkedHeaders(Object.entries(headers).flat());
  throw new ProblemError({ status, detail: message, members, headers: given });
}
