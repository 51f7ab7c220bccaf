import { describe, expect, test } from 'vitest';
import { explain } from '../../../src/analysis/provenance/explain.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { compile } from '../../../src/compiler/compile.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import { diffSchemas } from '../../../src/diff.js';
import { typeCheck } from '../../compiler/emit/typescript/type-check.js';
import { ask, run, serve } from '../server/topology-server.js';

const topology = `(by: Input { stars: Int! = 5, words: [String!] })
(book {
  id: ID!,
  reviews(first: Int! = 2, by: By): [String!]!,
  price(currency: String!): Float!,
  next: Book,
})
(root)-[:PROCESS { id: ID! }]->(book)
`;

const book = {
  id: '1',
  reviews: ({ first, by }: { first: number; by?: object }) =>
    [`first ${first}`, `by ${JSON.stringify(by)}`, 'more'].slice(0, first),
};

describe('a field with arguments', () => {
  const given: unknown[] = [];
  const server = serve(topology, {
    resolvers: {
      Query: { book: () => book },
      Book: {
        price(parent: unknown, args: object) {
          given.push(parent, args);
          return 1.5;
        },
      },
    },
  });

  test.each([
    ['{ book(id: 1) { reviews } }', { reviews: ['first 2', 'by undefined'] }],
    ['{ book(id: 1) { reviews(first: 1) } }', { reviews: ['first 1'] }],
    ['{ book(id: 1) { reviews(by: { words: ["a"] }) } }', { reviews: ['first 2', 'by {"words":["a"],"stars":5}'] }],
    ['{ book(id: 1) { price(currency: "EUR") } }', { price: 1.5 }],
  ])('passes them, with their defaults, to its resolver: %s', async (query, expected) => {
    const { data, errors } = await run(server, query);
    expect(errors).toBeUndefined();
    expect(Object.keys(data.book)).toEqual(Object.keys(expected));
    if ('price' in expected) expect(given).toEqual([book, { currency: 'EUR' }]);
    else if (!query.includes('words')) expect(data.book).toEqual(expected);
    else expect(data.book.reviews[1]).toContain('"stars":5');
  });

  test('is rejected without a required one', async () => {
    const { errors } = await run(server, '{ book(id: 1) { price } }');
    expect(errors[0].message).toMatch(/currency.* of type "String!" is required/);
  });

  test('gets its defaults over REST, and is omitted if it requires arguments', async () => {
    const { body } = await ask(server, '/api/book?id=1');
    expect(body).toEqual({ id: '1', reviews: ['first 2', 'by undefined'], next: null });
  });

  test.each(['price', 'next.price'])('cannot be selected over REST if it requires arguments: %s', async (path) => {
    const { status, body } = await ask(server, `/api/book?id=1&fields=${path}`);
    expect([status, body.detail]).toEqual([400, `“${path}” needs arguments, which only GraphQL passes.`]);
  });
});

describe('the arguments of a field', () => {
  const { schema } = compile({ name: 'a.gg', source: topology });

  test('have types for resolvers', () => {
    const use = `import type { Resolvers } from './types.js';
export const resolvers: Resolvers = {
  Query: { book: () => ({ id: '1' }) },
  Book: {
    reviews: (_parent, { first, by }) => [first.toFixed(), ...(by?.words ?? []), (by?.stars ?? 1).toFixed()],
    price: (_parent, { currency }) => currency.length,
    // @ts-expect-error The field takes no text.
    next: (_parent, { currency }: { currency: string }) => null,
  },
};
`;
    expect(typeCheck(['use.ts'], { 'use.ts': use, 'types.ts': schemaToTypeScript(schema) })).toEqual([]);
  });

  test.each([
    ['first: Int! = 2', 'first: Int!', 'argument-became-required', 'breaking'],
    ['first: Int! = 2', 'first: Int! = 3', 'argument-default-changed', 'dangerous'],
    ['first: Int! = 2, ', '', 'argument-removed', 'breaking'],
    ['currency: String!', 'currency: String', 'argument-type-changed', 'safe'],
    ['currency: String!', 'currency: String!, day: String!', 'argument-added', 'breaking'],
    ['currency: String!', 'currency: String!, day: String', 'argument-added', 'dangerous'],
  ])('are compared: %s becomes %s', (before, after, kind, level) => {
    const changed = compile({ name: 'a.gg', source: topology.replace(before, after) }).schema;
    const changes = diffSchemas(schema, changed).filter((change) => change.kind === kind);
    expect(changes.map((change) => [change.level, change.coordinate.replace(/\(.*/, '')])).toEqual([
      [level, before.startsWith('first') ? 'Book.reviews' : 'Book.price'],
    ]);
  });

  test('are mapped to their place', () => {
    const [found] = explain(schema, { openapi: {}, collection: {} }, ['Book.reviews(first:)']);
    expect(found?.signature).toBe('argument first: Int! = 2');
    const texts = found?.places.map(({ span, what }) => [topology.slice(span.start, span.end), what]);
    expect(texts).toEqual([['first: Int! = 2', 'argument first of a field of node book']]);
  });

  test('make their types reachable', () => {
    const found = analyze(topology.replace('id: ID!,\n  reviews', 'reviews')).diagnostics;
    expect(found.map(({ code }) => code)).not.toContain('GG3021');
  });
});
