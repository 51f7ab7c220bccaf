import pg from 'pg';
import { fnv1a } from '../../../src/runtime/brokers/event-log.js';
import { postgresEvents } from '../../../src/runtime/brokers/postgres.js';
import { Heard } from './fake-broker.js';

/** How long a publisher waits for a lock before it counts as waiting, in milliseconds. */
const patience = 300;

/** What PostgreSQL answers to a statement that has waited too long for a lock. */
const lockNotAvailable = '55P03';

/** Keys of which each has a partition of its own among this many. */
export function keysOf(count: number): readonly string[] {
  const keys: string[] = [];
  for (let id = 0; keys.filter(Boolean).length < count; id++) keys[fnv1a(String(id)) % count] ??= String(id);
  return keys;
}

/** Opens a log with its tables, and the means to store events in transactions. */
export async function openLog(url: string, table: string, partitions: number) {
  const broker = postgresEvents({ url, table, partitions });
  const heard = new Heard();
  await broker.listen(heard);
  let next = 0;
  const store = async (client: pg.Client, key: string): Promise<void> => {
    const event = { id: `${table}-${next++}`, subscription: 'seen', payload: '{}', key };
    const statements = broker.shared?.statementsOf([event]);
    if (statements === undefined) throw new Error('The tables are missing.');
    for (const { sql, parameters } of statements) await client.query(sql, [...parameters]);
  };
  return { broker, heard, store };
}

/** Connects publishers, one for each key. */
export async function connectAll(url: string, count: number): Promise<readonly pg.Client[]> {
  const clients = Array.from({ length: count }, () => new pg.Client(url));
  for (const client of clients) await client.connect();
  return clients;
}

/**
 * The number of publishers that have to wait for a lock, when one for each key stores an event in a transaction that all
 * of them keep open. It does not depend on the speed of the machine: a publisher that waits does so until the others end.
 */
export async function countLockWaits(
  url: string,
  table: string,
  partitions: number,
  keys: readonly string[],
): Promise<number> {
  const { broker, store } = await openLog(url, table, partitions);
  const publishers = await connectAll(url, keys.length);
  try {
    let waits = 0;
    for (const [at, publisher] of publishers.entries()) {
      await publisher.query(`BEGIN; SET LOCAL lock_timeout = ${patience}`);
      await store(publisher, keys[at] as string).catch((error: { readonly code?: string }) => {
        if (error.code !== lockNotAvailable) throw error;
        waits += 1;
      });
    }
    return waits;
  } finally {
    for (const publisher of publishers) await publisher.end();
    await broker.close();
  }
}
