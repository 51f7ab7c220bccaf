// Bundles the benchmark of the language server and the program that it talks to, and runs it:
// `npm run bench:lsp`.
//
//   --quick   fewer rounds

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Inside node_modules, where the names of packages mean the same as in src, and as deep in the repository as
// `dist/cli`, so that the program finds its pages and its version.
const outdir = mkdtempSync(join(root, 'node_modules/.gg-svc-bench-lsp-'));

try {
  await build({
    entryPoints: [join(root, 'test/bench/language-server/bench.ts'), join(root, 'src/cli/gg-svc.ts')],
    entryNames: '[name]',
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
    '--expose-gc',
    join(outdir, 'bench.mjs'),
    `--program=${join(outdir, 'gg-svc.mjs')}`,
    `--report=${join(root, 'test/bench/REPORT-LSP.md')}`,
    ...process.argv.slice(2),
  ];
  // The server has the other processor.
  const [program, ...args] = pinned ? ['taskset', '--cpu-list', '0', ...node, '--server-processor=1'] : node;
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
