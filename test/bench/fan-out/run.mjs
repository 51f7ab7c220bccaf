// Bundles the server and the client, and lets one measure the other: `npm run bench:fan-out`.
//
//   --quick   fewer rounds, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, twoProcessors, withProgramFolder } from '../../programs/bundle.mjs';

await withProgramFolder('fan-out', async (folder) => {
  await bundlePrograms(['test/bench/fan-out/server.ts', 'test/bench/fan-out/bench.ts'], folder);
  const [clients, servers] = twoProcessors();
  const report = fileURLToPath(new URL('REPORT.md', import.meta.url));
  const args = [join(folder, 'bench.mjs'), `--server=${join(folder, 'server.mjs')}`, `--report=${report}`];
  if (servers !== undefined) args.push(`--server-processor=${servers}`);
  process.exitCode = runNode([...args, ...process.argv.slice(2)], clients);
});
