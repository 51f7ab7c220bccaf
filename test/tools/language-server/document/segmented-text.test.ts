import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/base/diagnostics/diagnostic.js';
import type { Comment, Statement } from '../../../../src/compiler/syntax/ast.js';
import { parse } from '../../../../src/compiler/syntax/parse.js';
import { type Replacement, SegmentedText } from '../../../../src/tools/language-server/document/segmented-text.js';
import { runs } from '../../../arbitraries/runs.js';
import { topologies } from '../../../arbitraries/topology.js';
import { generateTopology } from '../../../bench/generate.js';

const name = 'a.gg';

interface Reading {
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a fresh parse of the whole text says, as plain data. */
function freshly(text: string): Reading {
  const { value, diagnostics } = parse({ name, text });
  return plain({ statements: value.statements, comments: value.comments, diagnostics });
}

/** What the segments say, each at its place, as plain data. */
function bySegments(document: SegmentedText): Reading {
  const parts = document.segments.map(({ segment, base }) => ({
    statements: moved(plain(segment.statements), base),
    comments: moved(plain(segment.comments), base),
  }));
  return plain({
    statements: parts.flatMap(({ statements }) => statements),
    comments: parts.flatMap(({ comments }) => comments),
    diagnostics: document.diagnostics(),
  });
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

const offsets = new Set(['start', 'end', 'typeStart', 'specifierStart', 'specifierEnd']);

/** The same tree, with every offset moved. */
function moved<T>(value: T, by: number): T {
  return JSON.parse(
    JSON.stringify(value, (key, part) => (offsets.has(key) && typeof part === 'number' ? part + by : part)),
  );
}

function apply(text: string, { start, end, text: inserted }: Replacement): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** What people type, by accident or not: each of these has a part in where a statement ends. */
const snippets = [
  ...['(', ')', '{', '}', '[', ']', '|', ',', ':', '=', '!', '.', ';', "'", '"', '\\', '\n', '\r\n', ' '],
  ...['//', '///', '/*', '*/', '#', '--', '-[', ']->', '<-[', ']-', '->', '-[:FORK]->', 'x', '5', 'é', '@'],
  ...['\n(', '\n(a)', '\n/// Doc.\n', '\n// why\n', '(b: Label { k: 1 })', 'import ', "import './b.gg'\n"],
  ...['export { a }\n', 'block name {\n', '\n}\n', 'f(x)', 'x.f()', '\nx', 'x-[:PROCESS]->y\n'],
];

/** Statements that fill many segments. */
const filler = generateTopology({ edges: 12, seed: 7 });

const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constant(filler),
  topologies({ maxNodes: 30, maxPipelines: 40 }).map(({ text }) => text),
  fc
    .array(fc.oneof(fc.constantFrom(...snippets), fc.constant(filler.slice(0, 900))), { maxLength: 12 })
    .map((parts) => parts.join('')),
);

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.oneof(fc.constantFrom(0, 0, 1, 1, 3), fc.nat(600)),
    text: fc.oneof(fc.constantFrom(...snippets), fc.constant(''), fc.constant(filler.slice(100, 900))),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('an incrementally parsed text', () => {
  test('equals a fresh parse after any edits', () => {
    fc.assert(
      fc.property(texts, edits, (text, list) => {
        const document = new SegmentedText(name, text, 40);
        expect(bySegments(document)).toEqual(freshly(text));
        let current = text;
        for (const { at, length, text: inserted } of list) {
          const start = Math.round(at * current.length);
          const edit = { start, end: Math.min(current.length, start + length), text: inserted };
          current = apply(current, edit);
          document.edit(edit);
          expect(document.segments.map(({ segment }) => segment.text).join('')).toBe(current);
          expect(bySegments(document)).toEqual(freshly(current));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test.each([
    [
      'the comments of another language, of which only the first is reported',
      '# one\n(a)\n(b)\n# two\n(c)\n# three\n(d)\n',
    ],
    ['an arrow to the left without an end', '(a)<-[:T\n(b)\n(c)\n(d)-[:T]->(e)\n(f)\n'],
    ['a block of another language', '(a)\nblock x {\n(b)-[:T]->(c)\n(d)\n}\n(e)\n'],
    ['a comment without an end', '(a)\n/* \n(b)\n(c)\n'],
    ['a comment around statements', '(a)\n/*\n(b)\n// c\n(c)\n*/\n(d)\n'],
    ['documentation between statements', '(a)\n/// Of b.\n\n(b)\n/// Of nothing.\n// why\n(c)\n'],
    ['a chain over several lines', '(a)\n-[:T]->\n(b)\n-[:U]->(c)\n(d)\n'],
    ['a group over several lines', '(a |\n(b)\n(c | d)-[:T]->\n(e)\n'],
    ['a map without an end', '(a { x: 1,\n(b)\n(c)\n'],
  ])('is cut correctly around %s', (_, text) => {
    expect(bySegments(new SegmentedText(name, text, 1))).toEqual(freshly(text));
    for (let at = 0; at <= text.length; at++) {
      const document = new SegmentedText(name, `${text.slice(0, at)}(q)${text.slice(at)}`, 1);
      document.edit({ start: at, end: at + 3, text: '' });
      expect(bySegments(document)).toEqual(freshly(text));
    }
  });

  test('parses each statement independently of unclosed brackets in another one', () => {
    const parts = [...snippets, '--[:T', '=[:T', '-(:T', ']-', ']=>', "{ x: 'one", '{ x: "one', "two' }", 'a-b', '#'];
    for (const one of parts) {
      for (const other of parts) {
        const text = `(a)\n(b ${one}\n(c)\n(d)-[:T]->(e)\n(f)\n(g ${other})\n(h)-[:T]->(i)\n`;
        const [parsed, fresh] = [bySegments(new SegmentedText(name, text, 1)), freshly(text)];
        // The comparison of `expect` takes longer than parsing.
        if (!isDeepStrictEqual(parsed, fresh)) expect(parsed, text).toEqual(fresh);
      }
    }
  });

  test('parses only the segments near an edit', () => {
    const document = new SegmentedText(name, generateTopology({ edges: 500 }));
    const before = document.segments.map(({ segment }) => segment);
    expect(before.length).toBeGreaterThan(10);
    document.edit({ start: 40_000, end: 40_000, text: 'x' });
    const after = new Set(document.segments.map(({ segment }) => segment));
    expect(before.filter((segment) => !after.has(segment)).length).toBeLessThanOrEqual(3);
  });

  test('is one segment while it has more errors than the limit', () => {
    const broken = '(a { x: 1 y: 2 })\n'.repeat(120);
    const document = new SegmentedText(name, broken);
    expect(document.segments).toHaveLength(1);
    expect(document.diagnostics().at(-1)?.code).toBe('GG1020');
    document.edit({ start: 0, end: broken.length - 18 * 50, text: '' });
    expect(document.diagnostics()).toHaveLength(50);
  });

  test('becomes one segment if an edit adds too many errors, and several again later', () => {
    const document = new SegmentedText(name, '(a)\n(b)\n', 3);
    document.edit({ start: 4, end: 4, text: '(a { x: 1 y: 2 })\n'.repeat(120) });
    expect(document.segments).toHaveLength(1);
    document.edit({ start: 4, end: 4 + 18 * 120, text: '' });
    expect(document.segments).toHaveLength(2);
  });

  test('finds the segment of an offset; at a boundary it is the one after it', () => {
    const document = new SegmentedText(name, '(aaaaaaaaaaaaaaaaaaaa)\n(b)\n(c)', 3);
    expect(document.segments.map(({ base }) => base)).toEqual([0, 22, 26]);
    expect(document.at(0).base).toBe(0);
    expect(document.at(22).base).toBe(22);
    expect(document.at(1000).base).toBe(26);
  });
});
