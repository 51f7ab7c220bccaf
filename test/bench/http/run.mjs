// Bundles the servers and the client, and lets one load the other: `npm run bench:http`.
//
//   --quick   fewer and shorter rounds, and no report
//   --rest    the rows of REST alone, and no report

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
// Inside node_modules, where the names of packages mean the same as in src.
const scratch = mkdtempSync(join(root, 'node_modules/.cache/gg-svc-http-'));

try {
  const traced = await bundle('server.ts', 'traced', []);
  const untraced = await bundle('server.ts', 'untraced', [withoutTracing()]);
  const client = await bundle('bench.ts', 'client', []);
  const [first, last] = processors();
  const args = [client, `--root=${root}`, `--traced=${traced}`, `--untraced=${untraced}`];
  if (last !== undefined) args.push(`--server-processor=${last}`);
  const node = [process.execPath, ...args, ...process.argv.slice(2)];
  const [program, ...rest] = last === undefined ? node : ['taskset', '--cpu-list', first, ...node];
  // graphql-js and Express check more unless they are told that this is production.
  const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' };
  process.exitCode = spawnSync(program, rest, { cwd: root, stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function bundle(entry, name, plugins) {
  const outdir = join(scratch, name);
  await build({
    entryPoints: [join(root, 'test/bench/http', entry)],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins,
    logLevel: 'warning',
  });
  return join(outdir, entry.replace('.ts', '.mjs'));
}

/** Puts in the place of tracing what a program without it would have. */
function withoutTracing() {
  const contents = `
    const span = new Proxy({}, { get: () => () => span });
    export const isTracing = () => false;
    export const withSvcSpan = (name, fn) => fn(span);
    export const withRemoteParent = (headers, fn) => fn();
    export const initSvcTracingFromEnv = () => {};
    export const svcTracer = {};`;
  return {
    name: 'without-tracing',
    setup({ onLoad }) {
      onLoad({ filter: /\/tracing\/svc-tracing\.ts$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}

/** Two processors that this process may use: the client's and the server's. */
function processors() {
  if (spawnSync('taskset', ['--version']).status !== 0) return [];
  try {
    const [, list] = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    const all = list.split(',').flatMap((range) => {
      const [from, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    });
    return all.length < 2 ? [] : [String(all.at(-2)), String(all.at(-1))];
  } catch {
    return [];
  }
}
