import type { Driver, Kysely } from 'kysely';
import type { Database, DatabaseRow, Statement } from './database.js';
import type { StoreRows } from './store.js';

/** The only connection of SQLite: while a transaction or a program has it, all other statements wait. */
export class Turns {
  #running: Promise<void> | undefined;

  /** Pending until none has it; undefined if that is so. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Waits for a turn, and returns what ends it. */
  async take(): Promise<() => void> {
    while (this.#running !== undefined) await this.#running;
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
      while (turns.running !== undefined) await turns.running;
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

/** Lets programs, to which Kysely gives the connection one at a time, take turns with the transactions of the store. */
export function takingTurns(driver: Driver, turns: Turns): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  let end = () => {};
  return Object.assign(driver, {
    // Until it is given back: a statement that waits for another process must not come into a transaction of the store.
    async acquireConnection() {
      end = await turns.take();
      return acquire();
    },
    async releaseConnection() {
      end();
    },
  });
}
