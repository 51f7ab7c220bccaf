// Bundles the measurement and runs it, in a process of its own: `npm run bench:federation`.
//
//   --quick     fewer rounds
//   --no-report measure, and leave the report as it is

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../../programs/bundle.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

await withProgramFolder('federation', async (folder) => {
  await bundlePrograms(['test/bench/federation/bench.ts'], folder);
  process.exitCode = runNode([join(folder, 'bench.mjs'), `--root=${root}`, ...process.argv.slice(2)]);
});
