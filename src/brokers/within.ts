import { runUntil } from '../values/run-until.js';

/** The other side did not answer in time. */
export class NoAnswer extends Error {}

/**
 * Waits for the other side for a limited time.
 *
 * @param lost - Aborted when the connection has broken, which also ends the wait.
 */
export async function within<T>(timeout: number, run: () => Promise<T>, lost?: AbortSignal): Promise<T> {
  return runUntil({ timeout, client: lost }, run, (why) =>
    Promise.reject(why === 'timeout' ? new NoAnswer(`no answer within ${timeout} ms`) : lost?.reason),
  );
}

/** Node's errors of several addresses have a code and no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).replace(/\.$/, '');
}
