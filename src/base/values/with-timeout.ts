import { runUntil } from './run-until.js';

/**
 * Runs work that is given up at the timeout, or when `outer` is aborted. Its signal is then aborted with the reason, with
 * which the result rejects. The timer keeps the signal alive: an `AbortSignal.timeout` inside `AbortSignal.any` may be
 * garbage-collected and never fire.
 *
 * @param late - Makes the reason for the timeout.
 */
export async function withTimeout<Value>(
  timeout: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
  late: () => Error,
): Promise<Value> {
  return await runUntil<Value, never>(
    { timeout, client: outer },
    ({ signal }) => work(signal),
    (why, lifetime) => {
      const reason: unknown = why === 'timeout' ? late() : outer.reason;
      lifetime.end(reason);
      return Promise.reject(reason);
    },
  );
}
