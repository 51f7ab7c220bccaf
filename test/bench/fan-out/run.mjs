// Bundles the server and the client, and lets one measure the other: `npm run bench:fan-out`.
//
//   --quick   fewer rounds

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
// Inside node_modules, where the names of packages mean the same as in src.
const outdir = mkdtempSync(join(root, 'node_modules/.cache/gg-svc-fan-out-'));

try {
  await build({
    entryPoints: ['server', 'bench'].map((name) => join(root, 'test/bench/fan-out', `${name}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
  const node = [
    process.execPath,
    join(outdir, 'bench.mjs'),
    `--server=${join(outdir, 'server.mjs')}`,
    ...(pinned ? ['--server-processor=1'] : []),
    ...process.argv.slice(2),
  ];
  const [program, ...args] = pinned ? ['taskset', '--cpu-list', '0', ...node] : node;
  const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' };
  process.exitCode = spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
