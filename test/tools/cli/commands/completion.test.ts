import { describe, expect, test } from 'vitest';
import { commands } from '../../../../src/tools/cli/commands/registry.js';
import { runCli } from '../stand-in-io.js';

async function candidates(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runCli(['__complete', ...words]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] as string]));
}

const paths = commands.flatMap((entry) => {
  const [name = ''] = entry.usage.split(' ');
  const inner = 'commands' in entry ? entry.commands.map(({ usage }) => usage.split(' ')[0] ?? '') : [];
  return [[name], ...inner.map((each) => [name, each])];
});

describe('the candidates for shells', () => {
  test.each(paths.map((path) => path.join(' ')))('name gg-svc %s, its options and their values', async (name) => {
    const path = name.split(' ');
    expect(await candidates(...path.slice(0, -1), '')).toContain(path.at(-1));
    const help = await runCli([...path, '--help']);
    const flags = [...help.stdout.matchAll(/^ {2}(?:(-\w), )?(--[\w-]+)/gm)];
    expect(flags.length).toBeGreaterThan(0);
    const offered = await candidates(...path, '-');
    for (const [, short, long] of flags) {
      expect(offered).toContain(long);
      if (short !== undefined) expect(offered).toContain(short);
    }
    for (const option of help.stdout.replace(/\n {3,}/g, ' ').split('\n')) {
      const [, flag = ''] = /(--[\w-]+) </.exec(option) ?? [];
      const [, list] = /\(choices: ((?:"[^"]*"(?:, )?)+)/.exec(option) ?? [];
      if (list !== undefined) expect(await candidates(...path, flag, '')).toEqual(list.match(/[^", ]+/g));
    }
  });

  test('are the values of an option in each way in which shells split --format=json', async () => {
    const formats = ['text', 'json', 'sarif', 'github'];
    expect(await candidates('check', '--format=j')).toEqual(formats);
    expect(await candidates('check', '--format', '=')).toEqual(formats);
    expect(await candidates('check', '--format', '=', 'j')).toEqual(formats);
  });

  test('mark places that accept files', async () => {
    expect(await candidates('check', '')).toEqual([':topology']);
    expect(await candidates('check', 'a.gg', '--config', '')).toEqual([':file']);
    expect(await candidates('build', '-o', '')).toEqual([':directory']);
    expect(await candidates('check', '--max-warnings', '')).toEqual([]);
  });
});

test.each(['bash', 'zsh', 'fish'])('gg-svc completion %s prints a script that asks the program', async (shell) => {
  const { code, stdout, stderr } = await runCli(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Written by: gg-svc completion ${shell}`);
  expect(stdout).toContain('__complete');
});

test('gg-svc completion rejects an unknown shell with the known ones', async () => {
  const { code, stdout, stderr } = await runCli(['completion', 'tcsh']);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
  expect([code, stdout]).toEqual([2, '']);
});
