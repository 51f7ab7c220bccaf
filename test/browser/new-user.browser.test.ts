import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../docs/deployed.js';
import { freePort } from '../free-port.js';
import { packProgram } from '../tools/cli/build-program.js';
import { directoryWith } from '../tools/cli/stand-in-io.js';
import { openPage } from './browser.js';

// The way of a new user: the packed package in an empty folder, a project, and its studio.

test('a new user gets from an empty folder to a live edge in the studio', async () => {
  const folder = directoryWith({ 'package.json': '{}' });
  const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

  npm(folder, ...install, packProgram(folder));
  const printed = npm(folder, 'exec', '--no', '--', 'gg-svc', 'init', 'my-api');
  const steps = /Next:\n((?: {2}.*\n)+)/.exec(printed)?.[1]?.trim().split(/\n +/);
  expect(steps).toEqual(['cd my-api', 'npm install', 'npm run dev']);
  expect(printed).toContain('Then open the studio at http://127.0.0.1:4000/_gg/');

  const project = join(folder, 'my-api');
  npm(project, ...install);
  const port = await freePort();
  const dev = start('npm', ['run', 'dev'], project, { PORT: String(port), HOST: '', NO_COLOR: '1' });
  await expect.poll(dev.said).toContain(`  Studio      http://127.0.0.1:${port}/_gg/`);
  await expect.poll(dev.said).toContain('Ctrl+C');

  const [command = ''] = /(?<=^ {2})curl .*$/m.exec(dev.said()) ?? [];
  const page = await openPage(`http://127.0.0.1:${port}/_gg/`);
  const edge = page.getByRole('button', { name: /^PROCESS readTask/ });
  await edge.waitFor();
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: 'pipe' })).toContain('Try the API');
  await page.getByRole('button', { name: /^PROCESS readTask 1\/min/ }).waitFor();

  const topology = join(project, 'service.gg');
  writeFileSync(topology, `${readFileSync(topology, 'utf8')}(root)-[:PROCESS]->(hello { text: 'Hello' })\n`);
  await page.getByRole('button', { name: /^PROCESS hello/ }).waitFor();
});
