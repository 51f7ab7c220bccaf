// Counts the publishers that wait for locks on PostgreSQL at 1, 4 and 16 partitions: `npm run bench:partitions`. It needs PostgreSQL.
//
//   --quick   fewer events, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../../programs/bundle.mjs';

await withProgramFolder('partitions', async (folder) => {
  await bundlePrograms(['test/bench/fan-out/partition-bench.ts'], folder);
  const report = fileURLToPath(new URL('REPORT-PARTITIONS.md', import.meta.url));
  process.exitCode = runNode([join(folder, 'partition-bench.mjs'), `--report=${report}`, ...process.argv.slice(2)]);
});
