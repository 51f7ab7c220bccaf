import fc from 'fast-check';
import { expect } from 'vitest';
import { finishDraft } from '../../../../src/analysis/import/import-description.js';
import { draftOfModel } from '../../../../src/analysis/store/catalog/draft-of-model.js';
import type { CatalogModel } from '../../../../src/analysis/store/catalog/model-of-catalog.js';
import { findStoreProblems } from '../../../../src/analysis/store/findings.js';
import type { StoreModel } from '../../../../src/analysis/store/model.js';
import { storeModelOf } from '../../../../src/analysis/store/tables.js';
import { compile } from '../../../../src/compiler.js';
import type { Store } from '../../../../src/runtime/store/store.js';
import { models } from '../random-models.js';

/** A database of its own, with a way to read it as an import does. */
export interface ImportedDatabase extends AsyncDisposable {
  readonly store: Store;
  read(): Promise<CatalogModel>;
}

/** The tables of the topology that an import writes, which the store serves without a finding. */
export function modelOfImport(found: CatalogModel): StoreModel {
  const { value } = finishDraft(draftOfModel(found));
  const { schema } = compile({ name: 'imported.gg', source: value?.text ?? '' });
  expect(findStoreProblems(schema)).toEqual([]);
  return storeModelOf(schema).model;
}

/** A random model as a topology could have it: with names of types, and without limits of 64-bit integers. */
function asOfTopology(tables: StoreModel['tables']): StoreModel {
  return {
    tables: tables.map((table) => ({
      ...table,
      type: table.name.toUpperCase(),
      columns: table.columns.map(({ constraints, ...column }) =>
        constraints === undefined || column.kind === 'long' ? column : { ...column, constraints },
      ),
    })),
  };
}

/**
 * For random models: a migration of their database to the imported topology has no step, whether the import reads the
 * model that the store keeps, or the catalog alone, whose tables are adopted then.
 */
export async function checkImports(make: () => Promise<ImportedDatabase>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(models, async ({ tables }) => {
      const model = asOfTopology(tables);
      await using database = await make();
      const { store, read } = database;
      const db = await store.open(model);
      const kept = modelOfImport(await read());
      expect(await store.migrate(kept)).toMatchObject({ steps: [], refusals: [], version: 1 });
      await db.schema.dropTable('gg_svc_store').execute();
      const found = modelOfImport(await read());
      const adopts = model.tables.map(({ name }) => name).sort();
      expect(await store.migrate(found)).toMatchObject({ steps: [], refusals: [], version: 0, adopts });
      await expect(store.open({ tables: found.tables })).resolves.toBeDefined();
      expect(await store.migrate(found, { apply: true })).toMatchObject({
        steps: [],
        isApplied: true,
        version: 1,
      });
      expect(await store.migrate(kept)).toMatchObject({ refusals: [] });
      expect(await store.migrate(found)).toMatchObject({ steps: [], version: 1 });
    }),
    { numRuns },
  );
}
