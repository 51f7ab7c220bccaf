// Bundles the measurement and runs it, in a process of its own: `npm run bench:routes`.
//
//   --quick   fewer rounds, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../../programs/bundle.mjs';

await withProgramFolder('routes', async (folder) => {
  await bundlePrograms(['test/bench/routes/bench.ts'], folder);
  const report = fileURLToPath(new URL('REPORT.md', import.meta.url));
  process.exitCode = runNode([join(folder, 'bench.mjs'), `--report=${report}`, ...process.argv.slice(2)]);
});
