import { test } from 'vitest';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { noSqlite } from '../engines.js';
import { checkReads } from './random-reads.js';

test.skipIf(noSqlite)('random reads of random tables in SQLite give what a plain search gives', () =>
  checkReads(async () => sqliteStore({ file: ':memory:' }), { numRuns: 9 }),
);
