// Starts the programs of this folder on their runtimes.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const bun = `${here}node_modules/@oven/bun-linux-x64-baseline/bin/bun`;
const deno = `${here}node_modules/@deno/linux-x64-glibc/deno`;
const workerd = `${here}node_modules/@cloudflare/workerd-linux-64/bin/workerd`;
const permissions = ['--allow-net', '--allow-read', '--allow-env', '--allow-sys'];

/** How to start each runtime. */
export const runtimes = {
  Bun: { fetch: [bun, 'run', 'fetch-bun.mjs'], http: [bun, 'run', 'node-http.mjs'] },
  Deno: {
    fetch: [deno, 'run', ...permissions, 'fetch-deno.mjs'],
    http: [deno, 'run', ...permissions, 'node-http.mjs'],
  },
  workerd: { fetch: [workerd, 'serve', '--control-fd=1', 'worker.capnp'], prepare: bundleWorker },
};

/** Starts a program. Gives the origins that it prints, and how to stop it. */
export async function start([command, ...args]) {
  const child = spawn(command, args, { cwd: here, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = await new Promise((resolve, reject) => {
    let said = '';
    const read = (chunk) => {
      said += chunk;
      if (/http:\/\/127\S+.*\n|"port":\d+/.test(said)) resolve(said);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', () => reject(new Error(said)));
  });
  const port = /"port":(\d+)/.exec(text)?.[1];
  const origins = port === undefined ? text.match(/http:\/\/127[^\s]+/g) : [`http://127.0.0.1:${port}`];
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const stop = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { origins, stop };
}

/** Bundles the worker as the tools for workers do. Packages that it does not use are left out. */
async function bundleWorker() {
  await build({
    absWorkingDir: here,
    entryPoints: ['worker.mjs'],
    outfile: 'node_modules/.work/worker.js',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    loader: { '.gg': 'text' },
    external: ['node:*'],
    logLevel: 'error',
    plugins: [{ name: 'optional', setup: leaveOptional }],
  });
}

function leaveOptional(building) {
  building.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...args }) => {
    if (pluginData === 'asked' || path.startsWith('node:') || args.kind === 'entry-point') return undefined;
    const found = await building.resolve(path, { ...args, pluginData: 'asked' });
    // Packages of the folders above are not installed here.
    const isInstalled = found.errors.length === 0 && (found.path.startsWith(here) || found.namespace !== 'file');
    return isInstalled ? found : { path, external: true };
  });
}
