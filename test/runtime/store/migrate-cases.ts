import fc from 'fast-check';
import { expect } from 'vitest';
import type { Column, StoreModel, Table } from '../../../src/analysis/store/model.js';
import type { Store } from '../../../src/runtime/store/store.js';
import { fromDatabase, toDatabase } from '../../../src/runtime/store/values.js';
import { models, rowOf } from './random-models.js';

/** What a database says of its tables, in an order of its own that does not depend on how it came to be. */
export type SchemaOf = (store: Store, model: StoreModel) => Promise<readonly string[]>;

type MakeStore = () => (Store & AsyncDisposable) | Promise<Store & AsyncDisposable>;

/** Random models in which some columns are unique. */
const ruled = models.map(
  ({ tables }): StoreModel => ({
    tables: tables.map((table) => ({
      ...table,
      columns: table.columns.map(({ isIndexed, ...column }): Column => {
        const isUnique = column.name === 's' && ['text', 'integer', 'long'].includes(column.kind);
        return { ...column, ...(isIndexed && (isUnique ? { isUnique: true } : { isIndexed })) };
      }),
    })),
  }),
);

/** The rows that each table has before a migration: the third has only what it must have. */
const rowsOf = (table: Table) =>
  ['1', '2', '3'].map((id) => {
    const row = rowOf(table, id);
    if (id === '3') for (const { name, isNullable } of table.columns) if (isNullable) row[name] = null;
    return row;
  });

async function fill(store: Store, model: StoreModel): Promise<void> {
  const db = await store.open(model);
  for (const table of model.tables) {
    for (const row of rowsOf(table)) {
      const kept = table.columns.map((one) => [one.name, toDatabase(store.engine, one, row[one.name])]);
      await db.insertInto(table.name).values(Object.fromEntries(kept)).execute();
    }
  }
}

/** A text that becomes a foreign key is no key of a row, and rows that get the same default are not unique. */
const refused = /^rows of \w (?:would refer by|have the same)/;

async function checkRows(store: Store, from: StoreModel, to: StoreModel): Promise<void> {
  const db = await store.open(to);
  for (const table of to.tables) {
    const old = from.tables.find(({ name }) => name === table.name);
    if (old === undefined) continue;
    const rows = await db.selectFrom(table.name).selectAll().orderBy('id').execute();
    expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3']);
    for (const [at, before] of rowsOf(old).entries()) {
      const after = fromDatabase(store.engine, table, rows[at] ?? {});
      for (const { name, kind, references, isNullable } of table.columns) {
        const same = old.columns.find((one) => one.name === name);
        if (same?.kind !== kind || references !== undefined || same.references !== undefined) continue;
        const value = kind === 'long' && before[name] !== null ? String(before[name]) : before[name];
        if (value === null && !isNullable) expect(after[name]).not.toBeNull();
        else expect(after[name]).toEqual(value);
      }
    }
  }
}

/**
 * For random pairs of models: after a migration the tables are those of a new database, and the rows of each table that
 * both have are there, with the values of the columns that both have.
 */
export async function checkMigrations(make: MakeStore, schemaOf: SchemaOf, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(ruled, ruled, async (from, to) => {
      await using store = await make();
      await fill(store, from);
      const { refusals, isApplied } = await store.migrate(to, { apply: true, allowLoss: true });
      if (refusals.length > 0) {
        for (const refusal of refusals) expect(refusal).toMatch(refused);
        expect(isApplied).toBe(false);
        expect((await store.migrate(from)).steps).toEqual([]);
        await using same = await make();
        await same.open(from);
        expect(await schemaOf(store, from)).toEqual(await schemaOf(same, from));
        await checkRows(store, from, from);
        return;
      }
      expect(isApplied).toBe(true);
      expect((await store.migrate(to)).steps).toEqual([]);
      await using fresh = await make();
      await fresh.open(to);
      expect(await schemaOf(store, to)).toEqual(await schemaOf(fresh, to));
      await checkRows(store, from, to);
    }),
    { numRuns },
  );
}

/**
 * Kills a runner before its first statement, then one before its second, and so on, and from the first again after each
 * step that is recorded, until one comes to its end. Then the tables are those of a new database, with all rows.
 *
 * @param runUntil - Runs a migration up to a statement. Returns whether it was killed.
 * @param stride - The distance of the statements before which a runner is killed.
 */
export async function checkKilledMigrations(
  make: MakeStore,
  schemaOf: SchemaOf,
  runUntil: (store: Store, model: StoreModel, statement: number) => Promise<boolean>,
  numRuns: number,
  stride = 1,
): Promise<void> {
  let kills = 0;
  await fc.assert(
    fc.asyncProperty(ruled, ruled, async (from, to) => {
      await using store = await make();
      await fill(store, from);
      const state = async () => JSON.stringify((await store.migrate(to)).steps);
      const { steps, refusals } = await store.migrate(to);
      fc.pre(steps.length > 0 && refusals.length === 0);
      let last = await state();
      for (let statement = 1; await runUntil(store, to, statement); statement += stride) {
        kills += 1;
        const now = await state();
        if (now !== last) statement = 1 - stride;
        last = now;
      }
      const { isApplied, refusals: refusing } = await store.migrate(to, { apply: true, allowLoss: true });
      if (!isApplied) {
        expect(refusing[0]).toMatch(refused);
        return;
      }
      await using fresh = await make();
      await fresh.open(to);
      expect(await schemaOf(store, to)).toEqual(await schemaOf(fresh, to));
      await checkRows(store, from, to);
    }),
    { numRuns },
  );
  // How many statements a random migration has is luck, but each has one.
  expect(kills).toBeGreaterThanOrEqual(numRuns);
}
