import { deepStrictEqual } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { endOfPart } from '../../../src/compiler/syntax/lexer.js';
import { parse } from '../../../src/compiler/syntax/parse.js';
import { generateTopology } from '../../bench/generate.js';

const filler = generateTopology({ edges: 300 });
const long = filler.repeat(4);

/** What a text holds behind `before`, moved to where it would stand alone. */
function behind(before: string, text: string): unknown {
  const { value, diagnostics } = parse(createSourceFile('t.gg', before + text));
  const move = (_: string, data: unknown): unknown =>
    typeof data === 'number' && data >= before.length ? data - before.length : data;
  const isBehind = ({ start }: { start: number }) => start >= before.length;
  const kept = {
    statements: value.statements.filter(isBehind),
    comments: value.comments.filter(isBehind),
    diagnostics: diagnostics.filter(({ span }) => isBehind(span)),
  };
  return JSON.parse(JSON.stringify(kept), move);
}

describe('a text that is read in parts', () => {
  it('is cut after a statement', () => {
    const cuts: number[] = [];
    for (let from = 0; from < long.length; from = cuts.at(-1) as number) cuts.push(endOfPart(long, from));
    expect(cuts.length).toBeGreaterThan(4);
    for (const cut of cuts.slice(0, -1)) expect(long.slice(0, cut)).toMatch(/\)\n$/);
  });

  it.each([
    ['a doc comment at a cut', '/// Of (a)\n(a)\n/// Of (b)\n(b)\n'],
    ['a pipeline over several lines', '(a: X { k: 1 })\n// (why)\n-[:T]->\n(b)\n'],
    ['a comment that ends like a statement', '(a)-[:T]->\n// see (a)\n(b)\n'],
    ['a block comment around statements', '/*\n(a)\n(b)\n*/\n(c)\n'],
    ['a block comment that is never closed', '/*\n(a)\n(b)\n'],
    ['a block of another language', 'topology x {\n(a)\n(b)\n}\n(c)\n'],
    ['a missing bracket', '(a: X { k: 1 }\n(b)\n(c)\n'],
    ['a comment of another language', '# one (a)\n(b)\n# two\n(c)\n'],
    ['a reversed edge', '(a)<-[:T]-(b)\n(c)-[:T]-(d)\n(e)\n'],
    ['a bare end', '(a)-[:T]->b\n(c)\n'],
  ])('gives the same result for %s as for the text alone', (_, text) => {
    // Wherever the cuts fall, some repetition of the text meets one.
    const repeated = text.repeat(Math.ceil(40_000 / text.length));
    for (const before of [long, long.slice(0, long.lastIndexOf('\n(') + 1)]) {
      deepStrictEqual(behind(before, repeated), behind('', repeated));
    }
  });
});
