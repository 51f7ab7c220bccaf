import { describe, expect, onTestFinished, test } from 'vitest';
import { baseName } from '../../../../src/compiler/graph/type-ref.js';
import { createGqlServer, sqliteStore } from '../../../../src/index.js';
import { noSqlite } from '../../../runtime/store/engines.js';
import { project } from '../check.js';

const item = `(item: Stored { id: ID!,
    /// @pattern ^[A-Z]{3}-\\d{4}$
    /// @example ABC-1234
    code: String!,
    /// @minimum 1
    /// @maximum 5
    stars: Int = 3,
    /// @maxItems 2
    tags: [String!] })
  (shop)-[:PROCESS { id: ID! }]->(item)`;
const code = { pattern: '^[A-Z]{3}-\\d{4}$' };
const stars = { minimum: 1, maximum: 5 };

/** The constraints of the arguments of a mutation, and of the fields of its inputs. */
function limitsOf(text: string): Record<string, unknown> {
  const { schema } = project(item + text);
  const [mutation] = schema.mutations;
  const inputs = schema.inputs.filter(({ name }) => mutation?.arguments.some(({ type }) => baseName(type) === name));
  const given = [...(mutation?.arguments ?? []), ...inputs.flatMap(({ fields }) => fields)];
  return Object.fromEntries(given.map(({ name, constraints }) => [name, constraints]));
}

describe('what a mutation into a stored node is given', () => {
  test.each<[string, object]>([
    [
      `(shop)-[:FOLD { operation: 'add', code: String!, stars: Int, tags: [String!], returns: Item! }]->(item)`,
      { code, stars, tags: { maxItems: 2 } },
    ],
    [`(shop)-[:FOLD { operation: 'add', code: String!, returns: ID! }]->(item)`, { code }],
    [
      `(shop)-[:FOLD { operation: 'rate', id: ID!,
        /// @store as stars
        rating: Int!, returns: Item }]->(item)`,
      { id: undefined, rating: stars },
    ],
    [`(new_item: Input { code: String! })-[:FOLD { operation: 'add', returns: Item! }]->(item)`, { code }],
    [`(draft { code: String! })-[:FOLD { operation: 'add', returns: Item! }]->(item)`, { code }],
  ])('has the constraints of the columns: %s', (text, limits) => {
    expect(limitsOf(text)).toMatchObject(limits);
  });

  test.each<[string, object]>([
    [
      `(shop)-[:FOLD { operation: 'add',
        /// @maxLength 8
        code: String!, stars: Float, returns: Item! }]->(item)`,
      { code: { maxLength: 8 }, stars: undefined },
    ],
    [
      `(shop)-[:FOLD { operation: 'note', code: String!, returns: Note! }]->(note { code: String! })`,
      { code: undefined },
    ],
    [
      `(given: Input { code: String! })-[:FOLD { operation: 'add', returns: Item! }]->(item)
        (given)-[:FOLD { operation: 'note', returns: Note! }]->(note { code: String! })`,
      { code: undefined },
    ],
  ])('keeps its own constraints, those of other types, and those of inputs with several uses: %s', (text, limits) => {
    expect(limitsOf(text)).toMatchObject(limits);
  });
});

test('an example or a default that its column excludes is an error', () => {
  const text = `${item} (shop)-[:FOLD { operation: 'add',
    /// @example abc
    code: String!, stars: Int = 9, returns: Item! }]->(item)`;
  expect(project(text).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'GG2039 The example "abc" is not valid: it must match the pattern ^[A-Z]{3}-\\d{4}$.',
    'GG2039 The default 9 is not valid: it must be at most 5.',
  ]);
});

test.skipIf(noSqlite)('the store takes the examples of the documents, and refuses what these exclude', async () => {
  const source = `${item} (shop)-[:FOLD { operation: 'add', code: String!, stars: Int!, returns: Item! }]->(item)`;
  const store = sqliteStore({ file: ':memory:' });
  const server = createGqlServer({ topologies: [{ name: 'a.gg', source }], store });
  onTestFinished(() => server.close());
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    const response = await server.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
    return { status: response.status, json: await response.json() };
  };
  const { json: openapi } = await ask('/openapi.json');
  const { schema, example } = openapi.paths['/api/add'].post.requestBody.content['application/json'];
  expect(schema.properties).toMatchObject({ code, stars });
  expect(await ask('/api/add', example)).toMatchObject({ status: 200, json: example });
  expect(await ask('/api/add', { code: 'x', stars: 9 })).toMatchObject({
    status: 400,
    json: { errors: [{ pointer: '#/code' }, { pointer: '#/stars' }] },
  });
});
