// Programs of the tests, the attacks and the benchmarks are TypeScript; these make files of them that Node
// runs, and run them on processors of their own.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles programs of the repository, each into `{its name}.mjs` of a folder, with what they share beside them. */
export async function bundlePrograms(programs, outdir, plugins = []) {
  await build({
    absWorkingDir: root,
    entryPoints: programs,
    entryNames: '[name]',
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.15',
    packages: 'external',
    plugins,
    logLevel: 'warning',
  });
}

/**
 * Copies the package as it would be installed, without its pages. It is built before, if it is older than its sources.
 *
 * @returns The folder of the package.
 */
export function copyPackage() {
  execFileSync(process.execPath, [join(root, 'scripts/ensure-built.mjs')], { stdio: 'inherit' });
  const folder = programFolder('package');
  const pages = join(root, 'dist/pages');
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: (path) => path !== pages });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  return folder;
}

/**
 * Makes a folder for programs. It is inside of node_modules, where the names of packages mean the same as in
 * src, and as deep in the repository as `dist/tools/cli`, so that the command line finds its pages and its version.
 */
export function programFolder(name) {
  const programs = join(root, 'node_modules/.gg-svc');
  mkdirSync(programs, { recursive: true });
  return mkdtempSync(join(programs, `${name}-`));
}

/** Does something with a folder for programs, and takes the folder away whatever comes of it. */
export async function withProgramFolder(name, work) {
  const folder = programFolder(name);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs Node on a processor, where one is given, and answers with its exit code. graphql-js and Express check
 * more at run time unless they are told that this is production.
 */
export function runNode(args, processor) {
  const node = [process.execPath, ...args];
  const [program, ...rest] = processor === undefined ? node : ['taskset', '--cpu-list', processor, ...node];
  const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' };
  return spawnSync(program, rest, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

/** The numbers of the processors that this process may use; none where a process cannot be bound to one. */
export function processors() {
  if (spawnSync('taskset', ['--version']).status !== 0) return [];
  try {
    const [, list] = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return list.split(',').flatMap((range) => {
      const [from, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
    });
  } catch {
    return [];
  }
}

/** Two processors: one for the side that measures and one for the side that is measured. None where there is one. */
export function twoProcessors() {
  const all = processors();
  return all.length < 2 ? [] : all.slice(-2);
}
