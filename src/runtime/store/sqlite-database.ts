import type { Dialect, Kysely } from 'kysely';
import { runUntil } from '../../base/values/run-until.js';
import type { Database, DatabaseRow, Statement } from './database.js';
import type { StoreRows } from './store.js';
import { StoreError } from './store-error.js';

/** How long a statement waits for another process that writes, or for a transaction, in milliseconds. */
export const patience = 5_000;

/** The only connection of SQLite: while a transaction or a program has it, all other statements wait. */
export class Turns {
  #running: Promise<void> | undefined;

  get isTaken(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Waits for the end of the turn that runs. Another may have begun then.
   *
   * @throws {StoreError} STORE_UNAVAILABLE if it takes too long: its owner may itself wait for this one.
   */
  async end(): Promise<void> {
    await runUntil<void, never>(
      { timeout: patience },
      () => this.#running,
      () => {
        const cause = new Error(`a transaction has had the connection for ${patience} ms`);
        return Promise.reject(new StoreError('STORE_UNAVAILABLE', 'The database is not available.', { cause }));
      },
    );
  }

  /** Waits for a turn, and returns what ends it. */
  async take(): Promise<() => void> {
    while (this.isTaken) await this.end();
    let ended = () => {};
    this.#running = new Promise((resolve) => {
      ended = resolve;
    });
    return () => {
      this.#running = undefined;
      ended();
    };
  }
}

/** Runs the statements of the store on the connection of SQLite. */
export function sqliteDatabase(
  db: Kysely<StoreRows>,
  turns: Turns,
  run: (statement: Statement) => Promise<readonly DatabaseRow[]>,
): Database {
  const runText = (sql: string) => run({ sql, parameters: [] });
  return {
    db,
    async run(statement) {
      while (turns.isTaken) await turns.end();
      return run(statement);
    },
    async transaction(work) {
      const end = await turns.take();
      try {
        await runText('begin');
        const last: Statement[] = [];
        try {
          const result = await work({ db, run, runLast: (statement) => void last.push(statement) });
          for (const statement of last) await run(statement);
          await runText('commit');
          return result;
        } catch (error) {
          // SQLite itself has taken back a transaction for which there was no place left.
          await runText('rollback').catch(() => undefined);
          throw error;
        }
      } finally {
        end();
      }
    },
  };
}

/** Lets programs, which use Kysely, take turns with each other and with the transactions of the store. */
export function takeTurns(dialect: Dialect, turns: Turns): Dialect {
  // Otherwise Kysely lets programs wait without a limit.
  const adapter = Object.defineProperty(dialect.createAdapter(), 'supportsMultipleConnections', {
    value: true,
  });
  const driver = dialect.createDriver();
  const acquire = driver.acquireConnection.bind(driver);
  let end = () => {};
  Object.assign(driver, {
    // Until it is given back: a statement that waits for another process must not come into a transaction of the store.
    async acquireConnection() {
      end = await turns.take();
      return acquire();
    },
    async releaseConnection() {
      end();
    },
  });
  return Object.assign(dialect, { createAdapter: () => adapter, createDriver: () => driver });
}
