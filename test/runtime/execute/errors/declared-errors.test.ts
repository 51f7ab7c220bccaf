import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGqlServer } from '../../../../src/runtime/server/service.js';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const source = `
(gone: Problem { status: 410, at: DateTime })
(a { id: ID! })
(root)-[:PROCESS { operation: 'one', throws: Gone }]->(a)
(root)-[:PROCESS { operation: 'other' }]->(a)
(root)-[:FOLD { returns: A }]->(made { id: ID! })
(made)-[:FORK { throws: [Gone] }]->(told { id: ID! })
(made)-[:FORK]->(untold { id: ID! })
`;

const fail = () => {
  throw Object.assign(new Error('Gone.'), { name: 'Gone', at: new Date(0) });
};

function serve(resolvers = { Query: { one: fail, other: fail } }) {
  return createGqlServer({ topologies: [{ name: 'a.gg', source }], resolvers: resolvers as never });
}

const codesOf = ({ errors }: { readonly errors?: readonly { readonly extensions?: unknown }[] | undefined }) =>
  errors?.map(({ extensions }) => (extensions as { readonly code: string }).code);

describe('a declared error', () => {
  test.each([
    '{ one { id } other { id } }',
    '{ other: one { id } one: other { id } }',
    'query Q { ...F } fragment F on Query { one { id } ... on Query { other { id } } }',
    'query P { one: other { id } } query Q { one { id } ... { other { id } } }',
  ])('belongs to the operation that calls the field: %s', async (query) => {
    const operationName = query.includes('Q') ? { operationName: 'Q' } : {};
    const result = await serve().executeOperation({ query, ...operationName });
    expect(codesOf(result)).toEqual(['GONE', 'INTERNAL_SERVER_ERROR']);
  });

  test('has its scalars in their JSON form', async () => {
    const { errors } = await serve().executeOperation({ query: '{ one { id } }' });
    expect(errors?.[0]?.extensions).toEqual({ code: 'GONE', at: '1970-01-01T00:00:00.000Z' });
  });

  test.each([
    ['told', 'GONE'],
    ['untold', 'INTERNAL_SERVER_ERROR'],
  ])('of the subscription %s has the code %s, at the start and in an event', async (name, code) => {
    const start = await serve({ Subscription: { [name]: { subscribe: fail } } } as never).subscribe({
      query: `subscription { x: ${name} { id } }`,
    });
    expect(codesOf(start as never)).toEqual([code]);
    const events = await serve({
      Subscription: {
        [name]: {
          subscribe: async function* () {
            yield 1;
          },
          resolve: fail,
        },
      },
    } as never).subscribe({ query: `subscription { x: ${name} { id } }` });
    const { value } = await (events as AsyncGenerator<object>).next();
    expect(codesOf(value)).toEqual([code]);
  });
});
