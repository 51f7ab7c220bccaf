import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import type { CollectionItem } from '../../../../src/compiler/emit/collection/format.js';
import { schemaToCollection } from '../../../../src/compiler/emit/collection.js';
import type { GqlSchema } from '../../../../src/compiler/schema/gql-schema.js';
import { argument, edge, mutation, object, query, schemaOf, subscription, type, union } from '../fixtures.js';

function schemaOfText(source: string): GqlSchema {
  const { schema, diagnostics } = compile(source);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return schema;
}

function order(schema: GqlSchema): string[] {
  return (schemaToCollection(schema, 'x', 'http://localhost').item[0]?.item ?? []).map(({ name }) => name);
}

/** The variables that each request sends, and those that the test script sets from its response. */
function links(schema: GqlSchema): Record<string, string> {
  const { item, variable } = schemaToCollection(schema, 'x', 'http://localhost');
  const { ids } = JSON.parse(variable.find(({ key }) => key === 'answers')?.value ?? '') as {
    ids: Record<string, Record<string, readonly string[]>>;
  };
  const found = (item[1]?.item ?? []).map((request): [string, string] => {
    const [operation = ''] = /^\w+ \w+/.exec(documentOf(request)) ?? [];
    const set = Object.entries(ids[operation] ?? {}).map(([key, path]) => `${key}:=${path.join('.')}`);
    return [request.name, [...variablesSent(request), ...set].join(' ')];
  });
  const known = new Set(variable.map(({ key }) => key));
  for (const [, text] of found) {
    for (const [, name = ''] of text.matchAll(/\{\{(\w+)\}\}/g)) expect(known).toContain(name);
  }
  return Object.fromEntries(found.filter(([, text]) => text !== ''));
}

function documentOf({ request: { body } }: CollectionItem): string {
  return body?.mode === 'graphql' ? body.graphql.query : '';
}

function variablesSent({ request: { body } }: CollectionItem): string[] {
  const sent = body?.mode === 'graphql' ? JSON.parse(body.graphql.variables) : {};
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string' && value.startsWith('{{')) found.push(`${path}=${value}`);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`);
  };
  visit(sent, '');
  return found;
}

describe('the order of the requests', () => {
  test('follows the topology: operations to a node come before operations from it', () => {
    const schema = schemaOfText(`
      (c { x: String })-[:PROCESS]->(d { y: String })
      (b { x: String })-[:PROCESS]->(c)
      (a { x: String })-[:FOLD]->(b)
    `);
    expect(order(schema)).toEqual(['b', 'c', 'd']);
  });

  test('follows edges through races and forks, which are not requests', () => {
    const schema = schemaOfText(`
      (winner { x: String })-[:PROCESS]->(last { y: String })
      (heard { x: String })-[:PROCESS]->(after { y: String })
      (one { x: String } | two { x: String })-[:RACE]->(winner)
      (root)-[:PROCESS]->(two)
      (root)-[:PROCESS]->(one)
      (form { x: String })-[:FOLD]->(said { x: String })
      (said)-[:FORK]->(heard)
    `);
    expect(order(schema)).toEqual(['said', 'one', 'two', 'last', 'after']);
  });

  test('begins with mutations, and otherwise follows the source text', () => {
    const schema = schemaOfText(`
      (root)-[:PROCESS]->(b { x: String } | a { x: String })
      (form { x: String })-[:FOLD]->(d { x: String } | c { x: String })
    `);
    expect(order(schema)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('enters a cycle at the first operation of the source text', () => {
    const circle = (first: string, second: string) => `
      (${first} { x: String })-[:PROCESS]->(${second} { y: String })
      (${second})-[:PROCESS]->(${first})
      (${first})-[:PROCESS { operation: 'self' }]->(${first})
    `;
    const schema = schemaOfText(circle('a', 'b'));
    expect(order(schema).toSorted()).toEqual(['a', 'b', 'self']);
    expect(order(schema)).toEqual(order(schemaOfText(circle('a', 'b'))));
  });

  test('does not depend on the length of a chain', () => {
    const length = 20_000;
    const queries = Array.from({ length }, (_, at) =>
      query(`q${length - at}`, 'Int', [], {
        edges: [edge('PROCESS', [`n${length - at - 1}`], `n${length - at}`)],
      }),
    );
    expect(order(schemaOf({ queries })).slice(0, 3)).toEqual(['q1', 'q2', 'q3']);
  });

  test('has every request once', () => {
    const schema = schemaOfText(`
      (a { id: ID!, bId: ID })-[:FOLD]->(b { id: ID!, aId: ID })
      (b)-[:FOLD]->(a)
      (root)-[:PROCESS { id: ID! }]->(a | b)
    `);
    const names = order(schema);
    expect(names).toHaveLength(4);
    expect(names.indexOf('b')).toBeLessThan(names.lastIndexOf('b'));
  });
});

describe('an id', () => {
  test('of an object that a mutation creates is sent by queries of that type', () => {
    expect(
      links(
        schemaOfText(`
          (root)-[:PROCESS { id: ID! }]->(order { id: ID!, text: String })
          (form { text: String })-[:FOLD { operation: 'place', returns: Order }]->(order)
        `),
      ),
    ).toEqual({ place: 'orderId:=id', order: 'id={{orderId}}' });
  });

  test('of a saved object is sent to read it: verbs in names are ignored', () => {
    expect(
      links(
        schemaOfText(`
          (root)-[:PROCESS { id: ID! }]->(read_user { id: ID! })
          (form { text: String })-[:FOLD]->(save_user { id: ID! })
        `),
      ),
    ).toEqual({ saveUser: 'userId:=id', readUser: 'id={{userId}}' });
  });

  test('is sent wherever it is named: in inputs, in lists, with or without an underscore', () => {
    expect(
      links(
        schemaOfText(`
          (form { text: String })-[:FOLD { operation: 'add', returns: Item }]->(item { id: ID! })
          (box { itemId: ID!, more: Inner })-[:FOLD]->(packed { ok: true })
          (inner { item_ids: [ID!] })
          (root)-[:PROCESS { itemIds: [ID!]!, other: ID! }]->(sum { total: 5 })
        `),
      ),
    ).toEqual({
      add: 'itemId:=id',
      packed: 'box.itemId={{itemId}} box.more.item_ids.0={{itemId}}'.replace(/box/g, 'input'),
      sum: 'itemIds.0={{itemId}}',
    });
  });

  test('follows the edges: the id from a FOLD is sent by edges that begin at its target', () => {
    expect(
      links(
        schemaOfText(`
          (form { text: String })-[:FOLD]->(ticket { id: ID!, seat: ID!, row: Int })
          (ticket)-[:PROCESS]->(entry { ok: Boolean })
          (ticket)-[:FOLD]->(refund { ok: Boolean })
          (ticket)-[:PROCESS { gate: ID! }]->(way { text: String })
        `),
      ),
    ).toEqual({
      ticket: 'ticketId:=id seat:=seat',
      refund: 'input.id={{ticketId}} input.seat={{seat}}',
      entry: 'id={{ticketId}} seat={{seat}}',
    });
  });

  test('comes from a list if no mutation creates it, and from inside an answer if no list has it', () => {
    expect(
      links(
        schemaOfText(`
          (root)-[:PROCESS { id: ID! }]->(bill { id: ID!, lines: [Line!]! })
          (root)-[:PROCESS { operation: 'bills', returns: [[Bill]] }]->(bill)
          (root)-[:PROCESS { id: ID! }]->(line { id: ID! })
          (payment { billId: ID! })-[:FOLD { operation: 'pay', returns: Bill }]->(bill)
        `),
      ),
    ).toEqual({
      bills: 'billId:=id',
      pay: 'input.billId={{billId}} lineId:=lines.id',
      bill: 'id={{billId}}',
      line: 'id={{lineId}}',
    });
  });

  test('is not sent as a filter of a list or in place of a default', () => {
    expect(
      links(
        schemaOfText(`
          (form { text: String })-[:FOLD { operation: 'add', returns: Item }]->(item { id: ID! })
          (root)-[:PROCESS { operation: 'items', itemId: ID, returns: [Item] }]->(item)
          (root)-[:PROCESS { operation: 'first', id: ID! = '1' }]->(item)
        `),
      ),
    ).toEqual({});
  });

  test('is kept apart from an id with the same name and another source', () => {
    const schema = schemaOf({
      objects: [object('Thing', { id: 'ID!', code: 'ID!' }), object('Other', { code: 'ID!' })],
      mutations: [
        mutation('thing', 'Thing', [], { edges: [edge('FOLD', ['a'], 'thing')] }),
        mutation('other', 'Other', [], { edges: [edge('FOLD', ['a'], 'other')] }),
      ],
      queries: [
        query('one', 'Int', [argument('code', 'ID!')], { edges: [edge('PROCESS', ['thing'], 'x')] }),
        query('two', 'Int', [argument('code', 'ID!')], { edges: [edge('PROCESS', ['other'], 'y')] }),
      ],
    });
    expect(links(schema)).toEqual({
      thing: 'code:=code',
      other: 'code_:=code',
      one: 'code={{code}}',
      two: 'code={{code_}}',
    });
  });

  test('is ignored if it has another type, is in a union, or is a list of ids', () => {
    const schema = schemaOf({
      objects: [object('A', { id: 'Int!' }), object('B', { id: 'ID!' }), object('C', { id: '[ID!]' })],
      unions: [union('U', ['B', 'A'])],
      mutations: [mutation('a', 'A'), mutation('u', 'U'), mutation('c', 'C'), mutation('n', 'Int')],
      queries: [
        query('readA', 'A', [argument('id', 'ID!')]),
        query('readB', 'B', [argument('id', 'ID!'), argument('aId', 'Int')]),
        query('readC', 'C', [argument('id', 'ID!')]),
      ],
      subscriptions: [subscription('s', 'B')],
    });
    expect(links(schema)).toEqual({});
  });

  test('in a default of an input is unchanged', () => {
    const schema = schemaOf({
      objects: [object('A', { id: 'ID!' })],
      inputs: [
        {
          name: 'AInput',
          description: undefined,
          of: 'A',
          fields: [
            { ...argument('aId', 'ID'), fallback: '7' },
            argument('a', 'AInput'),
            {
              name: 'list',
              description: undefined,
              type: type('[AInput]'),
              fallback: undefined,
              span: undefined,
            },
          ],
        },
      ],
      mutations: [mutation('make', 'A')],
      queries: [query('find', 'Int', [argument('in', '[AInput!]'), argument('aId', 'ID!')])],
    });
    expect(links(schema)).toEqual({ make: 'aId:=id', find: 'aId={{aId}}' });
  });
});

describe('the JSON Schemas of the answers', () => {
  const answers = (schema: GqlSchema): Record<'schemas' | 'definitions' | 'ids', Record<string, unknown>> => {
    const { variable } = schemaToCollection(schema, 'x', 'http://localhost');
    return JSON.parse(variable.find(({ key }) => key === 'answers')?.value ?? '');
  };
  const definitions = (schema: GqlSchema) => answers(schema).definitions;

  test('are defined once, and again only for responses with fewer fields', () => {
    const schema = schemaOf({
      objects: [
        object('A', { id: 'ID!', b: 'B' }),
        object('B', { id: 'ID!', c: 'C!' }),
        object('C', { id: 'ID!', d: 'D' }),
        object('D', { id: 'ID!' }),
      ],
      queries: [query('a', 'A'), query('b', 'B'), query('d', '[D]')],
    });
    expect(Object.keys(definitions(schema)).toSorted()).toEqual(['A', 'B', 'B.2', 'C', 'C.2', 'D']);
    expect(definitions(schema).C).toEqual({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' } },
    });
  });

  test('omit the fields of a union that GraphQL returns under another name', () => {
    const schema = schemaOf({
      objects: [object('A', { id: 'ID!', value: 'Int!' }), object('B', { value: 'String' })],
      unions: [union('U', ['A', 'B'])],
      queries: [query('u', 'U')],
    });
    const found = definitions(schema).U as { anyOf: { allOf: unknown[] }[] };
    expect(found.anyOf.map(({ allOf }) => allOf)).toEqual([
      [{ $ref: '#/definitions/A' }],
      [{ type: 'object', required: [], properties: {} }],
    ]);
  });

  test('are empty if no answer has an object or an enum', () => {
    const schema = schemaOf({ queries: [query('a', 'Int'), query('b', '[[String!]]!')] });
    const rows = { type: 'array', items: { type: ['array', 'null'], items: { type: 'string' } } };
    expect(answers(schema)).toEqual({
      schemas: { 'query a': { type: ['integer', 'null'] }, 'query b': rows },
      definitions: {},
      ids: {},
    });
  });
});

test.each(['answers', 'base_url'])('an id that is called %s does not replace that variable', (name) => {
  const schema = schemaOfText(`
    (form { text: String })-[:FOLD]->(made { ${name}: ID! })
    (made)-[:PROCESS { ${name}: ID! }]->(read { id: ID! })
  `);
  expect(links(schema)).toEqual({ made: `${name}_:=${name}`, read: `${name}={{${name}_}}` });
});
