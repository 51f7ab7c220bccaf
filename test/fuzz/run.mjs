// Bundles the fuzzer and runs it, in a process of its own: `npm run fuzz`.
//
//   --count=50000   so many texts instead of a million, and no report
//   --from=7        the first text

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../programs/bundle.mjs';

const args = process.argv.slice(2);
await withProgramFolder('fuzz', async (folder) => {
  await bundlePrograms(['test/fuzz/main.ts'], folder);
  if (args.length === 0) args.push(`--report=${fileURLToPath(new URL('REPORT.md', import.meta.url))}`);
  process.exitCode = runNode([join(folder, 'main.mjs'), ...args]);
});
