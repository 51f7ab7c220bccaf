import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTools } from '../../../src/runtime/mcp/toolset/create-tools.js';
import { runs } from '../../arbitraries/runs.js';
import { validator } from '../../compiler/emit/validator.js';
import { project } from '../../compiler/schema/check.js';
import { ask, post, serve } from '../server/topology-server.js';

/** The declarations of arguments, and values that the constraints accept or refuse. */
const declarations: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  '/// @pattern ^[A-Z]\\d+$\n a: ID!': fc.oneof(fc.constantFrom('A1', 'a1', '12', 12, 0), fc.string()),
  '/// @pattern ^\\d+$\n a: ID!': fc.constantFrom('12', 'x', '', '007'),
  '/// @maxLength 3\n a: ID!': fc.oneof(fc.string({ maxLength: 6, unit: 'grapheme' }), fc.constant('1234')),
  '/// @minLength 2\n a: [ID!]!': fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
  'a: ID!': fc.oneof(fc.integer(), fc.string(), fc.constantFrom(1.5, true, null, 2 ** 53 - 1)),
  'a: Int!': fc.oneof(fc.integer(), fc.constantFrom(2 ** 31, -(2 ** 31), 2 ** 53 + 2, 1.5, 'x')),
  '/// @minimum 1\n/// @maximum 9\n a: Int!': fc.integer({ min: -2, max: 12 }),
  '/// @multipleOf 3\n a: Int!': fc.integer({ min: -20, max: 20 }),
  '/// @exclusiveMinimum 0\n/// @exclusiveMaximum 1\n a: Float!': fc.constantFrom(0, 0.5, 1, 1e-9, -1),
  '/// @multipleOf 0.25\n a: Float!': fc.constantFrom(0.25, 0.3, 19.75, 19.9, 1e6),
  '/// @minLength 1\n/// @maxLength 2\n a: String!': fc.string({ maxLength: 4, unit: 'grapheme' }),
  '/// @pattern ^a+$\n a: String!': fc.constantFrom('a', 'aa', 'b', '', 7),
  '/// @minItems 1\n/// @maxItems 2\n/// @maximum 5\n a: [Int!]!': fc.array(fc.integer({ min: 3, max: 7 }), {
    maxLength: 3,
  }),
};

function open(declaration: string) {
  const text = `(form { x: Int }) (done { ok: Boolean })
    (form)-[:FOLD { operation: 'check', ${declaration}, returns: Done }]->(done)`;
  const server = serve(text, { federation: false, resolvers: { Mutation: { check: () => ({ ok: true }) } } });
  const { schema } = project(text);
  const [tool] = createTools(schema, 'operations');
  const [, type = ''] = /a: (\S+)$/.exec(declaration) ?? [];
  return { server, tool, type };
}

describe('one verdict', () => {
  test.each(Object.entries(declarations))('on %s: the document, REST, GraphQL and the tool', async (text, values) => {
    const { server, tool, type } = open(text);
    const { body: document } = await ask(server, '/openapi.json');
    const validate = validator(document)('/paths/~1api~1check/post/requestBody/content/application~1json/schema');
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validateTool = ajv.compile(tool?.definition.inputSchema ?? {});
    const query = `mutation ($a: ${type}) { check(a: $a) { ok } }`;
    await fc.assert(
      fc.asyncProperty(values, async (a) => {
        const rest = await post(server, '/api/check', { a });
        const graphql = await post(server, '/graphql', { query, variables: { a } });
        const verdicts = {
          document: validate({ a }),
          rest: rest.status === 200,
          graphql: graphql.body.errors === undefined,
          tool: validateTool({ a }),
        };
        expect(new Set(Object.values(verdicts)), JSON.stringify({ a, ...verdicts })).toHaveProperty('size', 1);
      }),
      { numRuns: runs(30) },
    );
  });

  test('on integers beyond 2^53 as IDs: nothing takes a number whose digits are lost', async () => {
    const { server } = open('a: ID!');
    const query = 'mutation ($a: ID!) { check(a: $a) { ok } }';
    for (const a of [2 ** 53, 2 ** 53 + 2, -(2 ** 60), 1e21]) {
      expect((await post(server, '/api/check', { a })).status).toBe(400);
      const { body } = await post(server, '/graphql', { query, variables: { a } });
      expect(body.errors[0].message).toContain('Send it as a string');
    }
    const { body } = await post(server, '/graphql', {
      query: 'mutation { check(a: 9007199254740993) { ok } }',
    });
    expect(body).toEqual({ data: { check: { ok: true } } });
  });

  test('on constrained IDs: JSON has them as strings, and GraphQL reads an integer as its text', async () => {
    const { server } = open('/// @pattern ^\\d+$\n a: ID!');
    const { body: document } = await ask(server, '/openapi.json');
    const { a } = document.paths['/api/check'].post.requestBody.content['application/json'].schema.properties;
    expect(a.type).toBe('string');
    const rest = await post(server, '/api/check', { a: 12 });
    expect([rest.status, rest.body.detail]).toEqual([400, '“a” must be a string, not 12.']);
    const { body } = await post(server, '/graphql', { query: 'mutation { check(a: 12) { ok } }' });
    expect(body.errors).toBeUndefined();
  });

  test.each([['a: [ID!]!'], ['a: ID']])('on optional and listed IDs: %s', async (declaration) => {
    const { server } = open(`/// @minLength 2\n ${declaration}`);
    const { body: document } = await ask(server, '/openapi.json');
    const content = document.paths['/api/check'].post.requestBody.content['application/json'];
    expect(JSON.stringify(content.schema)).not.toContain('integer');
    const a = declaration.includes('[') ? [12] : 12;
    expect((await post(server, '/api/check', { a })).status).toBe(400);
  });

  test.each([
    ['the usual limit', undefined, 1000],
    ['another limit', 5, 5],
  ])('on the number of items in a page, with %s', async (_, pageSize, most) => {
    const text = `(item { id: ID! })
      (shop)-[:PROCESS { operation: 'items', page: 2, returns: [Item!]! }]->(item)`;
    const limits = pageSize === undefined ? {} : { limits: { pageSize } };
    const server = serve(text, { ...limits, federation: false, resolvers: { Query: { items: () => [] } } });
    const { body: document } = await ask(server, '/openapi.json');
    const parameters: readonly { name: string; schema: object }[] = document.paths['/api/items'].get.parameters;
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const schema = project(text).schema;
    const [tool] = createTools(schema, 'operations', pageSize);
    const [chain] = createTools(schema, 'chains', pageSize);
    for (const name of ['first', 'last']) {
      const inQuery = ajv.compile(parameters.find((one) => one.name === name)?.schema ?? {});
      const inTool = ajv.compile(tool?.definition.inputSchema ?? {});
      const inChain = ajv.compile(chain?.definition.inputSchema ?? {});
      for (const count of [-1, 0, 1, most, most + 1]) {
        const query = `{ items(${name}: ${count}) { edges { node { id } } } }`;
        const { body } = await post(server, '/graphql', { query });
        const { status } = await ask(server, `/api/items?${name}=${count}`);
        const verdicts = [
          ...[inQuery(count), inTool({ [name]: count }), inChain({ items: { [name]: count } })],
          ...[status === 200, body.errors === undefined],
        ];
        expect(verdicts).toEqual(verdicts.map(() => count >= 0 && count <= most));
      }
    }
  });

  test('on multiples of decimal fractions: validators that divide refuse nothing that the server takes', async () => {
    const { server } = open('/// @multipleOf 0.01\n a: Float!');
    const { body: document } = await ask(server, '/openapi.json');
    const { schema, example } = document.paths['/api/check'].post.requestBody.content['application/json'];
    const ajv = new Ajv2020();
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    expect(validate(example)).toBe(true);
    expect(schema.properties.a).toMatchObject({ $comment: 'multipleOf 0.01' });
    for (const a of [19.9, 0.07, 1.1, 4.35]) {
      expect(validate({ a })).toBe(true);
      expect((await post(server, '/api/check', { a })).status).toBe(200);
    }
    expect((await post(server, '/api/check', { a: 19.905 })).status).toBe(400);
  });
});
