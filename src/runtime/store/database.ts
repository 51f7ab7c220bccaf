import type { Kysely } from 'kysely';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { Cancellation } from '../../base/values/run-until.js';
import type { StoreRows } from './store.js';

/** The text of a statement with its values; those that Kysely compiles are such. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A row in the form of the engine. */
export type DatabaseRow = Record<string, unknown>;

/** Runs statements, and builds them with Kysely. */
export interface Session {
  readonly db: Kysely<StoreRows>;
  /** Without a promise where the rows are there at once, as in SQLite. */
  run(statement: Statement): MaybePromise<readonly DatabaseRow[]>;
}

/** The connection of a transaction. */
export interface TransactionSession extends Session {
  /** Keeps a statement for the commit, so that both are one round trip. It can no longer be cancelled then. */
  runLast(statement: Statement): void;
}

/**
 * A database for the statements of the store. Kysely builds them; its executor, which has a dozen promises for each
 * statement and more for a signal, is for the statements of programs.
 */
export interface Database extends Session {
  /** @param cancellation - Ends the statement in the database when it is aborted. */
  run(statement: Statement, cancellation?: Cancellation): MaybePromise<readonly DatabaseRow[]>;
  /** Commits what the work has done, or takes it back if the work fails. */
  transaction<Result>(
    work: (session: TransactionSession) => Promise<Result>,
    cancellation?: Cancellation,
  ): Promise<Result>;
}

const databases = new WeakMap<Kysely<StoreRows>, Database>();

/** Lets {@link databaseOf} find a database by its Kysely. */
export function withDatabase(database: Database): Kysely<StoreRows> {
  databases.set(database.db, database);
  return database.db;
}

/** The database behind the Kysely of a store. */
export function databaseOf(db: Kysely<StoreRows>): Database {
  const found = databases.get(db);
  if (found === undefined) throw new Error('invariant: the Kysely is that of a store');
  return found;
}
