import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { noSqlite } from '../store/engines.js';
import { checkKilledServers, killedSqlite } from './kill-cases.js';

test.skipIf(noSqlite)(
  'runs of servers that are killed end in two others; each step of the store has run once, others at least once',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-killed-runs-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await checkKilledServers(await killedSqlite(directory), 3, ['printLabel']);
  },
);
