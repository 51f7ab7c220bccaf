import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { start } from '../../../docs/deployed.js';
import { freePort } from '../../../free-port.js';
import { packProgram, program } from '../build-program.js';
import { directoryWith } from '../stand-in-io.js';

// A new project with the packages that it asks for, as a new user makes it.

let folder = '';
/** The next steps that `init` has printed. */
let steps: readonly string[] = [];
let project = '';

beforeAll(() => {
  folder = directoryWith();
  const packed = packProgram(folder);
  const printed = execFileSync(process.execPath, [program, 'init', 'my-api'], {
    cwd: folder,
    encoding: 'utf8',
  });
  steps = (/Next:\n((?: {2}.*\n)+)/.exec(printed)?.[1] ?? '').split('\n').map((line) => line.trim());
  project = join(folder, 'my-api');
  // In place of the registry.
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  manifest.dependencies['gg-svc'] = `file:../${packed}`;
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
});

const run = (...args: string[]) => execFileSync('npm', args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });

test('following the printed steps of init gives a running API', async () => {
  expect(steps.slice(0, 3)).toEqual(['cd my-api', 'npm install', 'npm run dev']);
  run('install', '--prefer-offline', '--no-audit', '--no-fund');
  const PORT = String(await freePort());
  const dev = start('npm', ['run', 'dev'], project, { PORT, HOST: '' });
  await expect.poll(dev.said).toContain('Ctrl+C');
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/listTasks`);
  expect(await answer.json()).toEqual([{ id: '1', title: 'Try the API', done: false }]);
  const startPage = await (await fetch(`http://127.0.0.1:${PORT}/`)).text();
  expect(startPage).toContain('listTasks');
});

test('the scripts of a new project pass, with every setting of the project file', () => {
  const path = join(project, 'gg-svc.config.mjs');
  const settings = readFileSync(path, 'utf8').replaceAll(/^( +)\/\/ (\w+: .*,)$/gm, '$1$2');
  writeFileSync(path, settings);
  run('run', 'check');
  expect(run('run', 'build')).toContain('wrote out/openapi.json');
  writeFileSync(path, settings.replace('server: {', 'server: { prot: 1,'));
  expect(() => run('run', 'check')).toThrow('prot');
});

// The older Node of the tests does not run TypeScript; the promised one does.
test.runIf(process.features.typescript)('the scripts of a new project in TypeScript pass', () => {
  execFileSync(process.execPath, [program, 'init', 'my-ts', '--ts'], { cwd: folder });
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  project = join(folder, 'my-ts');
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  manifest.dependencies['gg-svc'] = dependencies['gg-svc'];
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  run('install', '--prefer-offline', '--no-audit', '--no-fund');
  run('run', 'check');
  expect(run('test')).toMatch(/pass 2\n.* 0 failed/s);
});
