import type { Dialect, Kysely } from 'kysely';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { runUntil } from '../../base/values/run-until.js';
import type { Database, DatabaseRow, Statement, TransactionSession } from './database.js';
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
  run: (statement: Statement) => MaybePromise<readonly DatabaseRow[]>,
): Database {
  const runLater = async (statement: Statement) => {
    while (turns.isTaken) await turns.end();
    return run(statement);
  };
  let joinable: Batch | undefined;
  const newBatch = (): Batch => {
    const batch = new Batch(db, turns, run, () => {
      if (joinable === batch) joinable = undefined;
    });
    return batch;
  };
  return {
    db,
    run: (statement) => (turns.isTaken ? runLater(statement) : run(statement)),
    transaction(work) {
      joinable ??= newBatch();
      return joinable.add(work);
    },
  };
}

/**
 * Transactions that share a commit, which costs more than all their statements: it waits for the disk. Those join whose
 * requests arrive in the same turn of the event loop. They run one after the other, each in a savepoint, and none
 * settles before the commit, which all of them share: what one has seen of another is committed with it, or lost with it.
 */
class Batch {
  readonly #taken: Promise<() => void>;
  readonly #committed: Promise<void>;
  /** Settles when the last of its transactions has run. */
  #last: Promise<void> = Promise.resolve();
  /** The number of transactions that are to be committed. */
  #kept = 0;
  #lost: { readonly error: unknown } | undefined;

  /** @param close - Called when it takes no more transactions. */
  constructor(
    private readonly db: Kysely<StoreRows>,
    turns: Turns,
    private readonly run: (statement: Statement) => MaybePromise<readonly DatabaseRow[]>,
    private readonly close: () => void,
  ) {
    this.#taken = turns.take();
    this.#committed = this.#commit();
    // Its transactions tell why there was no commit.
    this.#committed.catch(() => undefined);
  }

  async add<Result>(work: (session: TransactionSession) => Promise<Result>): Promise<Result> {
    const before = this.#last;
    let ended = () => {};
    this.#last = new Promise((resolve) => {
      ended = resolve;
    });
    try {
      await this.#taken;
      await before;
      return await this.#run(work);
    } finally {
      ended();
      // An error, too, may be about rows of another transaction.
      await this.#committed;
    }
  }

  async #run<Result>(work: (session: TransactionSession) => Promise<Result>): Promise<Result> {
    if (this.#lost !== undefined) throw this.#lost.error;
    const { db, run } = this;
    const isFirst = this.#kept === 0;
    await this.#send(isFirst ? 'begin' : `savepoint ${savepoint}`);
    try {
      const last: Statement[] = [];
      const result = await work({ db, run, runLast: (statement) => void last.push(statement) });
      for (const statement of last) await run(statement);
      if (!isFirst) await this.#send(`release ${savepoint}`);
      this.#kept += 1;
      return result;
    } catch (error) {
      await this.#takeBack(isFirst, error);
      throw error;
    }
  }

  async #takeBack(isFirst: boolean, error: unknown): Promise<void> {
    try {
      await this.#send(isFirst ? 'rollback' : `rollback to ${savepoint}`);
      if (!isFirst) await this.#send(`release ${savepoint}`);
    } catch {
      // SQLite itself has taken back a transaction for which there was no place left, with all savepoints.
      if (isFirst) return;
      this.#lost = { error };
      this.close();
    }
  }

  async #commit(): Promise<void> {
    let end: () => void;
    try {
      end = await this.#taken;
      await new Promise(setImmediate);
    } finally {
      this.close();
    }
    try {
      await this.#last;
      if (this.#lost !== undefined) throw this.#lost.error;
      if (this.#kept > 0) await this.#send('commit');
    } catch (error) {
      await this.#send('rollback').catch(() => undefined);
      throw error;
    } finally {
      end();
    }
  }

  async #send(sql: string): Promise<void> {
    await this.run({ sql, parameters: [] });
  }
}

const savepoint = 'gg_svc_mutation';

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
