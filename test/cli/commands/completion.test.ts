import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/cli/commands.js';
import { runCli } from '../stand-in-io.js';

const shells = ['bash', 'zsh', 'fish'];

describe.each(shells)('gg-svc completion %s', (shell) => {
  test('names every command, its options and their values', async () => {
    const { code, stdout, stderr } = await runCli(['completion', shell]);
    expect([code, stderr]).toEqual([0, '']);
    const paths = commands.flatMap((entry) => {
      const [name = ''] = entry.usage.split(' ');
      const inner = 'commands' in entry ? entry.commands.map(({ usage }) => usage.split(' ')[0] ?? '') : [];
      return [[name], ...inner.map((each) => [name, each])];
    });
    for (const path of paths) {
      const help = await runCli([...path, '--help']);
      const flags = [...help.stdout.matchAll(/^ {2}(?:(-\w), )?--([\w-]+)/gm)];
      expect(flags.length).toBeGreaterThan(0);
      const lists = help.stdout.replace(/\s+/g, ' ').matchAll(/\(choices: ((?:"[^"]*"(?:, )?)+)/g);
      const choices = [...lists].flatMap(([, list = '']) => list.match(/[^", ]+/g) ?? []);
      for (const word of [...path, ...flags.flatMap(([, , long]) => [long]), ...choices]) {
        expect(stdout).toContain(word);
      }
    }
  });
});

test('an unknown shell is refused with the known ones', async () => {
  const { code, stdout, stderr } = await runCli(['completion', 'tcsh']);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
  expect([code, stdout]).toEqual([2, '']);
});
