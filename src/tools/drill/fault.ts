import type { TcpProxy } from './proxy.js';
import type { DrillServer } from './server.js';

/** The processes and connections that a fault breaks. */
export interface Stage {
  /** The servers, of which at least one must go on. */
  readonly servers: readonly DrillServer[];
  /** The connections to brokers and the database. */
  readonly proxies: readonly TcpProxy[];
  /** The connections to PostgreSQL that keeps the rows, if there is one. */
  readonly database: TcpProxy | undefined;
  /** Resolves when more calls have ended, with or without an answer; rejects if none end in time. */
  ended(calls: number): Promise<void>;
  /** Waits for some milliseconds, or until the drill is stopped. */
  wait(milliseconds: number): Promise<void>;
}

/** One way in which something breaks, and is repaired. */
export interface Fault {
  readonly name: string;
  /** What happens, for reports. */
  readonly about: string;
  /** Whether the fault needs a connection that goes through a proxy, or one to the database; absent if it needs none. */
  readonly needs?: 'proxy' | 'database';
  /** Breaks and repairs. Resolves to the number of requests that it hit, if it has to wait for them. */
  readonly run: (stage: Stage) => Promise<number | undefined>;
}
