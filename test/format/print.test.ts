import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDocument } from '../../src/format/print.js';
import { createSourceFile } from '../../src/source/source-file.js';
import { parse } from '../../src/syntax/parse.js';
import { topologies } from '../arbitraries/topology.js';
import { outline } from '../syntax/outline.js';

/** The text again, after a check that it says the same and that printing it once more changes nothing. */
function reprint(text: string): string {
  const { value, diagnostics } = parse(createSourceFile('a.gg', text));
  const printed = printDocument(value);
  const again = parse(createSourceFile('b.gg', printed));
  expect(again.diagnostics.length, printed).toBeLessThanOrEqual(diagnostics.length);
  expect(outline(again.value)).toEqual(outline(value));
  expect(printDocument(again.value)).toBe(printed);
  return printed;
}

describe('printing a document', () => {
  it.each([
    ["(a:X{k='v'})", "(a: X { k: 'v' })\n"],
    ['(a,b)-[:FOLD{n:1}]->(c)', '(a | b)-[:FOLD { n: 1 }]->(c)\n'],
    ['f(g(x)).h()', 'x.g().f().h()\n'],
    ["import {a,b} from './x.gg';\nexport{a}", "import { a, b } from './x.gg'\nexport { a }\n"],
    ['import "./x.gg"', "import './x.gg'\n"],
    [
      `(a { k: "it's", l: 'say "hi"', m: 'both \\' and "' })`,
      `(a { k: "it's", l: 'say "hi"', m: 'both \\' and "' })\n`,
    ],
    ['(a { n: 2.0, m: 1e9, o: -5, p: 1e21, q: 9007199254740993, z: null, t: true })', undefined],
    ["(a { t: [String!]! = ['x'], s: Status = ACTIVE, w: ID! })", undefined],
    [
      '/// one\n/// two\n(a: X {\n/// three\nk: 1, l: 2 })\n/// four\n(a)-[:P]->(/// five\nb)\n/// six\n-[:Q]->(c)',
      undefined,
    ],
  ])('%j', (text, expected) => {
    const printed = reprint(text);
    if (expected !== undefined) expect(printed).toBe(expected);
  });

  it.each(['docs/examples/service.gg', 'docs/examples/parcel/shipping.gg'])('keeps what %s says', (path) => {
    reprint(readFileSync(path, 'utf8'));
  });

  it('keeps what any topology says', () => {
    fc.assert(
      fc.property(topologies(), ({ text }) => void reprint(text)),
      { numRuns: 200 },
    );
  });
});
