// Bundles the servers and the client, and lets one load the other: `npm run bench:store`.
//
//   --quick      fewer and shorter rounds, and no report
//   --only       the rows whose title contains a text, and no report
//   --minutes    about how long it may take; default 20
//   --no-peers   without PostGraphile, which is otherwise installed into `node_modules/.cache`

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, twoProcessors, withProgramFolder } from '../../programs/bundle.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const peers = join(root, 'node_modules/.cache/gg-svc-bench-peers');
const postgraphile = '5.1.5';

if (!process.argv.includes('--no-peers') && !existsSync(join(peers, 'node_modules/postgraphile'))) {
  mkdirSync(peers, { recursive: true });
  writeFileSync(join(peers, 'package.json'), '{"private":true}');
  const install = ['install', '--no-audit', '--no-fund', `postgraphile@${postgraphile}`];
  spawnSync('npm', install, { cwd: peers, stdio: 'inherit' });
}

await withProgramFolder('store', async (folder) => {
  await bundlePrograms(['test/bench/store/bench.ts', 'test/bench/store/server.ts'], folder);
  const [client, server] = twoProcessors();
  const args = [join(folder, 'bench.mjs'), `--root=${root}`, `--server=${join(folder, 'server.mjs')}`];
  if (server !== undefined) args.push(`--server-processor=${server}`);
  const passed = process.argv.slice(2).filter((argument) => argument !== '--no-peers');
  process.env.BENCH_PEERS = peers;
  process.exitCode = runNode([...args, ...passed], client);
});
