// Bundles the client, and lets it load the built `gg-svc dev`: `npm run build && npm run bench:studio`.
//
//   --quick   fewer and shorter rounds, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, twoProcessors, withProgramFolder } from '../../programs/bundle.mjs';

await withProgramFolder('studio', async (folder) => {
  await bundlePrograms(['test/bench/studio/bench.ts'], folder);
  const [client, server] = twoProcessors();
  const args = [
    join(folder, 'bench.mjs'),
    `--program=${fileURLToPath(new URL('../../../dist/tools/cli/gg-svc.js', import.meta.url))}`,
    `--folder=${folder}`,
    `--report=${fileURLToPath(new URL('REPORT-STUDIO.md', import.meta.url))}`,
  ];
  if (server !== undefined) args.push(`--server-processor=${server}`);
  process.exitCode = runNode([...args, ...process.argv.slice(2)], client);
});
