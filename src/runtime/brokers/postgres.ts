import type { Client } from 'pg';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { activeTraceparent } from '../../base/tracing/trace-context.js';
import { assertPeers } from '../load/load-peer.js';
import type { BrokerEvent, BrokerListener, DeliveredEvent, EventBroker, EventPosition, LogPage } from './broker.js';
import { type BrokerDriver, ConnectedBroker } from './connected-broker.js';
import { PartitionedBroker, type PartitionNames, partitioned, partitionNames, tooFewPartitions } from './partitions.js';

/** The number of events that are read at once. */
const page = 500;

/** How often a process looks for events without being woken, in milliseconds. It also tests the connection. */
const pollInterval = 5_000;

/** How often a process deletes old events, in milliseconds; it does so, too, after a tenth of `maxLength`. */
const sweepInterval = 10_000;

/** How long the server may take to answer, in milliseconds. */
const patience = 5_000;

/** The address of PostgreSQL and its limits, for {@link postgresEvents}. */
export interface PostgresEventsOptions {
  /** `postgres://user:password@host:5432/database`; `?sslmode=verify-full` for TLS. */
  readonly url: string;
  /** The table, in the schema that the search path names first. Default: `gg_svc_events`. */
  readonly table?: string;
  /** About how many events the table keeps. Default: 100000. */
  readonly maxLength?: number;
  /** How long the table keeps an event, in milliseconds. Default: unlimited. */
  readonly maxAge?: number;
  /** How long an event may wait for its acknowledgement, in milliseconds. Default: 5000. */
  readonly timeout?: number;
  /** The number of partitions of the events, a power of two up to 64; it can only grow. Default: 1. */
  readonly partitions?: number;
}

/**
 * Carries events over a table of PostgreSQL, which is created if it is missing: a process that has lost its connection
 * continues after its last event. It needs `npm install pg`.
 *
 * @throws {Error} If pg is not installed.
 *
 * @example
 * ```ts
 * import { createGqlServer, postgresEvents } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: ['service.gg'],
 *   events: postgresEvents({ url: process.env.EVENTS_URL ?? 'postgres://localhost/app' }),
 * });
 * ```
 */
export function postgresEvents(options: PostgresEventsOptions): EventBroker {
  const { table = 'gg_svc_events', partitions = 1 } = options;
  assertPeers(['pg']);
  // The server cuts longer names, which would become the same.
  if (partitions > 1 && Buffer.byteLength(table) > mostOfName)
    throw new OptionError('events.table', `have at most ${mostOfName} bytes, because it has partitions`);
  return partitioned(
    partitions,
    (at) => eventsOfTable(options, partitionNames(table, at, partitions, 'postgres')),
    (parts) => new PartitionedBroker(parts),
  );
}

/** The longest name of a table with partitions, in bytes: identifiers have 63, and `_p63_head` stands behind it. */
const mostOfName = 54;

function eventsOfTable(options: PostgresEventsOptions, { log, own: table, next }: PartitionNames): EventBroker {
  const { url, timeout, partitions = 1, maxAge } = options;
  const maxLength = Math.ceil((options.maxLength ?? 100_000) / partitions);
  /** The statement that stores events. The first connection sets it: then the table exists. */
  let storing: string | undefined;
  let wakeReaders: () => void = () => undefined;
  const driver: BrokerDriver = {
    name: 'postgres',
    log,
    shared: {
      url,
      statementOf: (events) =>
        storing === undefined
          ? undefined
          : {
              sql: storing,
              parameters: valuesOf(events.map((event) => ({ traceparent: activeTraceparent(), ...event }))),
            },
      committed(rows) {
        wakeReaders();
        return positionsOf(rows);
      },
    },
    async connect(lost) {
      const publisher = await connectPostgres(url, lost);
      let listening: { readonly client: Client; stop(): void } | undefined;
      const sql = statementsOf(publisher, table, next, partitions > 1);
      try {
        const { rows } = await publisher.query<{ exist: boolean; more: boolean }>(sql.exist);
        if (rows[0]?.more === true) throw tooFewPartitions(log, partitions);
        // A user that may not create tables can use those that exist. Statements in one query are one transaction.
        if (rows[0]?.exist !== true) await publisher.query(sql.create);
        storing = sql.store;
        if (partitions > 1) wakeReaders = oneAtATime(() => publisher.query(sql.wake));
      } catch (error) {
        lost(error);
        await publisher.end();
        throw error;
      }
      let storedSince = 0;
      const deleteOld = (): void => {
        storedSince = 0;
        // A later attempt deletes the rest.
        publisher.query(sql.deleteOld, [maxLength, maxAge ?? null]).catch(() => undefined);
      };
      const sweep = setInterval(deleteOld, sweepInterval);
      return {
        async send(events) {
          const query = { name: 'gg-svc-store', text: sql.store, values: valuesOf(events) };
          const { rows } = await publisher.query<StoredRow>(query);
          storedSince += events.length;
          if (storedSince * 10 > maxLength) deleteOld();
          wakeReaders();
          const stored = positionsOf(rows);
          return events.map(({ id }) => stored.get(id));
        },
        async listen(from, listener) {
          const client = await connectPostgres(url, lost);
          const { rows } = await client.query<{ log: string; position: string }>(sql.last);
          const [{ log, position } = { log: '', position: '0' }] = rows;
          const start = { log, sequence: from?.sequence ?? Number(position) };
          const reader = createReader(client, sql, start, listener, lost);
          await client.query(sql.listen);
          listening = { client, stop: reader.stop };
          // No notification came for events that were stored before LISTEN.
          reader.wake();
          return start;
        },
        async read(after, most) {
          const query = { name: 'gg-svc-page', text: sql.page, values: [after, most] };
          return pageOf((await publisher.query<PageRow>(query)).rows, most);
        },
        async close() {
          clearInterval(sweep);
          listening?.stop();
          await Promise.all([publisher.end(), listening?.client.end()]);
        },
      };
    },
  };
  return new ConnectedBroker(driver, timeout);
}

/** A function that runs another one, and once more if it was called meanwhile. */
function oneAtATime(run: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isCalled = false;
  const call = async (): Promise<void> => {
    isCalled = true;
    if (isRunning) return;
    isRunning = true;
    while (isCalled) {
      isCalled = false;
      await run().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => void call();
}

function valuesOf(events: readonly BrokerEvent[]): unknown[] {
  return [
    events.map(({ id }) => id),
    events.map(({ subscription }) => subscription),
    events.map(({ payload }) => payload),
    events.map(({ traceparent }) => traceparent ?? null),
  ];
}

interface StoredRow {
  readonly log: string;
  readonly id: string;
  readonly position: string;
}

function positionsOf(rows: readonly unknown[]): ReadonlyMap<string, EventPosition> {
  return new Map(
    (rows as readonly StoredRow[]).map(({ id, log, position }) => [id, { log, sequence: Number(position) }]),
  );
}

/** Opens a connection that ends with its first failure. */
async function connectPostgres(url: string, lost: (reason: unknown) => void): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gg-svc events',
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    statement_timeout: patience,
    keepAlive: true,
  });
  let reason: unknown = new Error('the connection was closed');
  client.on('error', (error) => {
    reason = error;
  });
  client.on('end', () => lost(reason));
  try {
    await client.connect();
  } catch (error) {
    lost(error);
    throw error;
  }
  return client;
}

/** Storing events locks the head, a row with the last position, until they are visible: positions have no gaps. */
function statementsOf(client: Client, name: string, next: string | undefined, isPartition: boolean) {
  const [events, head] = [client.escapeIdentifier(name), client.escapeIdentifier(`${name}_head`)];
  const channel = client.escapeIdentifier(name.slice(0, 63));
  return {
    exist: `
      SELECT to_regclass(${client.escapeLiteral(head)}) IS NOT NULL AND EXISTS (
        SELECT FROM pg_attribute
        WHERE attrelid = to_regclass(${client.escapeLiteral(events)}) AND attname = 'traceparent'
      ) AS exist, ${next === undefined ? 'false' : `to_regclass(${client.escapeLiteral(client.escapeIdentifier(next))}) IS NOT NULL`} AS more`,
    create: `
      SELECT pg_advisory_xact_lock(hashtextextended(${client.escapeLiteral(`gg-svc:${name}`)}, 0));
      CREATE TABLE IF NOT EXISTS ${events} (
        position bigint PRIMARY KEY,
        id text NOT NULL UNIQUE,
        subscription text NOT NULL,
        payload text NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT now(),
        traceparent text
      );
      ALTER TABLE ${events} ADD COLUMN IF NOT EXISTS traceparent text;
      CREATE TABLE IF NOT EXISTS ${head} (
        single boolean PRIMARY KEY DEFAULT true CHECK (single),
        log text NOT NULL DEFAULT gen_random_uuid()::text,
        position bigint NOT NULL DEFAULT 0
      );
      INSERT INTO ${head} (position) SELECT coalesce(max(position), 0) FROM ${events} ON CONFLICT DO NOTHING;`,
    store: `
      WITH given AS (
        SELECT id, subscription, payload, traceparent, row_number() OVER (ORDER BY number) AS number
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
          WITH ORDINALITY AS g(id, subscription, payload, traceparent, number)
        WHERE NOT EXISTS (SELECT FROM ${events} e WHERE e.id = g.id)
      ), head AS (
        UPDATE ${head} SET position = position + (SELECT count(*) FROM given)
        RETURNING log, position - (SELECT count(*) FROM given) AS before
      ), stored AS (
        INSERT INTO ${events} (position, id, subscription, payload, traceparent)
        SELECT before + number, id, subscription, payload, traceparent FROM given, head
        RETURNING id, position
      ), known AS (
        SELECT id, position FROM stored UNION ALL SELECT id, position FROM ${events} WHERE id = ANY($1::text[])
      )
      SELECT ${isPartition ? '' : `pg_notify(${client.escapeLiteral(name.slice(0, 63))}, ''), `}log, id, position FROM head, known`,
    // PostgreSQL commits transactions with NOTIFY one after the other, so it stands in none with events of a partition.
    // Readers that it does not wake look for events by themselves.
    wake: `BEGIN; SET LOCAL synchronous_commit TO off; NOTIFY ${channel}; COMMIT`,
    last: `SELECT log, position FROM ${head}`,
    listen: `LISTEN ${channel}`,
    read: `
      SELECT e.position, ${columns} FROM ${events} e
      WHERE position >= $1 ORDER BY position LIMIT ${page}`,
    page: `
      SELECT h.log, h.position AS last, e.position, ${columns}
      FROM ${head} h LEFT JOIN LATERAL (
        SELECT * FROM ${events} WHERE position > $1 ORDER BY position LIMIT $2
      ) e ON true
      ORDER BY e.position`,
    // The last event stays, because its id shows whether the table is the one that a reader knows.
    deleteOld: `
      DELETE FROM ${events} WHERE position < (SELECT position FROM ${head}) AND (
        position <= (SELECT position FROM ${head}) - $1::bigint
        OR stored_at < now() - $2::double precision * interval '1 millisecond'
      )`,
  };
}

/** The columns of an event; the time in milliseconds since 1970. */
const columns = `e.id, e.subscription, e.payload, e.traceparent,
  floor(extract(epoch FROM e.stored_at) * 1000)::float8 AS "storedAt"`;

interface EventRow {
  readonly position: string;
  readonly id: string;
  readonly subscription: string;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly storedAt: number;
}

/** The head with an event; without one, the page is empty. */
type PageRow = { readonly log: string; readonly last: string } & (EventRow | { readonly position: null });

function pageOf(rows: readonly PageRow[], most: number): LogPage {
  const [{ log, last } = { log: '', last: '0' }] = rows;
  const events = rows.flatMap((row) => (row.position === null ? [] : [eventOf(row, log)]));
  const reached = events.length < most ? Number(last) : (events.at(-1)?.position.sequence ?? 0);
  return { log, last: Number(last), reached, events };
}

function eventOf(row: EventRow, log: string): DeliveredEvent & { readonly position: EventPosition } {
  const { id, subscription, payload, storedAt } = row;
  const position = { log, sequence: Number(row.position) };
  return { id, subscription, payload, storedAt, position, traceparent: row.traceparent ?? undefined };
}

/** Reads the events after a position when it is woken, by NOTIFY or by the clock. */
function createReader(
  client: Client,
  sql: ReturnType<typeof statementsOf>,
  start: EventPosition,
  listener: BrokerListener,
  lost: (reason: unknown) => void,
): { wake(): void; stop(): void } {
  let { sequence } = start;
  let isWoken = false;
  let isReading = false;
  let isStopped = false;
  const read = async (): Promise<void> => {
    while (isWoken && !isStopped) {
      isWoken = false;
      const query = { name: 'gg-svc-read', text: sql.read, values: [sequence] };
      const { rows } = await client.query<EventRow>(query);
      // The last event is read again, so that the reader sees whether the next one comes after it.
      let previous: string | undefined;
      for (const row of rows) {
        const { position, ...event } = eventOf(row, start.log);
        if (position.sequence > sequence) {
          sequence = position.sequence;
          await listener.event({ ...event, position, previous });
        }
        previous = row.id;
      }
      isWoken ||= rows.length === page;
    }
  };
  const wake = (): void => {
    isWoken = true;
    if (isReading) return;
    isReading = true;
    read()
      .catch(lost)
      .finally(() => {
        isReading = false;
      });
  };
  client.on('notification', wake);
  const poll = setInterval(wake, pollInterval);
  return {
    wake,
    stop() {
      isStopped = true;
      clearInterval(poll);
    },
  };
}
