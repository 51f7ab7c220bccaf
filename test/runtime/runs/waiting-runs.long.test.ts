import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundlePrograms, withProgramFolder } from '../../programs/bundle.mjs';
import { noSqlite } from '../store/engines.js';
import type { WaitingRuns } from './waiting-runs.js';

test.skipIf(noSqlite)('1,000 runs that wait need less than 50 MB', async () => {
  await withProgramFolder('waiting-runs', async (folder: string) => {
    await bundlePrograms(['test/runtime/runs/waiting-runs.ts'], folder);
    const given: WaitingRuns = { file: join(folder, 'runs.sqlite'), count: 1_000 };
    const program = ['--no-warnings', join(folder, 'waiting-runs.mjs'), JSON.stringify(given)];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    const { heap, rss } = JSON.parse(stdout) as { readonly heap: number; readonly rss: number };
    expect(heap).toBeLessThan(50_000_000);
    expect(rss).toBeLessThan(50_000_000);
  });
});
