import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServer } from '../../../../src/index.js';
import { runs } from '../../../arbitraries/runs.js';

const source = `
(root)-[:PROCESS { id: ID!, count: Int = 2 }]->(read_user: Record { id: ID!, name: String!, age: Int })
(input_user { name: String! })-[:FOLD]->(save_user { id: ID!, name: String! })
(save_user)-[:FORK]->(user_saved { id: ID! })
`;

let calls: unknown[];
let makeContext: (request: Request) => unknown;
let value: unknown;
beforeEach(() => {
  calls = [];
  value = { id: 1, name: 'Ä “x”', age: 3 };
  makeContext = (request) => request.headers.get('x-user');
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

function serve(): GqlServer {
  const answer = (_: unknown, args: unknown, context: unknown): unknown => {
    calls.push({ args, context });
    if (value instanceof Error) throw value;
    return value;
  };
  return createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    resolvers: { Query: { readUser: answer }, Mutation: { saveUser: answer } },
    context: (request) => makeContext(request),
  });
}

/** All that a client can see of an answer, and what the resolvers saw. */
async function ask(server: GqlServer, body: unknown, headers: Record<string, string>, path = '/graphql') {
  calls = [];
  const response = await server.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'ada', ...headers },
      body: JSON.stringify(body),
    }),
  );
  return {
    status: response.status,
    statusText: response.statusText,
    // Each server has a log of its own, whose events have ids of their own.
    headers: [...response.headers].filter(([name]) => name !== 'event-id'),
    text: await response.text(),
    calls,
  };
}

/** The same request to a server that has never seen its document, and to one that knows it. */
async function bothWays(body: unknown, headers: Record<string, string> = {}, path?: string) {
  const first = await ask(serve(), body, headers, path);
  const server = serve();
  for (const query of Object.values(queries)) await ask(server, { query, variables: { id: 1 } }, {});
  const second = await ask(server, body, headers, path);
  return { first, second, third: await ask(server, body, headers, path) };
}

const queries = {
  plain: '{ readUser(id: 1) { id name age } }',
  variables: 'query One($id: ID!, $count: Int) { readUser(id: $id, count: $count) { id name } }',
  mutation: 'mutation { saveUser(input: { name: "a" }) { id name } }',
  two: 'query A { readUser(id: 1) { id } } query B { readUser(id: 2) { id } }',
  invalid: '{ nothing }',
  broken: '{',
};

const odd = fc.record(
  {
    query: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...Object.values(queries)) }, fc.constant(5)),
    variables: fc.constantFrom<unknown>(null, {}, { id: 1 }, { id: 'x', count: 1 }, { count: 'x' }, [], 'text'),
    operationName: fc.constantFrom<unknown>(null, '', 'One', 'A', 'Other', 3),
    extensions: fc.constantFrom<unknown>({}, null),
    other: fc.constant(1),
  },
  { requiredKeys: ['query'] },
);
/** Most requests are plain, with at most one thing about them that is not. */
const plain = fc.record({
  query: fc.constantFrom(queries.plain, queries.variables, queries.mutation),
  variables: fc.constantFrom({ id: 1 }, { id: 'x', count: 1 }),
});
const bodies = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: odd });
const headers = fc.record(
  {
    accept: fc.constantFrom(
      '*/*',
      'application/json',
      'application/json, */*',
      'application/json;q=0.5, application/graphql-response+json',
      'application/graphql-response+json',
      'text/html',
    ),
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json; charset=latin1',
      'application/graphql+json',
      'text/plain',
    ),
  },
  { requiredKeys: [] },
);
const values = fc.constantFrom<unknown>(
  { id: 1, name: 'Ada', age: 3 },
  { id: null, name: 'Ada' },
  { id: 2, name: 'x', age: 'old' },
  null,
  new Error('a secret'),
  new GraphQLError('Not yours.', { extensions: { code: 'FORBIDDEN', http: { status: 403 } } }),
);

describe('a known operation', () => {
  test('is answered like Yoga does, and runs once', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.oneof(fc.constant({}), headers), values, async (body, given, result) => {
        value = result;
        const { first, second, third } = await bothWays(body, given);
        expect(second).toEqual(first);
        expect(third).toEqual(first);
      }),
      { numRuns: runs(100) },
    );
  });

  test('creates its context once, and reports its failure like Yoga', async () => {
    let made = 0;
    makeContext = () => {
      made += 1;
      throw new GraphQLError('Who are you?', {
        extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
      });
    };
    const { first, second } = await bothWays({ query: queries.plain });
    expect(second).toEqual(first);
    const server = serve();
    makeContext = () => 'fine';
    await ask(server, { query: queries.plain }, {});
    made = 0;
    makeContext = () => {
      made += 1;
      throw new Error('down');
    };
    const known = await ask(server, { query: queries.plain }, {});
    expect(made).toBe(1);
    expect(known).toEqual(await ask(serve(), { query: queries.plain }, {}));
    expect(known.calls).toEqual([]);
  });

  test('with a query string is answered like Yoga does', async () => {
    const { first, second } = await bothWays({ query: queries.plain }, {}, '/graphql?query=%7Ba%7D');
    expect(second).toEqual(first);
  });
});
