import type { Kysely } from 'kysely';
import { planAdoption } from '../../analysis/store/migrations/adopt.js';
import { type MigrationPlan, planMigration } from '../../analysis/store/migrations/plan.js';
import type { Step } from '../../analysis/store/migrations/table-change.js';
import type { StoreModel } from '../../analysis/store/model.js';
import { readCatalog } from './catalog/read-catalog.js';
import { hasTable, type Run, readState, type State } from './catalog/state.js';
import { keysTable, outboxTable } from './outbox.js';
import type { MigrateOptions, Migration, Store, StoreRows } from './store.js';

/** The parts of a migration in which the engines differ. */
interface Migrator {
  /** The first statements of a connection, before a transaction can start. */
  readonly prepare: readonly string[];
  readonly begin: string;
  /** Holds a second runner until the end of the first; a transaction of SQLite does so by itself. */
  readonly lock: readonly string[];
  readonly parameter: (number: number) => string;
  /** The rows that break a foreign key, where the engine did not look at them. */
  readonly broken?: string;
  /** The last statements, also after a failure. */
  readonly restore: readonly string[];
}

/** The tables of the outbox, which databases of earlier versions have not. */
const outboxStep: Step = {
  summary: 'add the tables of the outbox',
  sql: [
    `CREATE TABLE IF NOT EXISTS ${outboxTable} (id text PRIMARY KEY, subscription text NOT NULL, payload text NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${keysTable} (id text NOT NULL, field text NOT NULL, fingerprint text NOT NULL, result text NOT NULL, expires_at bigint NOT NULL, PRIMARY KEY (id, field))`,
  ],
};

/** The key of the advisory lock: the first 8 bytes of `gg-svc store` in ASCII. */
const lockKey = '7450974082438471795';

const migrators: Readonly<Record<Store['engine'], Migrator>> = {
  sqlite: {
    // A table that is made anew would take the rows that refer to it along.
    prepare: ['PRAGMA foreign_keys = OFF'],
    begin: 'BEGIN IMMEDIATE',
    lock: [],
    parameter: () => '?',
    broken: 'PRAGMA foreign_key_check',
    restore: ['PRAGMA foreign_keys = ON'],
  },
  postgres: {
    prepare: [`SET lock_timeout = '5s'`, 'SET statement_timeout = 0'],
    begin: 'BEGIN',
    lock: [`SELECT pg_advisory_lock(${lockKey})`],
    parameter: (number) => `$${number}`,
    restore: [`SELECT pg_advisory_unlock(${lockKey})`, 'RESET lock_timeout', 'RESET statement_timeout'],
  },
};

/**
 * Finds the steps to the tables of a model, and takes them with `apply`: all in one transaction, and then those that
 * need none, which a later run takes again if this one ends in between.
 */
export async function migrate(
  engine: Store['engine'],
  db: Kysely<StoreRows>,
  model: StoreModel,
  { apply = false, allowLoss = false }: MigrateOptions,
): Promise<Migration> {
  const { CompiledQuery } = await import('kysely');
  const { prepare, begin, lock, restore, broken, ...migrator } = migrators[engine];
  return db.connection().execute(async (connection) => {
    const run: Run = async (sql, ...parameters) =>
      (await connection.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, [...parameters]))).rows;
    if (!apply) {
      const state = await readState(engine, run);
      const plan = await planFrom(engine, run, state, model);
      return { ...plan, version: state.version, isApplied: false };
    }
    try {
      for (const sql of [...prepare, ...lock, begin]) await run(sql);
      const state = await readState(engine, run);
      const plan = await planFrom(engine, run, state, model);
      if (plan.refusals.length > 0 || (!allowLoss && plan.steps.some(({ isLoss }) => isLoss))) {
        await run('ROLLBACK');
        return { ...plan, version: state.version, isApplied: false };
      }
      // Another runner may have been here first.
      if (plan.steps.length === 0 && state.version > 0) {
        await run('ROLLBACK');
        return { ...plan, version: state.version, isApplied: true };
      }
      const later = plan.steps.filter(({ isLater }) => isLater);
      await takeInTransaction(run, migrator, { plan, state, model, later, broken });
      for (const { sql } of later) for (const statement of sql) await run(statement);
      if (later.length > 0) await run(`UPDATE gg_svc_store SET pending = '[]'`);
      return { ...plan, version: state.version + 1, isApplied: true };
    } finally {
      for (const sql of restore) await run(sql);
    }
  });
}

async function takeInTransaction(
  run: Run,
  { parameter }: Pick<Migrator, 'parameter'>,
  {
    plan,
    state,
    model,
    later,
    broken,
  }: {
    readonly plan: MigrationPlan;
    readonly state: State;
    readonly model: StoreModel;
    readonly later: readonly Step[];
    readonly broken: string | undefined;
  },
): Promise<void> {
  try {
    for (const { sql, isLater } of plan.steps)
      if (!isLater) for (const statement of sql) await run(statement);
    const [bad] = broken === undefined ? [] : await run(broken);
    if (bad !== undefined)
      throw new Error(
        `A row of ${String(bad.table)} would refer to a row of ${String(bad.parent)} that is missing.`,
      );
    await run(
      'CREATE TABLE IF NOT EXISTS gg_svc_store (id integer PRIMARY KEY, version integer NOT NULL, model text NOT NULL, pending text NOT NULL, changed_at text NOT NULL)',
    );
    for (const statement of outboxStep.sql) await run(statement);
    await run('DELETE FROM gg_svc_store');
    await run(
      `INSERT INTO gg_svc_store VALUES (1, ${[1, 2, 3, 4].map(parameter).join(', ')})`,
      state.version + 1,
      JSON.stringify(model),
      JSON.stringify(later),
      new Date().toISOString(),
    );
    await run('COMMIT');
  } catch (error) {
    await run('ROLLBACK');
    throw error;
  }
}

async function planFrom(
  engine: Store['engine'],
  run: Run,
  { version, model, pending }: State,
  to: StoreModel,
): Promise<MigrationPlan> {
  if (version === 0) {
    const catalog = await readCatalog(engine, run);
    return planAdoption(engine, catalog, to);
  }
  const { steps, refusals } = planMigration(engine, model, to);
  const missing = (await hasTable(engine, run, keysTable)) ? [] : [outboxStep];
  return { steps: [...missing, ...pending, ...steps], refusals };
}
