import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/compiler/analyze.js';
import type { CallSpan, PublishedEvent } from '../../src/tools/studio/protocol.js';
import { colourLines } from '../../web/studio/panels/colour-lines.js';
import { addEvents } from '../../web/studio/panels/events.js';
import { excerptsOf, findingsIn, linesOf, placesOfSubject } from '../../web/studio/panels/excerpts.js';
import { spanRows, withGaps } from '../../web/studio/panels/span-rows.js';
import { subjectOf } from '../../web/studio/panels/subject.js';

const folder = new URL('../../docs/examples/parcel/', import.meta.url);
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.gg'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
const { schema } = analyze(sources.map(({ name, text }) => ({ name, source: text })));

describe('the coloured text', () => {
  test.each(sources)('of $name is its text', ({ text }) => {
    const lines = colourLines(text).map((parts) => parts.map((part) => part.text).join(''));
    expect(lines).toEqual(linesOf(text));
  });

  test('has the kinds of the tokens', () => {
    const line = "(a: Label { id: ID!, list: [Int!] = [1], f(x: Int): Text, ok: true })-[:FOLD]->(b | c) // 'no'";
    const kinds = colourLines(line)[0]?.flatMap(({ kind, text }) => (kind === undefined ? [] : `${text} ${kind}`));
    expect(kinds).toEqual([
      'a node',
      'Label label',
      'id property',
      'ID type',
      'list property',
      'Int type',
      '1 number',
      'f property',
      'x property',
      'Int type',
      'Text type',
      'ok property',
      'true keyword',
      'FOLD edge',
      'b node',
      'c node',
      "// 'no' comment",
    ]);
  });

  test('of a text with mistakes is its text, too', () => {
    const text = "(a { b: 'open\n /* never\r\n closed ((";
    expect(colourLines(text).map((parts) => parts.map((part) => part.text).join(''))).toEqual(linesOf(text));
  });
});

describe('the source of a part', () => {
  test('lists its edge with the comment above it first, then the nodes at its ends', () => {
    const subject = subjectOf(schema, { kind: 'edge', coordinate: 'Query.tracking' });
    if (subject === undefined) throw new Error('no such operation');
    const excerpts = excerptsOf(sources, placesOfSubject(schema, subject));
    const texts = excerpts.map(({ file, first, last }) =>
      linesOf(sources.find(({ name }) => name === file)?.text ?? '')
        .slice(first - 1, last)
        .join('\n'),
    );
    expect(texts[0]).toContain('(tracking_code { code: String!');
    expect(texts.join('\n')).toContain(
      '/// The history of a parcel.\n(tracking { parcel: Parcel!, events: [TrackingEvent!]!, expectedAt: DateTime })',
    );
  });

  test('exists for every operation, union and node', () => {
    const parts = [
      ...[...schema.queries, ...schema.mutations, ...schema.subscriptions].map(({ kind, name }) => ({
        kind: 'edge' as const,
        coordinate: `${kind[0]?.toUpperCase()}${kind.slice(1)}.${name}`,
      })),
      ...schema.unions.map(({ name }) => ({ kind: 'edge' as const, coordinate: name })),
      ...schema.objects.flatMap(({ node }) => (node === undefined ? [] : { kind: 'node' as const, id: node.id })),
    ];
    for (const part of parts) {
      const subject = subjectOf(schema, part);
      if (subject === undefined) throw new Error(`no ${JSON.stringify(part)}`);
      expect(excerptsOf(sources, placesOfSubject(schema, subject))).not.toEqual([]);
    }
  });

  test('is the whole statement for a place at any token', () => {
    const text =
      "import { a } from './a.gg'\n/// Doc.\n(b: Input {\n  c: ID,\n})\n-[:FOLD { d: [1, 2] }]->(e | f)\n-[:FORK]->(\n  g\n)\n\nexport { h }\n// end\n";
    const source = { name: 'f', text };
    const edges = { file: 'f', first: 2, last: 9 };
    for (let start = text.indexOf('(b'); start < text.indexOf('\n\nexport'); start++) {
      expect(excerptsOf([source], [{ file: 'f', start, end: start }])).toEqual([edges]);
    }
    const h = text.indexOf('h }');
    expect(excerptsOf([source], [{ file: 'f', start: h, end: h }])).toEqual([{ file: 'f', first: 11, last: 11 }]);
  });

  test('joins places that touch', () => {
    const text = '(a)\n(b)\n(c)\n\n(d)\n';
    const span = (start: number) => ({ file: 'f', start, end: start + 1 });
    expect(excerptsOf([{ name: 'f', text }], [span(0), span(14), span(8), span(5)])).toEqual([
      { file: 'f', first: 1, last: 3 },
      { file: 'f', first: 5, last: 5 },
    ]);
  });

  test('has the findings of its lines', () => {
    const finding = (start: number) => ({ span: { file: 'f', start, end: start } }) as never;
    const found = findingsIn({ file: 'f', first: 2, last: 3 }, 'a\nb\nc\nd\n', [finding(0), finding(2), finding(3)]);
    expect([...found]).toEqual([[2, [1, 2]]]);
  });
});

describe('parts that the API does not have', () => {
  test.each([
    { kind: 'edge', coordinate: 'Query.former' },
    { kind: 'node', id: 'former' },
  ] as const)('are not subjects: %j', (selection) => {
    expect(subjectOf(schema, selection)).toBeUndefined();
  });
});

describe('the waterfall', () => {
  const span = (id: string, start: number, duration: number, parent?: string): CallSpan => ({
    id,
    name: id,
    start,
    duration,
    attributes: {},
    ...(parent === undefined ? {} : { parent }),
  });

  test('has each span below its parent, by its start', () => {
    const rows = spanRows([span('c', 6, 2, 'a'), span('a', 0, 10), span('b', 1, 4, 'a'), span('d', 2, 1, 'b')], 10);
    expect(rows.map(({ span: { id }, depth }) => `${id}${depth}`)).toEqual(['a0', 'b1', 'd2', 'c1']);
    expect(rows[1]).toMatchObject({ left: 10, width: 40 });
  });

  test('has all spans, also with unknown parents, and ends each before its right edge', () => {
    const rows = spanRows([span('a', 5, 100, 'gone'), span('b', -1, 1), span('c', 200, 0)], 10);
    expect(rows).toHaveLength(3);
    for (const { left, width } of rows) expect(left + width).toBeLessThanOrEqual(100);
  });

  test('of a cycle of parents ends', () => {
    expect(spanRows([span('a', 0, 1, 'b'), span('b', 0, 1, 'a')], 1)).toEqual([]);
  });
});

describe('the tape', () => {
  const event = (id: string, deliveredTo = 1): PublishedEvent => ({
    id,
    subscription: 's',
    at: 0,
    deliveredTo,
  });

  test('lists the newest event first, and updates a repeated event', () => {
    const first = addEvents([], [event('a'), event('b')]);
    expect(addEvents(first, [event('a', 2), event('c')])).toEqual([event('c'), event('b'), event('a', 2)]);
  });

  test('keeps the last 200', () => {
    const many = Array.from({ length: 300 }, (_, at) => event(String(at)));
    expect(addEvents([], many).map(({ id }) => id)).toEqual(
      many
        .slice(100)
        .reverse()
        .map(({ id }) => id),
    );
  });
});

describe('the times without a span', () => {
  const span = (id: string, start: number, duration: number): CallSpan => ({
    id,
    name: id,
    start,
    duration,
    attributes: {},
  });
  const rowsOf = (spans: readonly CallSpan[], duration: number) =>
    withGaps(spans, duration).map((one) => [one.name, one.start, one.duration]);

  test('are rows, so that the rows explain the whole call', () => {
    expect(rowsOf([span('b', 6, 2), span('a', 2, 3)], 10)).toEqual([
      ['read and check the request', 0, 2],
      ['a', 2, 3],
      ['between spans', 5, 1],
      ['b', 6, 2],
      ['print and send the answer', 8, 2],
    ]);
  });

  test('are left out if they are short, and without any span', () => {
    expect(rowsOf([span('a', 0.05, 9.9)], 10)).toEqual([['a', 0.05, 9.9]]);
    expect(rowsOf([], 10)).toEqual([]);
  });
});
