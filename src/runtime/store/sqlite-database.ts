import type { Kysely } from 'kysely';
import type { Database, DatabaseRow, Statement } from './database.js';
import type { StoreRows } from './store.js';

/** The only connection of SQLite: while a transaction runs on it, all other statements wait. */
export class Turns {
  #running: Promise<void> | undefined;

  /** Pending until no transaction runs; undefined if none does. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Waits for the turn of a transaction, and returns what ends it. */
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

/** Lets the statements that Kysely sends, one at a time, take turns with those of the store. */
export class KyselyTurns {
  /** Ends the transaction of Kysely that runs. */
  #end: (() => void) | undefined;

  constructor(private readonly turns: Turns) {}

  async wait(): Promise<void> {
    while (this.#end === undefined && this.turns.running !== undefined) await this.turns.running;
  }

  async run<Result>(sql: string, send: () => Promise<Result>): Promise<Result> {
    const isFirst = this.#end === undefined && /^begin\b/i.test(sql);
    if (isFirst) this.#end = await this.turns.take();
    else await this.wait();
    // SQLite may have taken back the transaction itself: then `rollback` fails.
    let isOver = isFirst || /^rollback$/i.test(sql);
    try {
      const result = await send();
      isOver = /^(?:commit|rollback)$/i.test(sql);
      return result;
    } finally {
      if (isOver) {
        this.#end?.();
        this.#end = undefined;
      }
    }
  }
}
