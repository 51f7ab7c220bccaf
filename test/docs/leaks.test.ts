import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/compiler/analyze.js';
import { codeBlocks } from './markdown.js';

const page = readFileSync('docs/leaks.md', 'utf8');
const examples = codeBlocks(page).filter(({ language, info }) => language === 'gg' && info.startsWith('leak '));

describe('docs/leaks.md', () => {
  it.each(examples.map(({ text, info, line }) => [line, info.slice('leak '.length), text] as const))(
    'line %i shows %s with its path',
    (line, code, text) => {
      const errors = analyze(text).diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors.map((finding) => finding.code)).toEqual([code]);
      const below = page
        .split('\n')
        .slice(line - 1)
        .join('\n');
      const [, path] = /^\[GG\d+\]\(.*\): `(.*)`$/m.exec(below.split('\n###')[0] as string) ?? [];
      if (code !== 'GG3083') expect(errors[0]?.message).toContain(`: ${path}.`);
    },
  );

  it('has an example of each leak that the compiler reports', () => {
    const shown = new Set(examples.map(({ info }) => info));
    const codes = ['GG3080', 'GG3081', 'GG3082', 'GG3083', 'GG3084', 'GG3085', 'GG3086'];
    expect([...shown].sort()).toEqual(codes.map((code) => `leak ${code}`));
  });
});
