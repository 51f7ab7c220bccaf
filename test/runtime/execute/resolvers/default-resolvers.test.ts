import { describe, expect, test, vi } from 'vitest';
import { ask, run, serve } from '../../server/topology-server.js';

describe('a topology without resolvers', () => {
  test('serves the constants of a node', async () => {
    const server = serve("(root)-[:PROCESS]->(hello { text: 'Hello', stars: 5, tags: ['a', 'b'] })");
    expect((await run(server, '{ hello { text stars tags } }')).data).toEqual({
      hello: { text: 'Hello', stars: 5, tags: ['a', 'b'] },
    });
    expect((await ask(server, '/api/hello')).body).toEqual({ text: 'Hello', stars: 5, tags: ['a', 'b'] });
  });

  test('serves a node without fields by its id', async () => {
    expect((await run(serve('(root)-[:PROCESS]->(ping)'), '{ ping { id } }')).data).toEqual({
      ping: { id: 'ping' },
    });
  });

  test('serves constants to a mutation', async () => {
    const server = serve("(form { name: String })-[:FOLD]->(saved { state: 'done' })");
    expect((await run(server, 'mutation { saved(input: { name: "a" }) { state } }')).data).toEqual({
      saved: { state: 'done' },
    });
  });

  test('serves the constants of nested objects', async () => {
    const server = serve(`
      (root)-[:PROCESS]->(shop { address: Address, owner: Owner!, note: String })
      (address { city: 'Ulm', street: String })
      (owner { name: 'Ada' })
    `);
    expect((await run(server, '{ shop { address { city street } owner { name } note } }')).data).toEqual({
      shop: { address: { city: 'Ulm', street: null }, owner: { name: 'Ada' }, note: null },
    });
  });

  test('returns null for a nullable object that its constants do not complete', async () => {
    const server = serve(`
      (root)-[:PROCESS]->(shop { name: 'Corner', address: Address })
      (address { city: 'Ulm', street: String! })
    `);
    expect((await run(server, '{ shop { name address { city street } } }')).data).toEqual({
      shop: { name: 'Corner', address: null },
    });
  });

  test('serves recursive objects to the requested depth', async () => {
    const server = serve(`
      (root)-[:PROCESS]->(one { name: 'one', other: Two! })
      (two { name: 'two', other: One! })
    `);
    expect((await run(server, '{ one { other { other { other { name } } } } }')).data).toEqual({
      one: { other: { other: { other: { name: 'two' } } } },
    });
  });

  test('serves enums and ids as declared', async () => {
    const server = serve(`
      (status: Enum { values: [OPEN, SHUT] })
      (root)-[:PROCESS]->(door { id: ID! = 7, status: Status! = SHUT, history: [Status!]! = [OPEN, SHUT] })
    `);
    expect((await ask(server, '/api/door')).body).toEqual({
      id: '7',
      status: 'SHUT',
      history: ['OPEN', 'SHUT'],
    });
  });
});

describe('NOT_IMPLEMENTED', () => {
  const source = '// one line\n(root)-[:PROCESS { id: ID! }]->(read_user: Record { id: ID!, name: String! })';

  test('names the edge and its place of a query without a value', async () => {
    const { data, errors } = await run(serve(source), '{ readUser(id: "1") { name } }');
    expect(data).toEqual({ readUser: null });
    expect(errors[0].message).toBe(
      'Query.readUser has no resolver, and its result has no constant (root -[:PROCESS]-> read_user, test.gg:2:1).',
    );
    expect(errors[0].extensions).toEqual({
      code: 'NOT_IMPLEMENTED',
      edges: [{ edge: 'root -[:PROCESS]-> read_user', source: 'test.gg:2:1' }],
    });
  });

  test('is 501 over REST', async () => {
    const answer = await ask(serve(source), '/api/readUser?id=1');
    expect(answer.status).toBe(501);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      title: 'Not Implemented',
      status: 501,
      detail: expect.stringContaining('root -[:PROCESS]-> read_user, test.gg:2:1'),
      code: 'NOT_IMPLEMENTED',
    });
  });

  test('names every edge that leads to the operation', async () => {
    const server = serve('(a)-[:PROCESS]->(t { x: Int })\n(b | c)-[:PROCESS]->(t)');
    const { errors } = await run(server, '{ t { x } }');
    expect(errors[0].message).toContain('(a -[:PROCESS]-> t, test.gg:1:1; b | c -[:PROCESS]-> t, test.gg:2:1)');
  });

  test('is the answer for a list, because constants do not define its length', async () => {
    const server = serve("(root)-[:PROCESS { returns: [Item!]! }]->(item { name: 'x' })");
    expect((await run(server, '{ item { name } }')).errors[0].extensions.code).toBe('NOT_IMPLEMENTED');
  });

  test('is the answer for a scalar', async () => {
    const server = serve('(root)-[:PROCESS { returns: Int }]->(count)');
    expect((await run(server, '{ count }')).errors[0].extensions.code).toBe('NOT_IMPLEMENTED');
  });

  test('is the answer for a subscription without a source of events', async () => {
    const type = { kind: 'named' as const, name: 'String' };
    const subscription = {
      kind: 'subscription' as const,
      name: 'ticked',
      description: undefined,
      arguments: [],
      type,
      edges: [],
    };
    const server = serve('(a { id: ID! })', { layers: [{ schema: { subscriptions: [subscription] } }] });
    const result = await server.subscribe({ query: 'subscription { ticked }' });
    expect(result).toMatchObject({
      errors: [{ message: 'Subscription.ticked has no resolver.', extensions: { code: 'NOT_IMPLEMENTED' } }],
    });
  });

  test('is the answer for a non-null field without a constant, if it is selected', async () => {
    const server = serve("(root)-[:PROCESS]->(user { role: 'admin', name: String! })");
    expect((await run(server, '{ user { role } }')).data).toEqual({ user: { role: 'admin' } });
    const { errors } = await run(server, '{ me: user { role name } }');
    expect(errors[0].message).toBe(
      'User.name has neither a resolver nor a constant (root -[:PROCESS]-> user, test.gg:1:1).',
    );
  });

  test('names no edge for an operation of a layer', async () => {
    const server = serve('(a { id: ID! })', {
      layers: [
        {
          schema: {
            queries: [
              {
                kind: 'query',
                name: 'clock',
                description: undefined,
                arguments: [],
                type: { kind: 'named', name: 'String' },
                edges: [],
              },
            ],
          },
        },
      ],
    });
    const { errors } = await run(server, '{ clock }');
    expect(errors[0].message).toBe('Query.clock has no resolver, and its result has no constant.');
    expect(errors[0].extensions).toEqual({ code: 'NOT_IMPLEMENTED' });
  });
});

describe('an object that a resolver returns', () => {
  const source = `
    (root)-[:PROCESS]->(user {
      id: ID!, name: String!, role: String! = 'guest', level: Int = 1, address: Address, home: Address!, tags: [String!]
    })
    (address { city: String! = 'Ulm' })
  `;

  test('gets constants for omitted fields, and keeps its nulls', async () => {
    const server = serve(source, {
      resolvers: { Query: { user: () => ({ id: 1, name: 'Ada', level: null }) } },
    });
    expect((await run(server, '{ user { id name role level tags } }')).data).toEqual({
      user: { id: '1', name: 'Ada', role: 'guest', level: null, tags: null },
    });
  });

  test('has null for an omitted nullable object, and constants for a non-null one', async () => {
    const server = serve(source, { resolvers: { Query: { user: () => ({ id: 1 }) } } });
    expect((await run(server, '{ user { address { city } home { city } } }')).data).toEqual({
      user: { address: null, home: { city: 'Ulm' } },
    });
  });

  test('fails for a non-null field without a value', async () => {
    const log = vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
    const server = serve(source, { resolvers: { Query: { user: () => ({ id: 1 }) } } });
    const { data, errors } = await run(server, '{ user { name } }');
    expect(log).toHaveBeenCalledOnce();
    expect(data).toEqual({ user: null });
    expect(errors[0].message).toContain('Cannot return null for non-nullable field User.name');
  });

  test('may have getters, methods, and promises without a value', async () => {
    class User {
      readonly id = '1';
      get name() {
        return 'Ada';
      }
      role(_args: object, context: { readonly principal: null }) {
        return context.principal === null ? 'plain' : 'other';
      }
      level = Promise.resolve(undefined);
    }
    const server = serve(source, { resolvers: { Query: { user: () => new User() } } });
    expect((await run(server, '{ user { id name role level } }')).data).toEqual({
      user: { id: '1', name: 'Ada', role: 'plain', level: 1 },
    });
  });
});

test('fields named like members of Object.prototype are read as fields', async () => {
  const server = serve("(root)-[:PROCESS]->(thing { constructor: String, toString: Int, valueOf: String! = 'v' })", {
    resolvers: { Query: { thing: () => ({}) } },
  });
  expect((await run(server, '{ thing { constructor toString valueOf } }')).data).toEqual({
    thing: { constructor: null, toString: null, valueOf: 'v' },
  });
});

test('a topology without queries answers its placeholder with null', async () => {
  const server = serve('(a { id: ID! })', { federation: false });
  expect(await run(server, '{ _empty }')).toEqual({ data: { _empty: null } });
  expect((await ask(server, '/api/_empty')).status).toBe(404);
});
