import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/compiler/analyze.js';
import { directoryWith, runCli } from '../tools/cli/stand-in-io.js';
import { codeBlocks } from './markdown.js';

describe('docs/mistakes.md', () => {
  const all = codeBlocks(readFileSync('docs/mistakes.md', 'utf8'));
  const block = (language: string) => all.find((one) => one.language === language)?.text ?? '';

  test('shows the actual output of the command', async () => {
    const directory = directoryWith({ 'hello.gg': `${block('gg')}\n` });
    const [command = '', ...shown] = block('console').split('\n');
    const { code, stdout, stderr } = await runCli(command.split(' ').slice(2), { directory });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${block('text')}\n`);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(shown.at(-1));
  });

  const rows = [...readFileSync('docs/mistakes.md', 'utf8').matchAll(/^\| `(.*?)` \| `(.*?)` \| \[(GG\d+)\]/gm)];

  test.each(rows.map(([, written = '', meant = '', code = '']) => [written, meant, code]))(
    'shows a mistake and its correction: %s, %s',
    (written, meant, code) => {
      const problemsOf = (text: string) =>
        analyze(`${text}\n(start)-[:PROCESS]->(end { x: 1 })`, { readImport: () => '(user { id: ID! })' })
          .diagnostics.filter(({ severity }) => severity !== 'information')
          .map((problem) => problem.code);
      expect(problemsOf(written)).toEqual([code]);
      expect(problemsOf(meant)).toEqual([]);
    },
  );

  test('lists the findings that strict mode makes errors', async () => {
    const directory = directoryWith({ 'hello.gg': `${block('gg')}\n` });
    const { code, stderr } = await runCli(['check', 'hello.gg', '--strict'], { directory });
    expect(code).toBe(1);
    expect(stderr).toMatch(/3 errors in 1 file/);
  });
});
