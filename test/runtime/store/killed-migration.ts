import pg from 'pg';
import type { StoreModel } from '../../../src/analysis/store/model.js';
import { postgresStore, sqliteStore } from '../../../src/index.js';

/** A process that migrates a database, and kills itself before a statement. */
export interface KilledMigration {
  /** A file of SQLite, or the URL of PostgreSQL. */
  readonly database: string;
  readonly model: StoreModel;
  /** The number of the statement; 1 is the first. */
  readonly at: number;
}

const { database, model, at } = JSON.parse(process.argv[2] ?? '') as KilledMigration;
const isPostgres = database.startsWith('postgres');

let statements = 0;
const count = () => {
  statements += 1;
  if (statements === at) process.kill(process.pid, 'SIGKILL');
};
const hook = (prototype: Record<string, (...given: unknown[]) => unknown>, name: string) => {
  const run = prototype[name];
  prototype[name] = function (this: unknown, ...given) {
    count();
    return run?.apply(this, given);
  };
};
if (isPostgres) hook(pg.Client.prototype as never, 'query');
else {
  const { StatementSync } = await import('node:sqlite');
  for (const name of ['all', 'run']) hook(StatementSync.prototype as never, name);
}

const store = isPostgres ? postgresStore({ url: database, max: 1 }) : sqliteStore({ file: database });
const { refusals } = await store.migrate(model, { apply: true, allowLoss: true });
await store.close();
if (refusals.length > 0) throw new Error(refusals.join());
