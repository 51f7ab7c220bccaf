import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';

/** Whatever the text is: an answer, and places that lie inside it. */
function survives(text: string): void {
  const { ast, diagnostics, sources } = analyze(text);
  expect(ast.documents).toHaveLength(1);
  const length = sources[0]?.text.length ?? 0;
  for (const { span, message } of diagnostics) {
    expect(message).not.toBe('');
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(length);
  }
}

const fragment = fc.constantFrom(
  ...['(', ')', '{', '}', '[', ']', '-[', ']->', '->', '-', '<-', '--', ':', '|', ',', '=', '!', '.', ';', "'", '"'],
  ...['\\', '//', '///', '/*', '*/', '#', '\n', '\r', ' ', 'a', 'User', 'ID!', 'PROCESS', 'import', 'export', 'from'],
  ...['1', '1.5', '-2', '1e999', 'true', 'null', 'é', '\ud800', '\0', "'text'", '__proto__', 'constructor', 'values'],
);

describe('the parser reads any text', () => {
  it('of any characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), survives), { numRuns: runs(500) });
  });

  it('of parts of topologies', () => {
    const soup = fc.array(fragment, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(soup, survives), { numRuns: runs(1500) });
  });

  it('cut off anywhere', () => {
    fc.assert(
      fc.property(topologies(), fc.nat(), ({ text }, at) => survives(text.slice(0, at % (text.length + 1)))),
      { numRuns: runs(200) },
    );
  });

  it.each([
    ['a million brackets', '['.repeat(1_000_000)],
    ['a million parentheses', '('.repeat(1_000_000)],
    ['a million braces', '{'.repeat(1_000_000)],
    ['a million quotes', "'".repeat(1_000_000)],
    ['a million closing comments', '*/'.repeat(500_000)],
    ['a million line breaks', '\n'.repeat(1_000_000)],
    ['a line of a million letters', 'a'.repeat(1_000_000)],
    ['a call of a million steps', `x${'.f()'.repeat(250_000)}`],
    ['a chain of fifty thousand edges', `(a)${'-[:X]->(b)'.repeat(50_000)}`],
    ['a group of a hundred thousand nodes', `(${'a|'.repeat(100_000)}a)-[:X]->(b)`],
    ['fifty thousand doc comments', '/// a\n(b)\n'.repeat(50_000)],
  ])('%s', (_, text) => {
    survives(text);
  });
});
