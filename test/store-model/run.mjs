// Bundles the model test of the store and runs it, in a process of its own: `npm run store:model`.
//
//   --count=5000       so many operations of each engine instead of 100,000, and no report
//   --engine=sqlite    one engine, and no report
//   --seed=7           the first seed

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../programs/bundle.mjs';

const args = process.argv.slice(2);
await withProgramFolder('store-model', async (folder) => {
  await bundlePrograms(['test/store-model/main.ts'], folder);
  if (args.length === 0) args.push(`--report=${fileURLToPath(new URL('REPORT.md', import.meta.url))}`);
  process.exitCode = runNode(['--no-warnings', join(folder, 'main.mjs'), ...args]);
});
