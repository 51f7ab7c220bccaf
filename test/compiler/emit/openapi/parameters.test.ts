import type { OpenAPIV3_1 } from 'openapi-types';
import { expect, test } from 'vitest';
import { createGqlServer, schemaToOpenAPI } from '../../../../src/index.js';
import { schemaFrom } from '../../../analysis/diff/schemas.js';

const source = `
  (user { id: ID! })
  (root)-[:PROCESS { id: ID! }]->(user)
  (user)-[:FORK]->(user_changed { id: ID! })
  (user)-[:FOLD { idempotent: 'required' }]->(saved { id: ID! })
  (user)-[:FOLD]->(drafted { id: ID! })`;

/** The header of each operation: required, optional or none. */
function keysOf({ paths, components }: OpenAPIV3_1.Document): Record<string, string> {
  const found = Object.values(paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, OpenAPIV3_1.OperationObject>).map(({ operationId, parameters = [] }) => {
      const all = parameters.map((parameter) => {
        if (!('$ref' in parameter)) return parameter;
        return components?.parameters?.[parameter.$ref.split('/').at(-1) ?? ''];
      }) as OpenAPIV3_1.ParameterObject[];
      const key = all.find(({ name }) => name === 'Idempotency-Key');
      return [operationId, key === undefined ? 'none' : key.required === true ? 'required' : 'optional'];
    }),
  );
  return Object.fromEntries(found);
}

const without = { user: 'none', userChanged: 'none', saved: 'required', drafted: 'none' };

test('a mutation that requires a key has the header, regardless of the server options', () => {
  const document = schemaToOpenAPI(schemaFrom(source), 'Users');
  expect(keysOf(document)).toEqual(without);
  expect(Object.keys(document.components?.parameters ?? {})).toContain('RequiredIdempotencyKey');
  expect(Object.keys(document.components?.parameters ?? {})).not.toContain('IdempotencyKey');
});

test('a topology without required keys has neither the header nor its component', () => {
  const document = schemaToOpenAPI(schemaFrom(source.replace("{ idempotent: 'required' }", '')), 'Users');
  expect(keysOf(document)).toEqual({ ...without, saved: 'none' });
  expect(JSON.stringify(document)).not.toContain('Idempotency');
});

test.each([
  [true, { ...without, drafted: 'optional' }],
  [false, without],
])(
  'the document of a server with the option idempotency (%s) has the header of its mutations',
  async (has, expected) => {
    const server = createGqlServer({
      topologies: [{ name: 'users.gg', source }],
      ...(has ? { idempotency: {} } : {}),
    });
    const answer = await server.fetch(new Request('http://localhost/openapi.json'));
    expect(keysOf((await answer.json()) as OpenAPIV3_1.Document)).toMatchObject(expected);
  },
);
