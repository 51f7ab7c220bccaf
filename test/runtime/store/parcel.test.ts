import { test } from 'vitest';
import { sqliteStore } from '../../../src/runtime/store/sqlite.js';
import { noSqlite } from './engines.js';
import { checkParcel } from './parcel-cases.js';

test.skipIf(noSqlite)('the parcel example answers all of its operations from SQLite', async () => {
  await checkParcel(sqliteStore({ file: ':memory:' }));
});
