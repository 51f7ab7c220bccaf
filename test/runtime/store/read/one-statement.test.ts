import { test } from 'vitest';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { noSqlite } from '../engines.js';
import { checkOneStatement } from './one-statement.js';

test.skipIf(noSqlite)('one statement of SQLite gives what a statement for each level gives', () =>
  checkOneStatement(12, async () => sqliteStore({ file: ':memory:' })),
);
