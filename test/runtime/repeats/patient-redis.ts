import { vi } from 'vitest';

/**
 * Lets scripts of Redis take a minute, where the product gives up after a second: a busy machine may need longer. What
 * fails at once still does.
 */
export function waitForRedis(): void {
  const start = globalThis.setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, delay?: number, ...args: []) =>
    start(run, delay === 1_000 ? 60_000 : delay, ...args),
  );
}
