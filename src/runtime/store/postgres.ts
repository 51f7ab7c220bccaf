import type {
  AbortableOperationOptions,
  CompiledQuery,
  DatabaseConnection,
  PostgresPool,
  PostgresPoolClient,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { remember } from '../../compiler/graph/maps.js';
import { LruMap } from '../limits/lru-map.js';
import { assertPeers, loadPeer } from '../load/load-peer.js';
import { noteStatement } from './broken-statements.js';
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
    const timestamptz = pg.types.builtins.TIMESTAMPTZ;
    const pool = new pg.Pool({
      connectionString: url,
      max,
      application_name: 'gg-svc store',
      connectionTimeoutMillis: statementTimeout,
      statement_timeout: statementTimeout,
      keepAlive: true,
      types: {
        getTypeParser: ((oid: number, format: 'text') =>
          oid === timestamptz ? readTime : pg.types.getTypeParser(oid, format)) as never,
      },
    });
    // A connection that fails while it is idle is replaced by the next request; one in use tells its statement.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    const dialect = new PostgresDialect({
      pool: explained(pool, health),
      controlClient: pg.Client,
      onCreateConnection: async (connection) => cancelGivenUp(connection),
    });
    return new Kysely<StoreRows>({ dialect });
  };
  return storeOver('postgres', undefined, connect, () => health.isUp, { url });
}

/**
 * Ends a statement in the database when its signal is aborted. The next statement of the connection waits until the
 * database was told, so that it is not the one that ends.
 */
function cancelGivenUp(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  let cancelling: Promise<unknown> | undefined;
  connection.executeQuery = async <Row>(query: CompiledQuery, options?: AbortableOperationOptions) => {
    if (cancelling !== undefined) await cancelling;
    const signal = options?.signal;
    if (signal === undefined) return execute<Row>(query);
    const cancel = async () => {
      await connection.collectSessionInfo?.();
      await connection.cancelQuery?.(noConnection);
    };
    const onAbort = () => {
      cancelling = cancel().catch(() => undefined);
    };
    signal.addEventListener('abort', onAbort);
    try {
      return await execute<Row>(query);
    } catch (error) {
      // Kysely has rejected already, and would print an error that comes later.
      if (signal.aborted) return { rows: [] };
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}

/** The database is told on a connection of its own: the pool may have none left. */
const noConnection = () => Promise.reject(new Error('invariant: a connection of its own cancels'));

/** A time as PostgreSQL prints it, such as `2024-01-01 12:00:00.5+00`, in UTC with milliseconds. */
function readTime(text: string): string {
  const isBc = text.endsWith(' BC');
  const [day, time] = text.replace(' BC', '').split(' ') as [string, string];
  // The year before 1 is 1 BC.
  const date = isBc ? `0000${day.slice(4)}` : day;
  return new Date(`${date}T${time.replace(/([+-]\d\d)$/, '$1:00')}`).toISOString();
}

/** How often a database that was away is asked whether it is back, in milliseconds. */
const probeInterval = 500;

/** A pool whose errors tell clients what they can do. */
function explained(pool: Pool, health: { isUp: boolean }): PostgresPool {
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
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  const named = statementNames();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        // A pool whose connections are all in use says nothing about the database.
        if (pool.totalCount < pool.options.max) lost();
        throw explain(error, true);
      });
      // Kysely keeps something for each client that it knows.
      return remember(clients, client, () => explainedClient(client, named, lost));
    },
  };
}

/** The number of statements that each connection keeps. */
const mostStatements = 200;

/**
 * Gives names to statements: the server parses and plans them once for each connection. A text gets one at its second
 * use, so that those that are never used again take none, and texts without parameters, such as `begin`, get none.
 */
function statementNames() {
  const names = new Map<string, string>();
  const once = new LruMap<string, true>(mostStatements);
  return (text: string, values: readonly unknown[]): string | undefined => {
    const name = names.get(text);
    if (name !== undefined || values.length === 0 || names.size === mostStatements) return name;
    if (once.get(text) === undefined) once.set(text, true);
    else names.set(text, `gg_svc_${names.size}`);
    return names.get(text);
  };
}

function explainedClient(
  client: PoolClient,
  nameOf: ReturnType<typeof statementNames>,
  lost: () => void,
): PostgresPoolClient {
  let isLost = false;
  const query = (text: string, values?: unknown[]) =>
    traceStatement('postgresql', text, () => send(text, values));
  const send = async (text: string, values: unknown[] = []) => {
    try {
      const name = nameOf(text, values);
      return await (name === undefined ? client.query(text, values) : client.query({ name, text, values }));
    } catch (error) {
      if (!hasState(error)) {
        isLost = true;
        lost();
      }
      noteStatement(error, text);
      throw explain(error, false);
    }
  };
  return {
    query: query as never,
    release: (destroy) => client.release(isLost || destroy),
    // Kysely needs it to cancel statements.
    processID: (client as { readonly processID?: number }).processID as number,
  };
}

/** The SQLSTATEs of a server that is away, starting, ending or full, and of a statement that took too long. */
const unavailable = /^(?:08|53|57)/;

/** Whether an error has an SQLSTATE, all of which have a digit. Failures of the connection have a code of the system or none. */
function hasState(error: unknown): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test((error as { readonly code?: string }).code ?? '');
}

function explain(error: unknown, isConnecting: boolean): unknown {
  const { code = '' } = error as { readonly code?: string };
  const isAway = isConnecting || unavailable.test(code) || !hasState(error);
  if (isAway) return new StoreError('STORE_UNAVAILABLE', 'The database is not available.', { cause: error });
  // Class 22: data exceptions, of values that no column can keep.
  if (code.startsWith('22'))
    return new StoreError('BAD_USER_INPUT', 'The database cannot keep a value of the request.', {
      cause: error,
    });
  return error;
}
