import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTopology } from '../../src/format/format-topology.js';
import { createSourceFile } from '../../src/source/source-file.js';
import { parse } from '../../src/syntax/parse.js';
import { commentedTopologies } from '../arbitraries/commented.js';
import { outline } from '../syntax/outline.js';

/** The formatted text, after a check that it says the same, keeps every comment and is formatted. */
function format(text: string): string {
  const source = createSourceFile('a.gg', text);
  const before = parse(source);
  const { value, diagnostics } = formatTopology(source);
  expect(diagnostics).toEqual([]);
  const after = parse(createSourceFile('b.gg', value));
  expect(outline(after.value), value).toEqual(outline(before.value));
  expect(commentsOf(value), value).toEqual(commentsOf(text));
  expect(formatTopology(createSourceFile('c.gg', value)).value).toBe(value);
  return value;
}

/** The comments of a text, without the blanks at the ends of their lines. */
function commentsOf(text: string): string[] {
  const { comments } = parse(createSourceFile('a.gg', text)).value;
  return comments.map(({ start, end }) => text.slice(start, end).replace(/\s*(\r\n?|\n|$)\s*/g, '\n'));
}

describe('formatting', () => {
  it('keeps what any topology says, keeps its comments, and is done after one round', () => {
    fc.assert(
      fc.property(commentedTopologies, (text) => void format(text)),
      { numRuns: 400 },
    );
  });
});
