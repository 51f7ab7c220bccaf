import type { RuntimeIoChannel } from '../binding/channel.js';
import { wait } from './wait.js';

/** Options of a timer. */
export interface TimerOptions {
  readonly node: string;
  /** The time between two ticks, in milliseconds. */
  readonly interval: number;
  /** Maps a tick to its record; may be asynchronous. Default: the tick itself. */
  readonly record?: (tick: Tick) => unknown;
}

/** One tick of a timer. */
export interface Tick {
  /** The number of intervals since the subscription began; 0 for a query. */
  readonly count: number;
  /** The time, RFC 3339 in UTC. */
  readonly at: string;
}

/**
 * A clock. A subscription gets its ticks; those during which the subscriber is busy are skipped, and `count` includes
 * them. A query gets a tick of the current time.
 *
 * @throws {RangeError} If the interval is out of range.
 *
 * @example
 * ```ts
 * import { createTimerChannel } from 'gg-svc/channels';
 *
 * const channel = createTimerChannel({ node: 'clock', interval: 60_000 });
 * ```
 */
export function createTimerChannel(options: TimerOptions): RuntimeIoChannel {
  const { node, interval, record = (tick) => tick } = options;
  if (!(interval >= 1 && interval < 2 ** 31)) {
    throw new RangeError(`interval must be at least 1 millisecond and less than 25 days, not ${interval}.`);
  }
  return {
    node,
    direction: 'in',
    transport: 'timer',
    read: () => record(tickOf(0)),
    subscribe: async function* ({ signal }) {
      const start = performance.now();
      for (let count = 1; ; count++) {
        if (!(await wait(Math.max(0, start + count * interval - performance.now()), signal))) return;
        count = Math.max(count, Math.floor((performance.now() - start) / interval));
        yield await record(tickOf(count));
      }
    },
  };
}

function tickOf(count: number): Tick {
  return { count, at: new Date().toISOString() };
}
