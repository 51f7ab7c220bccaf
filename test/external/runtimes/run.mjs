// Runs a server of the packed package on Bun, Deno and workerd: `npm run external:runtimes`. It needs the built
// package, and installs it and the runtimes beside itself.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];

// The packages are those for one platform; elsewhere there is nothing to run.
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log(`The runtimes are installed for Linux on x64, not for ${process.platform} on ${process.arch}.`);
  process.exit(1);
}
if (!existsSync(`${here}node_modules`)) run('npm', ['ci', ...quiet]);
mkdirSync(`${here}node_modules/.work`, { recursive: true });
// Without scripts: `prepare` would build once more.
const pack = ['pack', '--ignore-scripts', '--json', `--pack-destination=${here}node_modules/.work`];
const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
run('npm', ['install', '--no-save', ...quiet, `${here}node_modules/.work/${filename}`]);
run(process.execPath, ['--test', '--test-concurrency=1', '--test-timeout=600000', 'runtimes.test.mjs']);
