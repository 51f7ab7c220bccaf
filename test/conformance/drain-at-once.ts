import { vi } from 'vitest';
import type { RunningHost } from './hosts.js';

/**
 * Drains a host without waiting: the clock passes the notice, and the time in which clients may send another request.
 * The grace is not over, so that nothing is cut for its end.
 */
export async function drainAtOnce(server: RunningHost): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const drained = server.drain({ notice: 1_000, grace: 600_000 });
    await vi.advanceTimersByTimeAsync(1_000 + 500);
    await drained;
  } finally {
    vi.useRealTimers();
  }
}
