// Bundles the measurement and runs it, in a process of its own: `npm run bench:federation`.
//
//   --quick     fewer rounds
//   --no-report measure, and leave the report as it is

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
// Inside node_modules, where the names of packages mean the same as in src.
const outdir = mkdtempSync(join(root, 'node_modules/.cache/gg-svc-federation-'));

try {
  await build({
    entryPoints: [join(root, 'test/bench/federation/bench.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  const args = [join(outdir, 'bench.mjs'), `--root=${root}`, ...process.argv.slice(2)];
  const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' };
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
