import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSourceFile } from '../../src/source/source-file.js';
import type { Pipeline } from '../../src/syntax/ast.js';
import { parse } from '../../src/syntax/parse.js';
import { PlainPipeline } from '../../src/syntax/plain-pipeline.js';
import { topologies } from '../arbitraries/topology.js';

/** The parser with the grammar alone: nothing is plain enough to pass it by. */
let parseByGrammar: typeof parse;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../../src/syntax/plain-shape.js', async (load) => ({
    ...(await load<typeof import('../../src/syntax/plain-shape.js')>()),
    endOfPipeline: () => -1,
  }));
  parseByGrammar = (await import('../../src/syntax/parse.js')).parse;
});

afterAll(() => {
  vi.doUnmock('../../src/syntax/plain-shape.js');
  vi.resetModules();
});

/** Holds the two ways to read a text against each other: the same tree, the same findings. */
function agree(text: string): void {
  const read = (way: typeof parse) => {
    const { value, diagnostics } = way(createSourceFile('t.gg', text));
    return JSON.parse(JSON.stringify({ ...value, file: undefined, diagnostics }));
  };
  expect(read(parse)).toEqual(read(parseByGrammar));
}

/** The statements of a text that did not need the grammar. */
function plainStatements(text: string): unknown[] {
  const { statements } = parse(createSourceFile('t.gg', text)).value;
  return statements.filter((statement) => statement instanceof PlainPipeline);
}

/** The first statement of a text, which is a pipeline. */
function pipelineOf(text: string): Pipeline {
  return parse(createSourceFile('t.gg', text)).value.statements[0] as Pipeline;
}

const golden = join(import.meta.dirname, '../../golden');

describe('a pipeline without mistakes is read past the grammar', () => {
  test.each([
    ['a node', '(a)'],
    ['labels', '(a: B:C)'],
    ['a map', "(a { b: ID!, c = 'x', d: 5 , e: [A, [1, 2,]]!, f: Int = 20, })"],
    ['a group', '(a | b: L { }, c)'],
    ['hops', "(a)-[:PROCESS]->(b | c)-[:FOLD { id: ID! }]->(d { e: 'f' })"],
    ['doc comments', '/// Of the node.\n(a {\n  /// Of the field.\n  b: ID!\n})'],
  ])('%s', (_, text) => {
    expect(plainStatements(text)).toHaveLength(1);
    agree(text);
  });

  test('and nothing that is kept of it grows with its parts', () => {
    const [statement] = plainStatements('(a { b: 1, c: 2 })-[:PROCESS]->(d)-[:FOLD]->(e)');
    expect(Object.keys(statement as object)).toEqual(['tape', 'first', 'last']);
  });

  test('and stays readable when the parser has gone on to another text', () => {
    const { head, hops, doc, start, end } = pipelineOf('/// Why.\n(a)-[:FOLD]->(b)');
    const kept = pipelineOf('/// Why.\n(a)-[:FOLD]->(b)');
    parse(createSourceFile('u.gg', '(other: Thing { x: 1 })-[:RACE { y: 2 }]->(z)'));
    expect(kept.toString()).toBe('[object Object]');
    expect({ head: kept.head, hops: kept.hops, doc: kept.doc }).toEqual({ head, hops, doc });
    expect([kept.start, kept.end]).toEqual([start, end]);
    expect(doc).toBe('Why.');
  });
});

describe('what has something to be said about is left to the grammar', () => {
  test.each([
    ['a missing comma', '(a { b: 1 c: 2 })'],
    ['a missing value', '(a { b: })'],
    ['a missing key', '(a { : 1 })'],
    ['a missing sign', '(a { b 1 })'],
    ['a missing default', '(a { b: Int = })'],
    ['a missing comma in a list', '(a { b: [1 2] })'],
    ['a list that is not closed', '(a { b: [1, })'],
    ['a map that is not closed', '(a { b: 1'],
    ['a map in a map', '(a { b: { c: 1 } })'],
    ['a label without a name', '(a: )'],
    ['a group that is not closed', '(a'],
    ['a group without a node', '()'],
    ['a number for a node', '(1.5)'],
    ['an edge without a type', '(a)-[]->(b)'],
    ['an edge with a name', '(a)-[e:PROCESS]->(b)'],
    ['two types', '(a)-[:PROCESS|FOLD]->(b)'],
    ['a type in lower case', '(a)-[:process]->(b)'],
    ['a bare target', '(a)-[:PROCESS]->b'],
    ['an edge without an end', '(a)-[:PROCESS]'],
    ['a list far too deep', `(a { b: ${'['.repeat(70)}${']'.repeat(70)} })`],
  ])('%s', (_, text) => {
    expect(plainStatements(text)).toHaveLength(0);
    agree(text);
  });

  test('a list of lists, deeper than anybody writes, though nothing is wrong with it', () => {
    const text = `(a { b: ${'['.repeat(12)}1${']'.repeat(12)} })`;
    expect(plainStatements(text)).toHaveLength(0);
    agree(text);
  });
});

describe('both ways give the same tree and the same findings', () => {
  const cases = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.gg'),
  );

  test('for every golden input', () => {
    expect(cases.length).toBeGreaterThan(50);
    for (const file of cases) agree(readFileSync(join(golden, file), 'utf8'));
  });

  test('for random topologies', () => {
    fc.assert(
      fc.property(topologies(), ({ text }) => agree(text)),
      { numRuns: 150 },
    );
  });

  test('for random topologies that lost a piece, got one, or have one twice', () => {
    const change = fc.record({
      at: fc.nat(10_000),
      length: fc.nat(6),
      insert: fc.constantFrom('', ...'(){}[],:|=!.\'"', '///x\n', '-[', ']->', '//x\n', 'a', ' 1.5 '),
    });
    fc.assert(
      fc.property(topologies({ maxNodes: 6 }), change, ({ text }, { at, length, insert }) => {
        const from = at % (text.length + 1);
        agree(text.slice(0, from) + insert + text.slice(from + length));
      }),
      { numRuns: 400 },
    );
  });
});
