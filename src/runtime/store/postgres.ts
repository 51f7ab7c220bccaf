import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { ClientConfig, Pool, PoolClient } from 'pg';
import { remember } from '../../compiler/graph/maps.js';
import { assertPeers, loadPeer } from '../load/load-peer.js';
import { noteStatement } from './broken-statements.js';
import { withDatabase } from './database.js';
import { isPlanGone, type PostgresLink, postgresDatabase, statementNames } from './postgres-database.js';
import type { Store, StoreRows } from './store.js';
import { StoreError } from './store-error.js';
import { storeOver } from './store-over.js';
import { traceStatement } from './trace-statement.js';

/** The address of PostgreSQL and its limits, for {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`; `?sslmode=verify-full` for TLS. */
  readonly url: string;
  /** The number of connections of this process. Default: 10. */
  readonly max?: number;
  /** How long a statement may run, and a request may wait for a connection, in milliseconds. Default: 5000. */
  readonly statementTimeout?: number;
}

/**
 * Keeps the rows of stored nodes in PostgreSQL. It needs `npm install kysely pg`.
 *
 * @throws {Error} If Kysely or pg is not installed.
 *
 * @example
 * ```ts
 * import { createGqlServer, postgresStore } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: ['service.gg'],
 *   store: postgresStore({ url: process.env.DATABASE_URL ?? 'postgres://localhost/app' }),
 * });
 * ```
 */
export function postgresStore({ url, max = 10, statementTimeout = 5_000 }: PostgresStoreOptions): Store {
  const peers = ['kysely', 'pg'];
  assertPeers(peers);
  const health = { isUp: true };
  const connect = async () => {
    const [{ Kysely, PostgresDialect }, { default: pg }] = await loadPeer(peers, () =>
      Promise.all([import('kysely'), import('pg')]),
    );
    const { builtins, getTypeParser } = pg.types;
    const readerOf = (oid: number) =>
      oid === builtins.TIMESTAMPTZ ? readTime : (getTypeParser(oid, 'text') as (text: string) => unknown);
    const pool = new pg.Pool({
      connectionString: url,
      max,
      application_name: 'gg-svc store',
      connectionTimeoutMillis: statementTimeout,
      statement_timeout: statementTimeout,
      keepAlive: true,
      types: { getTypeParser: readerOf as never },
    });
    // A connection that fails while it is idle is replaced by the next request; one in use tells its statement.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    const link = linkTo(pool, health);
    /** Cancels statements. Without a listener, a server that goes away meanwhile would end the process. */
    class Canceller extends pg.Client {
      constructor(config?: ClientConfig) {
        super(config);
        this.on('error', () => undefined);
      }
    }
    const dialect = new PostgresDialect({ pool: poolOfKysely(pool, link), controlClient: Canceller });
    return withDatabase(
      postgresDatabase(new Kysely<StoreRows>({ dialect }), link, readerOf, async (process) => {
        const client = new Canceller({ connectionString: url, connectionTimeoutMillis: statementTimeout });
        try {
          await client.connect();
          await client.query('select pg_cancel_backend($1)', [process]);
        } finally {
          await client.end();
        }
      }),
    );
  };
  return storeOver('postgres', undefined, connect, () => health.isUp, { url });
}

/**
 * A time as PostgreSQL prints it, such as `2024-01-01 12:00:00.5+00`, in UTC with milliseconds. Those that no RFC 3339 has,
 * such as `infinity`, stay as they are: the scalar refuses them where they are shown.
 */
function readTime(text: string): string {
  const isBc = text.endsWith(' BC');
  const [day = '', time = ''] = text.replace(' BC', '').split(' ');
  // The year before 1 is 1 BC.
  const date = isBc ? `0000${day.slice(4)}` : day;
  const read = new Date(`${date}T${time.replace(/([+-]\d\d)$/, '$1:00')}`);
  return Number.isNaN(read.getTime()) ? text : read.toISOString();
}

/** How often a database that was away is asked whether it is back, in milliseconds. */
const probeInterval = 500;

/** The connections of a pool, and errors that tell clients what they can do. */
function linkTo(pool: Pool, health: { isUp: boolean }): PostgresLink {
  // A server that is not ready gets no requests, which would find that the database is back.
  const probe = () =>
    setTimeout(() => {
      pool.query('SELECT 1').then(
        () => {
          health.isUp = true;
        },
        () => pool.ending || probe(),
      );
    }, probeInterval).unref();
  const lost = () => {
    if (!health.isUp) return;
    health.isUp = false;
    probe();
  };
  return {
    connect: (taken) =>
      pool.connect((error, client) => {
        if (client !== undefined) {
          taken(undefined, client);
          return;
        }
        // A pool whose connections are all in use says nothing about the database.
        if (pool.totalCount < pool.options.max) lost();
        taken(explain(error, true), undefined);
      }),
    failed(error, sql) {
      const isLost = !hasState(error);
      if (isLost) lost();
      noteStatement(error, sql);
      return { isLost, told: explain(error, false) };
    },
  };
}

/** The pool for the statements of programs, which Kysely sends. */
function poolOfKysely(pool: Pool, { connect, failed }: PostgresLink): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  const nameOf = statementNames('gg_svc_');
  const clientFor = (client: PoolClient): PostgresPoolClient => {
    let wasLost = false;
    const send = async (text: string, values: unknown[] = []) => {
      try {
        const name = nameOf(text, values);
        return await (name === '' ? client.query(text, values) : client.query({ name, text, values }));
      } catch (error) {
        const { isLost, told } = failed(error, text);
        wasLost ||= isLost || isPlanGone(error);
        throw told;
      }
    };
    return {
      query: ((text: string, values?: unknown[]) =>
        traceStatement('postgresql', text, () => send(text, values))) as never,
      release: (destroy) => client.release(wasLost || destroy),
      // Kysely needs it to cancel statements.
      processID: (client as { readonly processID?: number }).processID as number,
    };
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: () =>
      new Promise((resolve, reject) =>
        connect((error, client) => {
          if (client === undefined) reject(error);
          // Kysely keeps something for each client that it knows.
          else resolve(remember(clients, client, () => clientFor(client)));
        }),
      ),
  };
}

/** The SQLSTATEs of a server that is away, starting, ending or full, and of a statement that took too long. */
const unavailable = /^(?:08|53|57)/;

/** Whether an error has an SQLSTATE, all of which have a digit. Failures of the connection have a code of the system or none. */
function hasState(error: unknown): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test((error as { readonly code?: string }).code ?? '');
}

/** Whether a statement failed because the server is away, or ended the connection. */
export function isAway(error: unknown): boolean {
  return unavailable.test((error as { readonly code?: string }).code ?? '') || !hasState(error);
}

function explain(error: unknown, isConnecting: boolean): unknown {
  const { code = '' } = error as { readonly code?: string };
  if (isConnecting || isAway(error))
    return new StoreError('STORE_UNAVAILABLE', 'The database is not available.', { cause: error });
  // Class 22: data exceptions, of values that no column can keep.
  if (code.startsWith('22'))
    return new StoreError('BAD_USER_INPUT', 'The database cannot keep a value of the request.', {
      cause: error,
    });
  return error;
}
