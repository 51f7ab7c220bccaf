import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatTopology } from '../../src/compiler/format/format-topology.js';
import { codeBlocks } from './markdown.js';

const blocks = codeBlocks(readFileSync('docs/formatting.md', 'utf8')).filter(({ language }) => language === 'gg');

describe('the page about formatting', () => {
  it('shows a formatted file, and the error of a file that cannot be formatted', () => {
    const before = blocks.find(({ info }) => info === 'before')?.text ?? '';
    const after = blocks.find(({ info }) => info === 'after')?.text ?? '';
    const [found] = formatTopology({ name: 'a.gg', text: before }).diagnostics;
    expect(found?.code).toBe('GG1008');
    const whole = before.split('\n').slice(0, -1).join('\n');
    expect(formatTopology({ name: 'a.gg', text: whole }).value).toBe(`${after}\n`);
  });

  it.each(blocks.filter(({ info }) => info === '').map(({ line, text }) => [line, text] as const))(
    'shows formatted text in line %i',
    (_, text) => {
      expect(formatTopology({ name: 'a.gg', text })).toEqual({ value: `${text}\n`, diagnostics: [] });
    },
  );
});
