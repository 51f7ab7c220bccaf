import { setTimeout as pause } from 'node:timers/promises';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { remember } from '../../compiler/graph/maps.js';
import { LruMap } from '../limits/lru-map.js';
import { assertPeers, loadPeer } from '../load/load-peer.js';
import { notingStatement } from './broken-statements.js';
import { type DatabaseRow, type Statement, withDatabase } from './database.js';
import { patience, sqliteDatabase, Turns, takeTurns } from './sqlite-database.js';
import type { Store, StoreRows } from './store.js';
import { StoreError } from './store-error.js';
import { storeOver } from './store-over.js';
import { traceStatement } from './trace-statement.js';

/** The file of SQLite, for {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** The path of the database, which is created if it is missing; `:memory:` for one that ends with the process. */
  readonly file: string;
  /**
   * Changes the tables of an older topology at the start if no value is lost, and hears what was done. Without it, such
   * a database is refused: `gg-svc migrate apply` changes it.
   */
  readonly migrated?: (steps: readonly string[]) => void;
}

/**
 * Keeps the rows of stored nodes in a file of SQLite, by the module `node:sqlite` of Node.js 22.13 and later. It needs
 * `npm install kysely`.
 *
 * @throws {Error} If Kysely is not installed.
 *
 * @example
 * ```ts
 * import { createGqlServer, sqliteStore } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: ['service.gg'],
 *   store: sqliteStore({ file: 'data.sqlite' }),
 * });
 * ```
 */
export function sqliteStore({ file, migrated }: SqliteStoreOptions): Store {
  assertPeers(['kysely']);
  const connect = async () => {
    const { Kysely, SqliteDialect } = await loadPeer(['kysely'], () => import('kysely'));
    const turns = new Turns();
    let opened: SqliteDatabase | undefined;
    const dialect = new SqliteDialect({
      async database() {
        opened = await patiently(() => openFile(file));
        return opened;
      },
      async onCreateConnection(connection) {
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = async (query, ...options) => send(query.sql, () => execute<never>(query, ...options));
      },
    });
    const run = ({ sql, parameters }: Statement) =>
      send(sql, () => (opened as SqliteDatabase).prepare(sql).all(parameters) as DatabaseRow[]);
    return withDatabase(sqliteDatabase(new Kysely<StoreRows>({ dialect: takeTurns(dialect, turns) }), turns, run));
  };
  return storeOver('sqlite', migrated, connect, undefined, { file });
}

function send<Result>(sql: string, run: () => MaybePromise<Result>): MaybePromise<Result> {
  return traceStatement('sqlite', sql, () => {
    try {
      const running = patiently(run);
      return running instanceof Promise ? running.catch(notingStatement(sql)) : running;
    } catch (error) {
      return notingStatement(sql)(error);
    }
  });
}

/** Opens a file as the database that Kysely expects. */
async function openFile(file: string): Promise<SqliteDatabase> {
  const { DatabaseSync } = await silently(() => import('node:sqlite'));
  const database = explained(() => {
    const opened = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
    opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // SQLite prints at most 17 digits of a number, and some of them are wrong.
    opened.function('gg_svc_number', { deterministic: true }, jsonNumber);
    return opened;
  });
  const prepare = (sql: string): SqliteStatement => {
    // A transaction that reads before it writes would fail, and not wait, if another process wrote in between.
    const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql);
    // Without it, an integer of more than 53 bits cannot be read.
    statement.setReadBigInts(true);
    const rows = (parameters: readonly unknown[]) =>
      explained(() => statement.all(...(parameters.map(bindable) as never[])).map(rowOf));
    return {
      // A statement without columns gives no rows.
      reader: statement.columns().length > 0,
      all: rows,
      run: (parameters) => explained(() => statement.run(...(parameters.map(bindable) as never[]))),
      *iterate(parameters) {
        yield* rows(parameters);
      },
    };
  };
  const prepared = new LruMap<string, SqliteStatement>(mostStatements);
  return {
    close: () => database.close(),
    prepare: (sql) => remember(prepared, sql, () => explained(() => prepare(sql))),
  };
}

/** The number of statements that are kept: SQLite parses and plans each once. */
const mostStatements = 200;
/** A number as JSON; infinity as SQLite writes it. */
function jsonNumber(value: unknown): string {
  return Math.abs(value as number) === Number.POSITIVE_INFINITY
    ? `${Math.sign(value as number)}e999`
    : JSON.stringify(value);
}

/** The result code of a file that another connection writes. */
const busy = 5;

/** The result codes of a file that others hold, that cannot be read or written, or that has no place left. */
const unavailable: ReadonlySet<unknown> = new Set([busy, 6, 10, 13, 14]);

function explained<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    // The lower byte is the primary code (sqlite.org/rescode.html, section 1).
    if (!unavailable.has(((error as { readonly errcode?: number }).errcode ?? 0) & 255)) throw error;
    throw new StoreError('STORE_UNAVAILABLE', 'The database is not available.', { cause: error });
  }
}

/**
 * Tries again while another connection writes. SQLite itself would wait in the only thread. The result is no promise if
 * the first attempt succeeds without one.
 */
export function patiently<T>(run: () => MaybePromise<T>): MaybePromise<T> {
  try {
    const running = run();
    return running instanceof Promise ? running.catch((error: unknown) => tryAgain(run, error)) : running;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return tryAgain(run, error);
  }
}

async function tryAgain<T>(run: () => MaybePromise<T>, failure: unknown): Promise<T> {
  const end = performance.now() + patience;
  for (let error = failure; ; ) {
    if (!isBusy(error) || performance.now() > end) throw error;
    await pause(5);
    try {
      return await run();
    } catch (thrown) {
      error = thrown;
    }
  }
}

function isBusy(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly errcode?: number } };
  return ((cause?.errcode ?? 0) & 255) === busy;
}

/** The values that SQLite has no type for. */
function bindable(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value instanceof Date ? value.toISOString() : value;
}

/** Integers of at most 53 bits are numbers, others text. */
function rowOf(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) {
    const value = row[name];
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    row[name] = Number.isSafeInteger(number) ? number : String(value);
  }
  return row;
}

/** Loads `node:sqlite` without its warning, which names a feature that is experimental: the user did not choose it. */
export async function silently<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning(warning, ...rest);
  };
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
