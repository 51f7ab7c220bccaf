// Measures the brokers of events over two processes: `npm run bench:brokers`. It needs their servers (see .ci/run).
//
//   --quick   fewer events, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, withProgramFolder } from '../../programs/bundle.mjs';

await withProgramFolder('brokers', async (folder) => {
  await bundlePrograms(['test/bench/fan-out/broker-bench.ts', 'test/bench/fan-out/broker-process.ts'], folder);
  const report = fileURLToPath(new URL('REPORT-BROKERS.md', import.meta.url));
  const program = `--program=${join(folder, 'broker-process.mjs')}`;
  process.exitCode = runNode([
    join(folder, 'broker-bench.mjs'),
    program,
    `--report=${report}`,
    ...process.argv.slice(2),
  ]);
});
