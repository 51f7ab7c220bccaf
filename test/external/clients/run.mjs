// Calls a live server with clients that other tools generate out of its exports, and with the common
// clients of GraphQL: `npm run external:clients`. It needs the built program, and installs the rest beside
// itself.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(`${here}node_modules`)) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
const files = readdirSync(here).filter((file) => file.endsWith('.test.mjs'));
run(process.execPath, ['--test', '--test-concurrency=1', '--test-timeout=600000', ...files]);
