import { refusedOperation } from '../auth/refused-operation.js';
import type { CallCount } from '../call/call.js';
import { ProblemError } from '../call/problem.js';
import type { CountedClient, Rates } from './rate-limits.js';

export function countCalls(rates: Rates): CallCount {
  const refusal = (error: unknown): ReturnType<typeof refusedOperation> => {
    if (!(error instanceof ProblemError)) throw error;
    const { detail, members = {}, status, headers = [] } = error.problem;
    const header: Record<string, string> = {};
    for (let at = 0; at + 1 < headers.length; at += 2) header[headers[at] ?? ''] = headers[at + 1] ?? '';
    return refusedOperation(detail, { ...members, ...retryOf(header) }, status, header);
  };
  return ({ reach }, source) => {
    if (reach === undefined) return undefined;
    const isFurther = source.prepaid === 0;
    if (!isFurther) source.prepaid -= 1;
    const { called, raced } = reach;
    const operations = raced.length === 0 ? called : [...called, ...raced.map(({ name }) => name)];
    // Exchanges and messages are counted clients.
    const counted = rates.countCalls(source as unknown as CountedClient, operations, isFurther ? 1 : 0);
    return counted?.catch(refusal);
  };
}

/** Messages of WebSockets and batches have no headers, so the error says how long to wait. */
function retryOf(header: Readonly<Record<string, string>>): { readonly retryAfter?: number } {
  const wait = header['retry-after'];
  return wait === undefined ? {} : { retryAfter: Number(wait) };
}
