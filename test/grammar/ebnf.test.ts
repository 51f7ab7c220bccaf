import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../src/base/source/source-file.js';
import { parse } from '../../src/compiler/syntax/parse.js';
import { readGrammar, references } from './ebnf.js';
import { recognizes } from './recognize.js';
import { sentences } from './sentences.js';

const grammar = readGrammar(readFileSync('grammar/gg.ebnf', 'utf8'));

/** What the parser says about the form of a text; limits and emptiness are not a matter of grammar. */
function syntaxErrors(text: string): string[] {
  return parse(createSourceFile('test.gg', text))
    .diagnostics.filter(({ code, severity }) => severity === 'error' && code.startsWith('GG1'))
    .filter(({ code }) => code !== 'GG1006' && code !== 'GG1017')
    .map(({ code, message }) => `${code} ${message}`);
}

describe('the grammar file', () => {
  it('uses every rule, starting from File and SPACE', () => {
    const reached = new Set(['File', 'SPACE']);
    for (const name of reached) {
      for (const used of references(grammar.get(name) ?? { kind: 'literal', text: '' })) reached.add(used);
    }
    expect([...grammar.keys()].filter((name) => !reached.has(name))).toEqual([]);
  });

  it('generates only sentences that it recognizes itself', () => {
    fc.assert(
      fc.property(sentences(grammar, 'File'), (text) => recognizes(grammar, 'File', text)),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('the parser', () => {
  it('accepts every sentence of the grammar', () => {
    fc.assert(
      fc.property(sentences(grammar, 'File'), (text) => {
        expect(syntaxErrors(text)).toEqual([]);
      }),
      { seed: 2, numRuns: 1500 },
    );
  });

  it('agrees with the grammar on a sentence with a token removed or added', () => {
    const mark = fc.constantFrom(
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '|',
      ',',
      ':',
      '=',
      '!',
      '.',
      ';',
      '-[',
      ']->',
      'x',
      "'",
    );
    const damaged = fc
      .tuple(sentences(grammar, 'Statement'), fc.nat(), fc.nat({ max: 1 }), fc.option(mark))
      .map(([text, at, drop, insert]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + (insert ?? '') + text.slice(place + drop);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(syntaxErrors(text).length === 0).toBe(recognizes(grammar, 'File', text));
      }),
      { seed: 3, numRuns: 1500 },
    );
  });

  const files = globSync(['golden/**/*.gg', 'docs/examples/**/*.gg']);

  it('has files to compare with the grammar', () => {
    expect(files.length).toBeGreaterThan(8);
  });

  it.each(files)('agrees with the grammar on %s', (file) => {
    const { text } = createSourceFile(file, readFileSync(file, 'utf8'));
    expect({ accepted: recognizes(grammar, 'File', text), errors: syntaxErrors(text) }).toEqual({
      accepted: syntaxErrors(text).length === 0,
      errors: syntaxErrors(text),
    });
  });
});

describe('the recognizer', () => {
  it.each([
    ['(a)-[:P]->(b)', true],
    ['(a) - [ :P ] -> (b | c: L { k = "v", })', true],
    ['x-[:PROCESS]->y', true],
    ["(a { k: '\\'' })", true],
    ['(a { k: [String!]! = [], n: ID! })', true],
    ["import { a } from './x.gg'; f(x).g()", true],
    ['x.f() /* and */ // so on', true],
    ['', true],
    ['(a)-[:p]->(b)', false],
    ['(a)<-[:P]-(b)', false],
    ['(a)-[:P|Q]->(b)', false],
    ['(a', false],
    ['(a { k: "v" l: 1 })', false],
    ['importa { a }', false],
    ['x', false],
    ['(a { k: true! })', false],
  ])('decides about %s: %s', (text, accepted) => {
    expect(recognizes(grammar, 'File', text)).toBe(accepted);
  });
});
