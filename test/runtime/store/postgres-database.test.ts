import { expect, test, vi } from 'vitest';
import { Lifetime } from '../../../src/base/values/run-until.js';
import { postgresDatabase } from '../../../src/runtime/store/postgres-database.js';

test('a database that does not answer to a cancellation keeps its connection from the pool for five seconds only', async () => {
  vi.useFakeTimers();
  try {
    const release = vi.fn();
    // It takes a statement, and says nothing more.
    const client = { query: () => undefined, release, processID: 7 };
    const link = {
      connect: (taken: (error: unknown, one: never) => void) => taken(undefined, client as never),
      failed: (told: unknown) => ({ isLost: true, told }),
    };
    const silence = () => new Promise<void>(() => undefined);
    const database = postgresDatabase({} as never, link, () => String, silence);
    const lifetime = new Lifetime();
    const read = database.run({ sql: 'select 1', parameters: [] }, lifetime);
    await vi.advanceTimersByTimeAsync(0);
    lifetime.end(new Error('The client has left.'));
    await expect(read).rejects.toThrow('The client has left.');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(release).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(release.mock.calls).toEqual([[true]]);
  } finally {
    vi.useRealTimers();
  }
});
