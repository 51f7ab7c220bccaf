import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { StoreModel } from '../../../src/analysis/store/model.js';
import { sqliteStore } from '../../../src/runtime/store/sqlite.js';
import type { Store } from '../../../src/runtime/store/store.js';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import type { KilledMigration } from './killed-migration.js';
import type { SchemaOf } from './migrate-cases.js';

const databases = new WeakMap<Store, string>();

/** A store that ends with its scope, whose database {@link killerOf} finds. */
export function disposable(store: Store, database: string, end = async () => {}): Store & AsyncDisposable {
  const made = {
    ...store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await end();
    },
  };
  databases.set(made, database);
  return made;
}

/** The database of a store that {@link disposable} made. */
export const databaseOf = (store: Store): string => databases.get(store) ?? '';

export const newSqlite = (file: string) => disposable(sqliteStore({ file }), file);

/** The schema of SQLite. The order of columns says nothing. */
export const sqliteSchema: SchemaOf = async (store, model) => {
  const rows = await (await store.open(model))
    .selectFrom('sqlite_schema')
    .select(['sql'])
    .where('sql', 'is not', null)
    .where('name', '!=', 'gg_svc_store')
    .execute();
  return rows.map(({ sql }) => String(sql).split(/,?\n/).sort().join('\n')).sort();
};

/** Runs migrations in processes that kill themselves before a statement. */
export async function killerOf() {
  const folder = programFolder('killed-migration');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await bundlePrograms(['test/runtime/store/killed-migration.ts'], folder);
  return async (store: Store, model: StoreModel, at: number): Promise<boolean> => {
    const given: KilledMigration = { database: databaseOf(store), model, at };
    const program = ['--no-warnings', join(folder, 'killed-migration.mjs'), JSON.stringify(given)];
    const { signal, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    if (signal !== 'SIGKILL') expect(stderr).toMatch(/^$|rows of/);
    return signal === 'SIGKILL';
  };
}
