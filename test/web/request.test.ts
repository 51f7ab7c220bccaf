import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { exampleArgument } from '../../src/compiler/api/examples.js';
import { exampleRequest } from '../../src/compiler/api/rest-request.js';
import { restRoute } from '../../src/compiler/api/rest-routes.js';
import { schemaToGraphQL } from '../../src/compiler/emit/graphql.js';
import type { GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { draftOf } from '../../web/try/drafts.js';
import { readCall } from '../../web/try/read-call.js';
import {
  answeredType,
  type CallForm,
  fitForm,
  graphqlOf,
  initialForm,
  type Protocol,
  requestOf,
} from '../../web/try/request.js';
import { operationNamed, operations, schemaOf, schemas } from './examples.js';

/** A form in which everything is given. */
function wholeForm(schema: GqlSchema, operation: GqlOperation, protocol: Protocol): CallForm {
  const drafts = operation.arguments.map((each) => [
    each.name,
    draftOf(schema, each.type, exampleArgument(schema, each)),
  ]);
  return { protocol, drafts: Object.fromEntries(drafts), picks: {} };
}

const callable = operations.filter(([, , { kind }]) => kind !== 'subscription');

test.each(callable)('the REST request of %s equals that of the other documents', (_, schema, operation) => {
  if (operation.page !== undefined) return;
  const { method, target, body } = exampleRequest(schema, restRoute(operation));
  const request = requestOf(schema, operation, wholeForm(schema, operation, 'rest'), '/graphql');
  expect(request).toMatchObject({ method, url: target });
  expect(request.body).toEqual(body === undefined ? undefined : JSON.stringify(body));
});

const executable = new Map(schemas.map(([, schema]) => [schema, buildSchema(schemaToGraphQL(schema))]));

describe('the GraphQL document', () => {
  test.each(operations)('of %s is valid, with all arguments and with the required ones', (_, schema, operation) => {
    for (const form of [wholeForm(schema, operation, 'graphql'), initialForm(schema, operation)]) {
      const { query, variables } = graphqlOf(schema, operation, form);
      expect(validate(executable.get(schema) as never, parse(query)).map(String)).toEqual([]);
      expect(Object.keys(variables)).toEqual(Object.keys(form.drafts));
    }
  });
});

describe('the form is restored from a recorded request:', () => {
  test.each(callable)('%s over REST', (_, schema, operation) => {
    const form = wholeForm(schema, operation, 'rest');
    const request = requestOf(schema, operation, form, '/graphql');
    expect(readCall(schema, operation, 'rest', request)).toEqual(form);
  });

  test.each(operations)('%s over GraphQL', (_, schema, operation) => {
    const form = wholeForm(schema, operation, 'graphql');
    const read = readCall(schema, operation, 'graphql', requestOf(schema, operation, form, '/graphql'));
    expect(read?.drafts).toEqual(form.drafts);
    const again = read && requestOf(schema, operation, read, '/graphql');
    expect(again).toEqual(requestOf(schema, operation, form, '/graphql'));
  });

  const schema = schemaOf(`
(box { id: ID!, name: String, maker: Maker })
(maker { id: ID!, name: String! })
(size: Input { width: Int!, height: Int })
(shop)-[:PROCESS { operation: 'find', id: ID!, size: Size, words: [String!] }]->(box)
`);
  const find = operationNamed(schema, 'find');

  test('literals, variables, aliases and fragments of GraphQL', () => {
    const query = `query Q($s: Int!) { other: __typename mine: find(id: 7, size: { width: $s }) { ...Part maker { name } } }
      fragment Part on Box { id maker { id } ...Part }`;
    const body = JSON.stringify({ query, variables: { s: 3 } });
    expect(readCall(schema, find, 'graphql', { body })).toEqual({
      protocol: 'graphql',
      drafts: { id: '7', size: { width: '3' } },
      picks: { Box: { id: true, maker: { id: true, name: true } } },
    });
  });

  test('arguments of fields, through members, fragments and variables', () => {
    const schema = schemaOf(`
(box { id: ID!, size(unit: String!, digits: Int = 2): Int! })
(crate { id: ID!, boxes: [Box!] })
(shop)-[:PROCESS]->(store { found: Found })
(box | crate)-[:RACE]->(found)
`);
    const store = operationNamed(schema, 'store');
    const query = `query($u: String!) { store { found { ...B ... on Crate { boxes { size(unit: $u, digits: 3) } } } } }
      fragment B on Box { size(unit: "cm") }`;
    const body = JSON.stringify({ query, variables: { u: 'in' } });
    const form = readCall(schema, store, 'graphql', { body });
    expect(form?.fieldDrafts).toEqual({
      'found.Box.size': { unit: 'cm' },
      'found.Crate.boxes.size': { unit: 'in', digits: '3' },
    });
    const again = requestOf(schema, store, form as CallForm, '/graphql');
    expect(readCall(schema, store, 'graphql', again)).toEqual(form);
    expect(again.body).toContain('size(unit: \\"in\\", digits: 3)');
  });

  test('GraphQL in a query string', () => {
    const url = `/graphql?${new URLSearchParams({ query: '{ find(id: "a") { id } }' })}`;
    expect(readCall(schema, find, 'graphql', { url })).toMatchObject({ drafts: { id: 'a' } });
  });

  test('the fields of REST', () => {
    const url = '/api/find?id=1&fields=name,maker.name&size[width]=2&words=a&words=b';
    expect(readCall(schema, find, 'rest', { url })).toEqual({
      protocol: 'rest',
      drafts: { id: '1', size: { width: '2' }, words: ['a', 'b'] },
      picks: { Box: { name: true, maker: { name: true } } },
    });
  });

  test.each([{}, { body: '{' }, { body: '{"query":"{"}' }, { body: '{"query":"{ other }"}' }, { body: '[]' }])(
    'but not %j, which has no such operation',
    (request) => {
      expect(readCall(schema, find, 'graphql', request)).toBeUndefined();
    },
  );
});

test('adapts a form of an older topology, and never calls a subscription over REST', () => {
  const schema = schemaOf(`
(form { id: ID })-[:FOLD]->(box { id: ID! })
(box)-[:FORK]->(boxed: Event { id: ID! })
`);
  const boxed = schema.subscriptions[0] as GqlOperation;
  expect(fitForm(schema, boxed, { protocol: 'rest', drafts: { former: 'a' }, picks: {} })).toEqual({
    protocol: 'graphql',
    drafts: {},
    picks: {},
  });
  expect(answeredType(boxed, 'graphql')).toBe('Boxed');
  expect(requestOf(schema, boxed, initialForm(schema, boxed), '/graphql').headers).toContainEqual({
    name: 'accept',
    value: 'text/event-stream',
  });
});
