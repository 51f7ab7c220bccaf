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
  /** A description of the fault, for reports. */
  readonly about: string;
  /**
   * Whether the fault needs a connection that goes through a proxy, or one to the database; absent if it needs none.
   */
  readonly needs?: 'proxy' | 'database';
  /** Breaks and repairs. Resolves to the number of requests that it hit, if it has to wait for them. */
  readonly run: (stage: Stage) => Promise<number | undefined>;
}

/** All faults, in the order of a drill. */
export const faults: readonly Fault[] = [
  // The project as it is, with which the faults are compared.
  { name: 'none', about: 'nothing breaks', run: ({ ended }) => ended(20).then(() => undefined) },
  {
    name: 'cut',
    about: 'all connections are cut, three times',
    needs: 'proxy',
    async run({ proxies, ended }) {
      for (let count = 0; count < 3; count++) {
        for (const proxy of proxies) proxy.cut();
        await ended(5);
      }
    },
  },
  // A network that stands still, shorter than events wait for their acknowledgement.
  {
    name: 'pause',
    about: 'no connection carries anything for 2 s',
    needs: 'proxy',
    run: (stage) => breakFor(2_000, (proxy) => proxy.pause(), stage),
  },
  // A broker and a database that are away, shorter than events wait for their acknowledgement.
  {
    name: 'refuse',
    about: 'all connections are cut, and new ones are refused for 3 s',
    needs: 'proxy',
    run: (stage) => breakFor(3_000, (proxy) => proxy.refuse(), stage),
  },
  // Changes that are made, although their servers do not hear of it.
  {
    name: 'lost-answer',
    about: 'connections are cut between a write and its answer, three times',
    needs: 'proxy',
    run: ({ proxies, ended }) => cutRequests(proxies, { request: writes, isSent: true }, ended),
  },
  // Transactions that PostgreSQL rolls back, because their connections end before the commit.
  {
    name: 'rollback',
    about: 'connections are cut in place of a write or COMMIT, three times',
    needs: 'database',
    run: ({ database, ended }) =>
      cutRequests([database as TcpProxy], { request: /\b(?:commit|insert into)\b/i, isSent: false }, ended),
  },
  // Processes that end at once, as with a loss of power.
  {
    name: 'kill',
    about: 'each server is killed (SIGKILL) and started again',
    run: (stage) => restartServers('SIGKILL', stage),
  },
  // Processes that are replaced, as in a rolling release.
  {
    name: 'drain',
    about: 'each server is stopped (SIGTERM) and started again',
    run: (stage) => restartServers('SIGTERM', stage),
  },
];

/** Requests that change something: those of the brokers, and the ends of transactions. */
const writes = /\b(?:commit|insert into)\b|gg-svc-store|^H?PUB |evalsha|\r\neval\r\n|\r\npublish\r\n/im;

async function breakFor(
  milliseconds: number,
  fail: (proxy: TcpProxy) => void,
  { proxies, wait }: Stage,
): Promise<undefined> {
  for (const proxy of proxies) fail(proxy);
  await wait(milliseconds);
  for (const proxy of proxies) proxy.mend();
}

/** Cuts the connections of the next requests, three times. Resolves to how many requests were hit. */
async function cutRequests(
  proxies: readonly TcpProxy[],
  which: Parameters<TcpProxy['catch']>[0],
  ended: Stage['ended'],
): Promise<number> {
  let hits = 0;
  for (let count = 0; count < 3; count++) {
    const caught = proxies.map((proxy) => proxy.catch(which));
    hits += await Promise.race([Promise.any(caught).then(() => 1), ended(20).then(() => 0)]);
    for (const proxy of proxies) proxy.mend();
    await ended(2);
  }
  return hits;
}

async function restartServers(signal: 'SIGKILL' | 'SIGTERM', { servers, ended }: Stage): Promise<undefined> {
  for (const server of servers) {
    await server.stop(signal);
    await ended(3);
    await server.start();
    await ended(3);
  }
}
