import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { buildProgram, program } from '../../tools/cli/build-program.js';
import { directoryWith, repository } from '../../tools/cli/stand-in-io.js';
import { codeBlocks } from '../markdown.js';

// The hooks of this repository in pre-commit itself, which installs a package of npm: here one with the built program.

let hooks = '';
let home = '';
beforeAll(() => {
  buildProgram();
  home = directoryWith();
  const manifest = { name: 'gg-svc', version: '0.0.0', type: 'module', bin: { 'gg-svc': 'gg-svc.js' } };
  hooks = directoryWith({
    'package.json': JSON.stringify(manifest),
    'gg-svc.js': `#!/usr/bin/env node\nawait import(${JSON.stringify(program)});\n`,
  });
  copyFileSync(fileURLToPath(new URL('.pre-commit-hooks.yaml', repository)), join(hooks, '.pre-commit-hooks.yaml'));
  commit(hooks);
});

const formatted = '(root)-[:PROCESS]->(read_user { id: ID! })\n';

test('gg-check reports a mistake in the sources of the project file, whichever file changed', () => {
  const project = createProject({
    'main.gg': `${formatted}(a)-[:PROCESS]->(b\n`,
    'api.gg': formatted,
  });
  const { status, stdout } = run(project, 'gg-check');
  expect(stdout).toMatch(/gg-svc check\.+Failed/);
  expect(stdout).toContain('main.gg:2:');
  expect(status).toBe(1);
  writeFileSync(join(project, 'main.gg'), formatted);
  expect(run(project, 'gg-check').stdout).toMatch(/gg-svc check\.+Passed/);
});

test('gg-fmt formats the files of the commit, and fails once', () => {
  const name = 'two words.gg';
  const project = createProject({ 'main.gg': formatted, [name]: '(a  { x:Int })\n' });
  const first = run(project, 'gg-fmt');
  expect(first.stdout).toMatch(/gg-svc fmt\.+Failed/);
  expect(readFileSync(join(project, name), 'utf8')).toBe('(a { x: Int })\n');
  expect(run(project, 'gg-fmt').status).toBe(0);
});

test('the hooks of the page run the gg-svc of the project', () => {
  const blocks = codeBlocks(readFileSync(fileURLToPath(new URL('docs/ci.md', repository)), 'utf8'));
  const config = blocks.find(({ text }) => text.includes('repo: local'))?.text ?? '';
  const project = createProject({
    '.pre-commit-config.yaml': config,
    'main.gg': '(a)-[:PROCESS]->(b  { x: Int }\n',
    '.gitignore': 'node_modules',
  });
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(program, join(project, 'node_modules/.bin/gg-svc'));
  expect(run(project, 'gg-check').stdout).toMatch(/gg-svc check\.+Failed/);
  expect(run(project, 'gg-fmt').stdout).toMatch(/gg-svc fmt\.+Failed/);
  writeFileSync(join(project, 'main.gg'), formatted);
  expect(run(project, 'gg-check').stdout).toMatch(/gg-svc check\.+Passed/);
  expect(run(project, 'gg-fmt').stdout).toMatch(/gg-svc fmt\.+Passed/);
});

function createProject(files: Readonly<Record<string, string>>): string {
  const rev = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: hooks, encoding: 'utf8' }).trim();
  const config = { repos: [{ repo: hooks, rev, hooks: [{ id: 'gg-check' }, { id: 'gg-fmt' }] }] };
  const project = directoryWith({
    // JSON is YAML.
    '.pre-commit-config.yaml': JSON.stringify(config),
    'gg-svc.config.json': '{ "sources": ["main.gg"] }',
    ...files,
  });
  commit(project);
  return project;
}

function run(project: string, hook: string): { readonly status: number | null; readonly stdout: string } {
  execFileSync('git', ['add', '-A'], { cwd: project });
  const env = { ...process.env, PRE_COMMIT_HOME: home };
  return spawnSync('pre-commit', ['run', '--all-files', hook], { cwd: project, encoding: 'utf8', env });
}

function commit(directory: string): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'change'],
  ]) {
    execFileSync('git', [...identity, ...args], { cwd: directory });
  }
}
