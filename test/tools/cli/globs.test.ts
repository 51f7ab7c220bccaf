import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../../src/tools/cli/commands/registry.js';
import { git, repositoryWith } from './git-repository.js';
import { type RunResult, runCli } from './stand-in-io.js';

const topology = '(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String })\n';
const broken = '(root)-[:PROCESS]->(user\n';

/** Each names service.gg alone, and is not the name of a file. */
const globs = ['service.g[g]', 'servic?.gg', 's*.gg', '{service,other}.gg', '@(service).gg', '[s-s]ervice.gg'];

/** A repository whose last commit has one field less. */
function repository(text: string): string {
  const directory = repositoryWith({ 'service.gg': topology.replace(', name: String', ''), 'a.txt': '' });
  writeFileSync(join(directory, 'service.gg'), text);
  return directory;
}

/** How each command is called with a file; those that keep running are given a topology with an error. */
const calls: Readonly<Record<string, (file: string) => Promise<RunResult>>> = {
  build: (file) => run(topology, 'build', file, '-o', 'out'),
  check: (file) => run(topology.replace('name: String', 'name: Strin'), 'check', file),
  dev: (file) => run(broken, 'dev', file, '--port', '0'),
  diff: (file) => run(topology, 'diff', 'main', file),
  docs: (file) => run(topology, 'docs', file, '-o', 'out'),
  drill: (file) => run(broken, 'drill', file, '--broker', 'redis://127.0.0.1:1'),
  explain: (file) => run(topology, 'explain', 'Query.user', file),
  fmt: (file) => run(topology.replace('{ id', '{id'), 'fmt', '--check', file),
  graph: (file) => run(topology, 'graph', file),
  mcp: (file) => run(broken, 'mcp', file),
  seed: (file) => run(broken, 'seed', file),
  serve: (file) => run(broken, 'serve', file, '--port', '0'),
  test: (file) => run(topology, 'test', file),
  types: (file) => run(topology, 'types', file),
};

async function run(text: string, ...args: string[]): Promise<RunResult> {
  const directory = repository(text);
  const { code, stdout, stderr } = await runCli(args, {
    directory,
    onStop: (stop) => {
      if (args[0] === 'dev') setImmediate(stop);
      return () => undefined;
    },
  });
  const named = (output: string) => output.replaceAll(directory, '').replace(/127\.0\.0\.1:\d+/, '');
  return { code, stdout: named(stdout), stderr: named(stderr) };
}

test('every command that takes files is in the table', () => {
  const taking = commands.filter(({ usage }) => /\b(?:files|operands|workflows|what)\.\.\./.test(usage));
  expect(Object.keys(calls).sort()).toEqual(taking.map(({ usage }) => usage.split(' ')[0]).sort());
});

test.each(Object.keys(calls))('gg-svc %s expands any glob to the matching files', async (command) => {
  const call = calls[command] as (file: string) => Promise<RunResult>;
  const expected = await call('service.gg');
  expect(expected.stdout + expected.stderr).not.toMatch(/GG400[15]/);
  for (const glob of globs) expect([glob, await call(glob)]).toEqual([glob, expected]);
});

test('the names of revisions are not globs', async () => {
  for (const revision of ['main@{0}', 'main^{commit}', 'HEAD~0']) {
    const { code, stdout } = await run(topology, 'diff', revision, 'service.gg');
    expect([revision, code, stdout]).toEqual([revision, 0, expect.stringContaining('User.name')]);
  }
});

test('a branch may have parentheses in its name', async () => {
  const directory = repository(topology);
  git(directory, 'branch', 'fix(api)');
  for (const args of [['fix(api)'], ['fix(api)', 'service.gg'], ['fix(api)..main']]) {
    expect([args, (await runCli(['diff', ...args], { directory })).stderr]).toEqual([args, '']);
  }
});

test('globs match the same files in a revision and in the working tree', async () => {
  const directory = repository(topology);
  for (const glob of ['{service,x}.gg', '@(service|x).gg', '**/service.gg', './*.g[g]']) {
    const { stdout } = await runCli(['diff', 'HEAD', glob], { directory });
    expect([glob, stdout]).toEqual([glob, expect.stringContaining('HEAD:service.gg:1:33')]);
  }
});
