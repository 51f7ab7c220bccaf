import { GraphQLError, GraphQLScalarType } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { ask, post, run, serve } from '../../server/topology-server.js';

describe('resolvers', () => {
  const source = `
    (user { id: ID!, name: String!, friends: [User!]! })
    (root)-[:PROCESS { id: ID! }]->(user)
    (form { name: String! })-[:FOLD { operation: 'saveUser', returns: User! }]->(user)
  `;

  test('get the parent, the arguments, the context and the info', async () => {
    const resolver = vi.fn(() => ({ id: '1', name: 'Ada', friends: [] }));
    const context = { me: 1 };
    const server = serve(source, { resolvers: { Query: { user: resolver } }, context });
    await run(server, '{ user(id: 5) { name } }');
    expect(resolver).toHaveBeenCalledWith(
      undefined,
      { id: '5' },
      context,
      expect.objectContaining({ fieldName: 'user' }),
    );
  });

  test('resolve fields of any type, also as values', async () => {
    const server = serve(source, {
      resolvers: {
        Query: { user: { id: '1', secret: 'x' } },
        User: { name: (parent: { secret: string }) => parent.secret, friends: [] },
      },
    });
    expect((await run(server, '{ user(id: 1) { id name friends { id } } }')).data).toEqual({
      user: { id: '1', name: 'x', friends: [] },
    });
  });

  test('get the constants of an object without a resolver as their parent', async () => {
    const server = serve("(root)-[:PROCESS]->(greeting { name: 'Ada', text: String! })", {
      resolvers: { Greeting: { text: (parent: { name: string }) => `Hello ${parent.name}` } },
    });
    expect((await run(server, '{ greeting { text } }')).data).toEqual({ greeting: { text: 'Hello Ada' } });
  });

  test('of a type are enough for its operation', async () => {
    const server = serve('(root)-[:PROCESS]->(clock { now: String! })', {
      resolvers: { Clock: { now: () => 'noon' } },
    });
    expect((await run(server, '{ clock { now } }')).data).toEqual({ clock: { now: 'noon' } });
  });

  test('that are undefined are ignored', async () => {
    const server = serve("(root)-[:PROCESS]->(hello { text: 'Hello' })", {
      resolvers: { Query: { hello: undefined as never }, Mutation: undefined as never },
    });
    expect((await run(server, '{ hello { text } }')).data).toEqual({ hello: { text: 'Hello' } });
  });

  test('that are inherited are ignored', async () => {
    const server = serve("(root)-[:PROCESS]->(constructor { text: 'Hello' })", { resolvers: { Query: {} } });
    expect((await run(server, '{ constructor { text } }')).data).toEqual({ constructor: { text: 'Hello' } });
  });

  test('of the program take precedence over those of a layer', async () => {
    const schema = {
      queries: ['one', 'two'].map((name) => ({
        kind: 'query' as const,
        name,
        description: undefined,
        arguments: [],
        type: { kind: 'named' as const, name: 'String' },
        edges: [],
      })),
    };
    const server = serve('(a { id: ID! })', {
      layers: [{ schema, resolvers: { Query: { one: 'layer', two: 'layer' } } }, { schema: {} }],
      resolvers: { Query: { two: 'user' } },
    });
    expect((await run(server, '{ one two }')).data).toEqual({ one: 'layer', two: 'user' });
    expect(server.exportGraphQL()).toContain('two: String');
  });

  test('are the same for GraphQL and REST', async () => {
    const server = serve(source, {
      resolvers: {
        Query: {
          user: (_: unknown, { id }: { id: string }) => ({
            id,
            name: 'Ada',
            friends: [{ id: 2, name: 'Bo', friends: [] }],
          }),
        },
        Mutation: {
          saveUser: (_: unknown, { input }: { input: { name: string } }) => ({
            id: 9,
            friends: [],
            ...input,
          }),
        },
      },
    });
    const graphql = await post(server, '/graphql', {
      query: 'query($id: ID!) { user(id: $id) { id name friends { id name } } }',
      variables: { id: '1' },
    });
    const rest = await ask(server, '/api/user?id=1&fields=id,name,friends.id,friends.name');
    expect(rest.body).toEqual(graphql.body.data.user);
    const mutation = await post(server, '/graphql', {
      query: 'mutation { saveUser(input: { name: "Zoe" }) { id name friends { id } } }',
    });
    expect((await post(server, '/api/saveUser?fields=id,name,friends.id', { input: { name: 'Zoe' } })).body).toEqual(
      mutation.body.data.saveUser,
    );
  });
});

describe('unions', () => {
  const source = `
    (cat { name: String!, lives: Int! = 9 })
    (dog { name: String!, barks: Boolean })
    (cat | dog)-[:RACE]->(pet)
    (root)-[:PROCESS]->(pet)
    (root)-[:PROCESS { operation: 'pets', returns: [Pet!]! }]->(pet)
  `;
  const query = '{ pet { __typename ... on Cat { name lives } ... on Dog { name } } }';

  test('are determined by __typename of the value', async () => {
    const server = serve(source, { resolvers: { Query: { pet: { __typename: 'Cat', name: 'Tom' } } } });
    expect((await run(server, query)).data).toEqual({ pet: { __typename: 'Cat', name: 'Tom', lives: 9 } });
  });

  test('are determined by __resolveType', async () => {
    const server = serve(source, {
      resolvers: {
        Query: { pets: () => [{ name: 'Tom', lives: 7 }, { name: 'Rex' }] },
        PetRace: { __resolveType: async (value: object) => ('lives' in value ? 'Cat' : 'Dog') },
      },
    });
    expect((await run(server, '{ pets { __typename ... on Cat { lives } } }')).data).toEqual({
      pets: [{ __typename: 'Cat', lives: 7 }, { __typename: 'Dog' }],
    });
  });

  test('are determined by __isTypeOf of a member', async () => {
    const server = serve(source, {
      resolvers: {
        Query: { pet: () => ({ name: 'Rex', barks: true }) },
        Cat: { __isTypeOf: () => false },
        Dog: { __isTypeOf: async (value: object) => 'barks' in value },
      },
    });
    expect((await run(server, query)).data).toEqual({ pet: { __typename: 'Dog', name: 'Rex' } });
  });

  test('are determined by their only member', async () => {
    const server = serve('(cat { name: String! })-[:RACE]->(pet)\n(root)-[:PROCESS]->(pet)', {
      resolvers: { Query: { pet: () => ({ name: 'Tom' }) } },
    });
    expect((await run(server, '{ pet { __typename } }')).data).toEqual({ pet: { __typename: 'Cat' } });
  });

  test('without a known member fail with advice', async () => {
    vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
    const server = serve(source, { resolvers: { Query: { pet: () => ({ name: 'Tom' }) } } });
    expect((await run(server, query)).errors[0].message).toBe(
      'Cannot determine which of Cat, Dog this value is: add __typename to the value, or give PetRace.__resolveType.',
    );
  });
});

describe('custom scalars', () => {
  const source = `
    (moment: Scalar)
    (root)-[:PROCESS { at: Moment! = '2020-01-01', until: Moment }]->(event { at: Moment!, created: Moment! = '1999-12-31' })
    (form)-[:FOLD { input: Move, at: Moment = '2021-01-01' }]->(moved { at: Moment })
    (move { at: Moment })
  `;
  const Moment = new GraphQLScalarType<Date, string>({
    name: 'Moment',
    serialize: (value) => (value as Date).toISOString().slice(0, 10),
    parseValue(value) {
      const date = new Date(String(value));
      if (Number.isNaN(date.getTime())) throw new Error('it is no date');
      return date;
    },
  });
  const resolvers = {
    Moment,
    Query: { event: (_: unknown, { at }: { at: Date }) => ({ at: new Date(at.getTime() + 86_400_000) }) },
    Mutation: {
      moved: (_: unknown, { at, input }: { at: Date; input?: { at: Date } }) => ({ at: input?.at ?? at }),
    },
  };

  test('read arguments, defaults and constants, and write results', async () => {
    const server = serve(source, { resolvers });
    expect((await run(server, '{ event { at created } }')).data).toEqual({
      event: { at: '2020-01-02', created: '1999-12-31' },
    });
    expect((await ask(server, '/api/event?at=2024-02-28')).body).toEqual({
      at: '2024-02-29',
      created: '1999-12-31',
    });
    expect((await post(server, '/api/moved', {})).body).toEqual({ at: '2021-01-01' });
    expect((await post(server, '/api/moved', { input: { at: '2022-02-02' } })).body).toEqual({
      at: '2022-02-02',
    });
    expect((await run(server, '{ event(at: "2024-02-28") { at } }')).data).toEqual({
      event: { at: '2024-02-29' },
    });
  });

  test('read the defaults of inputs', async () => {
    const input = { kind: 'named' as const, name: 'WhenInput' };
    const text = { kind: 'named' as const, name: 'String' };
    const common = { description: undefined, span: undefined };
    const server = serve('(moment: Scalar)', {
      layers: [
        {
          schema: {
            objects: [
              {
                name: 'When',
                description: undefined,
                fields: [{ ...common, name: 'at', type: text, fallback: undefined }],
                node: undefined,
              },
            ],
            inputs: [
              {
                name: 'WhenInput',
                of: 'When',
                description: undefined,
                fields: [{ ...common, name: 'at', type: { kind: 'named', name: 'Moment' }, fallback: '2000-01-01' }],
              },
            ],
            queries: [
              {
                kind: 'query',
                name: 'year',
                description: undefined,
                arguments: [{ ...common, name: 'when', type: input, fallback: undefined }],
                type: text,
                edges: [],
              },
            ],
          },
          resolvers: {
            Moment,
            Query: { year: (_: unknown, { when }: { when: { at: Date } }) => String(when.at.getFullYear()) },
          },
        },
      ],
    });
    expect((await run(server, '{ year(when: {}) }')).data).toEqual({ year: '2000' });
  });

  test('reject invalid values, and REST names the parameter', async () => {
    const server = serve(source, { resolvers });
    const answer = await ask(server, '/api/event?at=2024-02-28&until=never');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      parameter: 'until',
      detail: '“until” is not a Moment: it is no date',
    });
    const body = await post(server, '/api/moved', { input: { at: 'never' } });
    expect(body.body.parameter).toBe('input.at');
  });

  test('pass values through without a resolver', async () => {
    const server = serve(source, {
      resolvers: { Query: { event: (_: unknown, { at }: { at: unknown }) => ({ at }) } },
    });
    expect((await run(server, '{ event { at created } }')).data).toEqual({
      event: { at: '2020-01-01', created: '1999-12-31' },
    });
  });
});

describe('subscriptions', () => {
  const source = '(a)-[:FORK { id: ID }]->(heard { id: ID!, level: Int! = 3 })\n(b)-[:FORK]->(value { value: Float })';
  const first = async (server: ReturnType<typeof serve>, query: string) => {
    const results = await server.subscribe({ query });
    if (!(Symbol.asyncIterator in results)) return JSON.parse(JSON.stringify(results));
    const { value } = await results.next();
    await results.return();
    return JSON.parse(JSON.stringify(value));
  };

  test('run an async generator, whose events are the values', async () => {
    const server = serve(source, {
      resolvers: {
        Subscription: {
          async *heard(_: unknown, { id }: { id: string }) {
            yield { id };
          },
        },
      },
    });
    expect(await first(server, 'subscription { heard(id: 5) { id level } }')).toEqual({
      data: { heard: { id: '5', level: 3 } },
    });
  });

  test('accept events that contain the value under the name of the field', async () => {
    const server = serve(source, {
      resolvers: {
        Subscription: {
          async *heard() {
            yield { heard: { id: 1 } };
          },
        },
      },
    });
    expect(await first(server, 'subscription { heard { id } }')).toEqual({ data: { heard: { id: '1' } } });
  });

  test('distinguish the value from such an event if it has a field of that name', async () => {
    const events = [{ value: 1.5 }, { value: { value: 2.5 } }];
    const server = serve(source, {
      resolvers: {
        Subscription: {
          async *value() {
            yield* events;
          },
        },
      },
    });
    const results = await server.subscribe({ query: 'subscription { value { value } }' });
    const data: unknown[] = [];
    if (Symbol.asyncIterator in results) for await (const result of results) data.push(result.data?.value);
    expect(JSON.parse(JSON.stringify(data))).toEqual([{ value: 1.5 }, { value: 2.5 }]);
  });

  test('accept { subscribe, resolve }', async () => {
    const server = serve(source, {
      resolvers: {
        Subscription: {
          heard: {
            subscribe: async () =>
              (async function* () {
                yield 7;
              })(),
            resolve: (event: unknown) => ({ id: event }),
          },
        },
      },
    });
    expect(await first(server, 'subscription { heard { id } }')).toEqual({ data: { heard: { id: '7' } } });
  });

  test('end at once when unsubscribed, even while no event comes', async () => {
    let ended = false;
    const server = serve(source, {
      resolvers: {
        Subscription: {
          heard: () => ({
            next: () => new Promise(() => undefined),
            return: async () => {
              ended = true;
              return { done: true, value: undefined };
            },
            [Symbol.asyncIterator]() {
              return this;
            },
          }),
        },
      },
    });
    const results = await server.subscribe({ query: 'subscription { heard { id } }' });
    if (!(Symbol.asyncIterator in results)) throw new Error('it did not start');
    void results.next();
    await results.return();
    expect(ended).toBe(true);
  });

  test('fail with the error of their source, and of a throw by the reader', async () => {
    const server = serve(source, {
      resolvers: {
        Subscription: {
          async *heard() {
            yield { id: 1 };
          },
          value: () => {
            throw new GraphQLError('no value today');
          },
        },
      },
    });
    expect((await first(server, 'subscription { value { value } }')).errors[0].message).toBe('no value today');
    const results = await server.subscribe({ query: 'subscription { heard { id } }' });
    if (!(Symbol.asyncIterator in results)) throw new Error('it did not start');
    await expect(results.throw(new Error('enough'))).rejects.toThrow('enough');
  });

  test('run with subscribe, other operations with executeOperation', async () => {
    const server = serve(source, { federation: false });
    expect((await run(server, 'subscription { heard { id } }')).errors[0].message).toBe(
      'Run a subscription with subscribe().',
    );
    const result = await server.subscribe({ query: '{ _empty }' });
    expect(result).toMatchObject({ errors: [{ message: 'Run a query with executeOperation().' }] });
  });
});
