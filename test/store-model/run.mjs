// Bundles the model test of the store and runs it, in a process of its own: `npm run store:model`.
//
//   --count=5000       so many operations of each engine instead of 100,000, and no report
//   --engine=sqlite    one engine; the report keeps the row of the other one
//   --seed=7           the first seed
//
// `PAIRS=200 npx vitest run --project=long test/runtime/store/migrate.long.test.ts` does the same for migrations of
// PostgreSQL, and writes `MIGRATIONS.md`.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../programs/bundle.mjs';

const args = process.argv.slice(2);
await withProgramFolder('store-model', async (folder) => {
  await bundlePrograms(['test/store-model/main.ts'], folder);
  if (!args.some((one) => one.startsWith('--count')))
    args.push(`--report=${fileURLToPath(new URL('REPORT.md', import.meta.url))}`);
  process.exitCode = runNode(['--no-warnings', join(folder, 'main.mjs'), ...args]);
});
