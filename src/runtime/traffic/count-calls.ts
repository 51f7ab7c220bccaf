import { refusedOperation } from '../auth/refused-operation.js';
import type { CallCount } from '../call/call.js';
import { type Problem, ProblemError } from '../call/problem.js';
import type { CountedClient, Rates } from './rate-limits.js';

export function countCalls(rates: Rates): CallCount {
  return ({ reach }, source) => {
    if (reach === undefined || source.prepaid === Number.POSITIVE_INFINITY) return undefined;
    const isFurther = source.prepaid === 0;
    if (!isFurther) source.prepaid -= 1;
    const { called, raced } = reach;
    const operations = raced.length === 0 ? called : [...called, ...raced.map(({ name }) => name)];
    // Exchanges and messages are counted clients.
    const counted = rates.countCalls(source as unknown as CountedClient, operations, isFurther ? 1 : 0);
    return counted?.catch((error: unknown) => {
      if (error instanceof ProblemError) return errorOfProblem(error.problem);
      throw error;
    });
  };
}

/** The error that refuses an operation. Messages of WebSockets and batches have no headers, so it says how long to wait. */
export function errorOfProblem({ detail, members, status, headers = [] }: Problem) {
  const header: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) header[headers[at] ?? ''] = headers[at + 1] ?? '';
  const wait = header['retry-after'];
  const extensions = { ...members, ...(wait !== undefined && { retryAfter: Number(wait) }) };
  return refusedOperation(detail, extensions, status, header);
}
