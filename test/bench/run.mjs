// Builds the package, bundles the benchmark and runs it: `npm run bench`.
//
//   --quick       fewer rounds, and no report
//   --report      a report all the same
//   --only a,b    these rows alone, and no report
//   --no-build    measures what `dist/` holds
//
// What is measured is the built package, as users get it; only the benchmark itself is TypeScript.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-bench-'));
const passed = process.argv.slice(2).filter((argument) => argument !== '--no-build');

try {
  if (passed.length === process.argv.length - 2) mustRun(process.execPath, [join(root, 'scripts/build.mjs')]);
  // The bundle and the files that TypeSpec compiles look their packages up from where they are.
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'junction');
  const bundle = join(scratch, 'bench.mjs');
  await build({
    entryPoints: [join(root, 'test/bench/bench.ts')],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [builtPackage()],
    logLevel: 'warning',
  });
  const cpu = lastProcessor();
  const args = [bundle, `--root=${root}`, `--scratch=${scratch}`, `--processors=${availableParallelism()}`];
  const node = [process.execPath, ...args, ...(cpu === undefined ? [] : ['--pinned']), ...passed];
  // Two sides that share one processor meet the same neighbours and the same caches.
  const [program, ...rest] = cpu === undefined ? node : ['taskset', '--cpu-list', cpu, ...node];
  mustRun(program, rest);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function mustRun(program, args) {
  // graphql-js checks more at run time unless it is told that this is production; that would flatter us.
  const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' };
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) {
    rmSync(scratch, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
}

/** The number of the last processor that this process may use, where one can be chosen. */
function lastProcessor() {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  try {
    const [, list] = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return list.split(/[,-]/).at(-1);
  } catch {
    return undefined;
  }
}

/** Reads `src/…` in the imports of the benchmark as the compiled file in `dist/`. */
function builtPackage() {
  return {
    name: 'built-package',
    setup({ onResolve }) {
      onResolve({ filter: /\/src\/.*\.js$/ }, ({ path, resolveDir }) => {
        const file = relative(join(root, 'src'), join(resolveDir, path));
        return { path: pathToFileURL(join(root, 'dist', file)).href, external: true };
      });
    },
  };
}
