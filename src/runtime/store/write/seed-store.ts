import { keysOf, type StoreModel } from '../../../analysis/store/model.js';
import { keyOfRow, type SeedPlan, type SeedRow, seedRows } from '../../../analysis/store/seed-rows.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { databaseOf } from '../database.js';
import type { Store } from '../store.js';
import { fromDatabase, toDatabase } from '../values.js';
import { insertAll } from './insert-rows.js';

/** The rows of a table after a seed. */
export interface Seeded {
  readonly table: string;
  /** The number of rows that were inserted; undefined if the table had rows already. */
  readonly inserted: number | undefined;
}

/**
 * Fills the empty tables of a store, in one transaction. Tables with rows keep them, and new rows may refer to those. If a
 * table can have no row, none gets any, unless the seed may be partial.
 *
 * @throws {StoreError} If the database is away, or not in step with the model.
 */
export async function seedStore(
  store: Pick<Store, 'engine' | 'open'>,
  schema: GqlSchema,
  model: StoreModel,
  { isPartial = false, ...plan }: Omit<SeedPlan, 'kept'> & { readonly isPartial?: boolean },
) {
  const { engine } = store;
  const database = databaseOf(await store.open(model));
  return database.transaction(async (session) => {
    const kept = new Map<string, readonly JsonValue[]>();
    for (const table of model.tables) {
      const { name } = table;
      const keys = [...keysOf(table)];
      const some = session.db.selectFrom(name).select(keys).limit(plan.rows);
      const rows = await session.run(keys.reduce((sorted, key) => sorted.orderBy(key), some).compile());
      if (rows.length > 0)
        kept.set(
          name,
          rows.map((row) => keyOfRow(table, fromDatabase(engine, table, row) as SeedRow)),
        );
    }
    const { tables, diagnostics } = seedRows(schema, model, { ...plan, kept });
    if (!isPartial && diagnostics.length > 0) return { seeded: [], diagnostics };
    const inserted = new Map<string, number>();
    for (const { table, rows } of tables) {
      const values = rows.map((row) =>
        Object.fromEntries(table.columns.map((column) => [column.name, toDatabase(engine, column, row[column.name])])),
      );
      await insertAll(session, table, values);
      inserted.set(table.name, rows.length);
    }
    const seeded = model.tables.map(({ name }): Seeded => ({ table: name, inserted: inserted.get(name) }));
    return { seeded, diagnostics };
  });
}
