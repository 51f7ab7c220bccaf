import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Step } from '../../analysis/store/migrations/table-change.js';
import type { StoreModel } from '../../analysis/store/model.js';
import { type Run, readState } from './catalog/state.js';
import { type Leg, type Legs, legsTo, outboxStep } from './migrate-legs.js';
import type { MigrateOptions, Migration, Store, StoreRows } from './store.js';

/** The parts of a migration in which the engines differ. */
interface Migrator {
  /** Holds a second runner until the end of the first. */
  readonly lock: (run: Run) => Promise<void>;
  /** A transaction around a group of steps; undefined if the lock is one. */
  readonly begin: string | undefined;
  readonly parameter: (number: number) => string;
  /** The rows that break a foreign key, where the engine did not look at them. */
  readonly broken?: string;
  /** The statements that end what is open after steps that were not taken. */
  readonly rollback: string;
  /** The last statements, also after a failure. */
  readonly restore: readonly string[];
}

/** The key of the advisory lock: the first 8 bytes of `gg-svc store` in ASCII. */
const lockKey = '7450974082438471795';

/** How often a runner looks whether the other one has ended, in milliseconds. */
const lockInterval = 100;

const migrators: Readonly<Record<Store['engine'], Migrator>> = {
  sqlite: {
    async lock(run) {
      // A table that is made anew would take the rows that refer to it along.
      await run('PRAGMA foreign_keys = OFF');
      await run('BEGIN IMMEDIATE');
    },
    begin: undefined,
    parameter: () => '?',
    broken: 'PRAGMA foreign_key_check',
    rollback: 'ROLLBACK',
    restore: ['PRAGMA foreign_keys = ON'],
  },
  postgres: {
    async lock(run) {
      await run('SET statement_timeout = 0');
      // A statement that waits for the lock has a snapshot, whose end CREATE INDEX CONCURRENTLY of the holder waits for.
      while ((await run(`SELECT 1 WHERE pg_try_advisory_lock(${lockKey})`)).length === 0) await pause(lockInterval);
      await run(`SET lock_timeout = '5s'`);
    },
    begin: 'BEGIN',
    parameter: (number) => `$${number}`,
    rollback: 'ROLLBACK',
    restore: [`SELECT pg_advisory_unlock(${lockKey})`, 'RESET lock_timeout', 'RESET statement_timeout'],
  },
};

/** `waits` looks at the tables only when no other runner takes steps: a look meanwhile sees some of them. */
export type RunOptions = MigrateOptions & { readonly waits?: boolean };

/**
 * Finds the steps to the tables of a model, and takes them with `apply`. What is done and what remains is written with each
 * step, so that a later run goes on if this one is cut short.
 */
export async function migrate(
  engine: Store['engine'],
  db: Kysely<StoreRows>,
  model: StoreModel,
  { apply = false, allowLoss = false, expand = false, waits = apply }: RunOptions,
): Promise<Migration> {
  const { CompiledQuery } = await import('kysely');
  const migrator = migrators[engine];
  return db.connection().execute(async (connection) => {
    const run: Run = async (sql, ...parameters) =>
      (await connection.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, [...parameters]))).rows;
    const find = async () => {
      const state = await readState(engine, run);
      const { legs, ...plan } = await legsTo(engine, run, state, model);
      return { legs, version: state.version, plan: { ...plan, steps: legs.flatMap(({ steps }) => steps) } };
    };
    if (!waits) {
      const { plan, version } = await find();
      return { ...plan, version, isApplied: false };
    }
    let isOpen = migrator.begin === undefined;
    try {
      await migrator.lock(run);
      const { legs, plan, version } = await find();
      if (!apply) return { ...plan, version, isApplied: false };
      const walk = new Walk(run, migrator, version, expand);
      const refusals = [...plan.refusals, ...(expand ? refusedExpansion(engine, legs) : [])];
      const isLoss = !allowLoss && !expand && plan.steps.some((step) => step.isLoss);
      // Another runner may have been here first.
      const isDone = plan.steps.length === 0 && version > 0;
      if (refusals.length === 0 && !isLoss && !isDone)
        for (const leg of legs) {
          refusals.push(...(await walk.refusalsOf(leg)));
          if (refusals.length > 0) break;
          await walk.take(leg);
          isOpen = false;
        }
      const taken = { ...plan, steps: expand ? plan.steps.filter(isExpansion) : plan.steps };
      return { ...taken, refusals, version: walk.version, isApplied: refusals.length === 0 && !isLoss };
    } finally {
      if (isOpen) await run(migrator.rollback).catch(() => undefined);
      for (const sql of migrator.restore) await run(sql);
    }
  });
}

const isExpansion = ({ isContract }: Step): boolean => isContract !== true;

/** Why tables cannot be expanded for a model. */
function refusedExpansion(engine: Store['engine'], legs: Legs['legs']): readonly string[] {
  if (engine === 'sqlite') return ['SQLite changes its tables in one transaction, so that nothing can be expanded'];
  return legs.flatMap(({ steps }, at) =>
    steps
      .filter((step) => step.isBreaking || (step.isContract && at < legs.length - 1))
      .map(({ summary, isBreaking }) =>
        isBreaking
          ? `“${summary}” fits either the old program or the new one: add a new field first, and remove the old one in a later release`
          : `“${summary}” is left of an earlier expansion: take it first, with the topology of that time`,
      ),
  );
}

/** Takes steps. */
class Walk {
  constructor(
    private readonly run: Run,
    private readonly migrator: Migrator,
    /** The version of the database. */
    public version: number,
    private readonly isExpanding: boolean,
  ) {}

  /** The message about rows that do not allow steps. */
  async refusalsOf({ steps }: Leg): Promise<readonly string[]> {
    const refusals: string[] = [];
    for (const { sql, refusal } of steps.flatMap(({ rowChecks = [] }) => rowChecks))
      if ((await this.run(sql)).length > 0) refusals.push(refusal);
    return refusals;
  }

  /** Takes the steps of a leg: those that follow each other in a transaction as one, and later ones one by one. */
  async take({ model, steps }: Leg): Promise<void> {
    let isRecorded: boolean | undefined;
    let rest = steps;
    const version = this.version + 1;
    while (rest.length > 0 || isRecorded === undefined) {
      const [first] = rest;
      const isEnd = this.isExpanding && first?.isContract === true;
      // The tables are those of the model as soon as the old one does not fit them.
      const isTurned = !isEnd && (first?.isContract === true || rest.every(isExpansion));
      const end = rest.findIndex((step) => isEnd || step.isLater || step.isContract !== first?.isContract);
      const group = end < 0 ? rest : rest.slice(0, end);
      const record = (remaining: readonly Step[]) => this.#record(model, remaining, isTurned ? version : undefined);
      if (group.length > 0 || isRecorded !== isTurned) {
        rest = rest.slice(group.length);
        await this.#takeGroup(group, () => record(rest));
      } else if (isEnd) break;
      else {
        for (const sql of (first as Step).sql) while ((await this.run(sql)).length > 0);
        rest = rest.slice(1);
        await this.#transaction(() => record(rest));
      }
      isRecorded = isTurned;
    }
  }

  #takeGroup(steps: readonly Step[], record: () => Promise<void>): Promise<void> {
    return this.#transaction(async () => {
      for (const { sql } of steps) for (const statement of sql) await this.run(statement);
      const { broken } = this.migrator;
      const [bad] = broken === undefined ? [] : await this.run(broken);
      if (bad !== undefined)
        throw new Error(`A row of ${String(bad.table)} would refer to a row of ${String(bad.parent)} that is missing.`);
      await this.run(
        'CREATE TABLE IF NOT EXISTS gg_svc_store (id integer PRIMARY KEY, version integer NOT NULL, model text NOT NULL, pending text NOT NULL, changed_at text NOT NULL)',
      );
      for (const statement of outboxStep.sql) await this.run(statement);
      await record();
    });
  }

  async #transaction(take: () => Promise<void>): Promise<void> {
    const { begin, rollback } = this.migrator;
    try {
      if (begin !== undefined) await this.run(begin);
      await take();
      await this.run('COMMIT');
    } catch (error) {
      await this.run(rollback).catch(() => undefined);
      throw error;
    }
  }

  /** Writes what is done: row 1 is about the tables, row 2 about those that they are expanded for. */
  async #record(model: StoreModel, steps: readonly Step[], version: number | undefined): Promise<void> {
    const isTurned = version !== undefined;
    const parameters = [1, 2, 3, 4, 5].map(this.migrator.parameter).join(', ');
    await this.run(`DELETE FROM gg_svc_store WHERE id ${isTurned ? '> 0' : '= 2'}`);
    await this.run(
      `INSERT INTO gg_svc_store VALUES (${parameters})`,
      isTurned ? 1 : 2,
      version ?? this.version,
      JSON.stringify(model),
      // Steps past the turn are run by whichever topology comes next.
      JSON.stringify(isTurned ? steps.map(({ summary, sql, isLater }) => ({ summary, sql, isLater })) : steps),
      new Date().toISOString(),
    );
    if (isTurned) this.version = version;
  }
}
