import { setTimeout } from 'node:timers/promises';

/** Waits; false if the signal was aborted first. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(milliseconds, true, { signal }).catch(() => false);
}
