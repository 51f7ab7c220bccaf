import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSqliteFile } from '../../../../src/runtime/store/read-database.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { noSqlite } from '../engines.js';
import { checkImports, modelOfImport } from './import-cases.js';

const directory = mkdtempSync(join(tmpdir(), 'gg-svc-catalog-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(directory, `${files++}.sqlite`);

async function fileWith(sql: string): Promise<string> {
  const file = newFile();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
}

describe.skipIf(noSqlite)('an imported SQLite database', () => {
  test('needs no step to its topology, for random models', async () => {
    await checkImports(async () => {
      const file = newFile();
      const store = sqliteStore({ file });
      return { store, read: () => readSqliteFile(file), [Symbol.asyncDispose]: () => store.close() };
    }, 40);
  }, 60_000);

  test('is adopted by a migration, and not by a server', async () => {
    const file = await fileWith(`
CREATE TABLE author (id TEXT PRIMARY KEY, name VARCHAR(80) NOT NULL);
CREATE TABLE book (id INTEGER PRIMARY KEY, ok BOOLEAN CHECK (ok IN (0, 1)), author_id TEXT REFERENCES author);
CREATE INDEX book_author ON book (author_id);
INSERT INTO author VALUES ('a', 'Ada');
`);
    const model = modelOfImport(await readSqliteFile(file));
    const store = sqliteStore({ file, migrated: () => undefined });
    await expect(store.open(model)).rejects.toThrow('not in step');
    expect(await store.migrate(model)).toMatchObject({ steps: [], adopts: ['author', 'book'] });
    expect(await store.migrate(model, { apply: true })).toMatchObject({ isApplied: true, version: 1 });
    const db = await store.open(model);
    expect(await db.selectFrom('author').selectAll().execute()).toEqual([{ id: 'a', name: 'Ada' }]);
    await store.close();
  });
});
