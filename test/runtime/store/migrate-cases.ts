import fc from 'fast-check';
import { expect } from 'vitest';
import type { StoreModel } from '../../../src/analysis/store/model.js';
import type { Store } from '../../../src/runtime/store/store.js';
import { fromDatabase, toDatabase } from '../../../src/runtime/store/values.js';
import { models, rowOf } from './random-models.js';

/** What a database says of its tables, in an order of its own that does not depend on how it came to be. */
export type SchemaOf = (store: Store, model: StoreModel) => Promise<readonly string[]>;

/**
 * For random pairs of models: after a migration the tables are those of a new database, and the rows of each table that
 * both have are there, with the values of the columns that both have.
 */
export async function checkMigrations(
  make: () => (Store & AsyncDisposable) | Promise<Store & AsyncDisposable>,
  schemaOf: SchemaOf,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(models, models, async (from, to) => {
      await using store = await make();
      const db = await store.open(from);
      for (const table of from.tables) {
        for (const id of ['1', '2']) {
          const row = rowOf(table, id);
          const kept = table.columns.map((one) => [one.name, toDatabase(store.engine, one, row[one.name])]);
          await db.insertInto(table.name).values(Object.fromEntries(kept)).execute();
        }
      }
      const { refusals, isApplied } = await store.migrate(to, { apply: true, allowLoss: true });
      // A text that becomes a foreign key is no key of a row, and rows that get the same default are not unique.
      if (refusals.length > 0) {
        for (const refusal of refusals) expect(refusal).toMatch(/^rows of \w would refer by/);
        expect(isApplied).toBe(false);
        expect((await store.migrate(from)).steps).toEqual([]);
        return;
      }
      expect(isApplied).toBe(true);
      expect((await store.migrate(to)).steps).toEqual([]);
      await using fresh = await make();
      await fresh.open(to);
      expect(await schemaOf(store, to)).toEqual(await schemaOf(fresh, to));
      for (const table of to.tables) {
        const old = from.tables.find(({ name }) => name === table.name);
        if (old === undefined) continue;
        const rows = await db.selectFrom(table.name).selectAll().orderBy('id').execute();
        expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
        const before = rowOf(old, '1');
        const after = fromDatabase(store.engine, table, rows[0] ?? {});
        for (const { name, kind, references } of table.columns) {
          const same = old.columns.find((one) => one.name === name);
          if (same?.kind === kind && references === undefined && same.references === undefined)
            expect(after[name]).toEqual(kind === 'long' ? String(before[name]) : before[name]);
        }
      }
    }),
    { numRuns },
  );
}
