// Runs the integration test suite of Apollo Server against our Express and Fastify hosts:
// `npm run external:apollo`. It installs what it needs beside itself, translates the hosts, and counts.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(`${here}node_modules`)) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
await build({
  stdin: {
    contents: `export { createAlphaExpressMiddleware } from '../../../src/runtime/hosts/express.ts';
               export { createAlphaFastifyPlugin } from '../../../src/runtime/hosts/fastify.ts';`,
    resolveDir: here,
  },
  outfile: `${here}node_modules/.build/hosts.mjs`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
});
run(process.execPath, [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  ...process.argv.slice(2),
]);
