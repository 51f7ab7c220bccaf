import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackDebian } from './programs.js';
import { createProject, documented } from './project.js';

// Helix with the set-up of docs/editors.md, in a terminal of tmux. The tests are one session of a user: each goes on
// where the one before it ended.

let folder = '';
let file = '';
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  const { command, folder: files } = unpackDebian('forky', ['hx']);
  const project = createProject();
  ({ folder, file } = project);
  const config = join(project.home, '.config/helix');
  const bin = join(folder, 'bin');
  for (const path of [config, bin]) mkdirSync(path, { recursive: true });
  writeFileSync(join(bin, 'hx'), `#!/bin/sh\nexec ${command('hx').join(' ')} "$@"\n`);
  chmodSync(join(bin, 'hx'), 0o755);
  const grammar = join(folder, 'project/node_modules/gg-svc/editors/tree-sitter-gg');
  cpSync('editors/tree-sitter-gg', grammar, { recursive: true });
  const [languages = ''] = documented('Helix', 'toml');
  writeFileSync(
    join(config, 'languages.toml'),
    languages.replace('/path/to/project/node_modules/gg-svc/editors/tree-sitter-gg', grammar),
  );
  env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: project.home,
    HELIX_RUNTIME: join(files, 'usr/lib/hx/runtime'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  };
  const [build = ''] = documented('Helix', 'console');
  const cwd = join(folder, 'project');
  const built = spawnSync('bash', ['-ec', build.replace(/^\$ /gm, '')], { cwd, env, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  tmux('new-session', '-d', '-x', '140', '-y', '30', '-c', cwd, 'hx', file);
});
afterAll(() => {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
});

function tmux(...args: readonly string[]): string {
  return execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], {
    env,
    encoding: 'utf8',
  });
}

const screen = () => tmux('capture-pane', '-p');
const press = (...keys: readonly string[]) => void tmux('send-keys', ...keys);
const type = (text: string) => void tmux('send-keys', '-l', text);
/** Expects something that becomes true within the time that the editor needs. */
const soon = <T>(read: () => T) => expect.poll(read);
/** Closes the list of completions and goes to the normal mode. Escape and a key read at once would be Alt and that key. */
async function leaveInsertMode(): Promise<void> {
  press('Escape');
  await soon(screen).not.toMatch(/FOLD.*FORK/s);
  if (/\bINS\b/.test(screen())) press('Escape');
  await soon(screen).toMatch(/\bNOR\b/);
}

describe('Helix with the documented set-up', () => {
  test('finds the language server, the grammar and its queries', () => {
    const health = execFileSync('hx', ['--health', 'gg'], { env, encoding: 'utf8' });
    const plain = stripVTControlCharacters(health);
    expect(plain).toMatch(/✓ gg-svc: .*npx/);
    expect(plain).toMatch(/Tree-sitter parser: ✓/);
    expect(plain).toContain('Highlight queries: ✓');
    expect(plain).toContain('Indent queries: ✓');
  });

  test('shows the findings of the language server', async () => {
    await soon(screen).toContain('PROCES');
    press('j');
    await soon(screen).toContain('Did you mean PROCESS?');
  });

  test('applies a fix', async () => {
    type('gg');
    type('j');
    type('8l');
    press('Space');
    type('a');
    await soon(screen).toContain('Write PROCESS');
    press('Enter');
    await soon(screen).toContain('(root)-[:PROCESS { id: ID! }]');
  });

  test('renames a node and the types of fields', async () => {
    type('gg');
    type('j');
    type('gh');
    type('35l');
    press('Space');
    type('r');
    await soon(screen).toContain('rename-to:');
    press('C-u');
    type('person');
    press('Enter');
    await soon(screen).toContain('lead: Person!');
  });

  test('completes edge types', async () => {
    type('ge');
    type('o');
    type('(root)-[:');
    await soon(screen).toMatch(/FOLD.*FORK/s);
    await leaveInsertMode();
    type('xd');
  });

  test('formats on save', async () => {
    type(':w');
    press('Enter');
    await soon(() => readFileSync(file, 'utf8')).toBe(
      `/// Reads a person.
(root)-[:PROCESS { id: ID! }]->(person: Record { id: ID!, name: String! })
(root)-[:PROCESS]->(team { lead: Person! })
`,
    );
  });
});
