import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { noSqlite } from './engines.js';
import { checkKilledSqlite } from './kill-cases.js';

test.skipIf(noSqlite)(
  'a process of SQLite that is killed leaves as many rows as events and keys, and a repeat adds none',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-killed-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await checkKilledSqlite(directory, 60, 3);
  },
);
