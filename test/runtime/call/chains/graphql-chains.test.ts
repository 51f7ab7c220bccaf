import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import {
  createAlphaServer,
  createBetaHttpServer,
  createBetaServerAdapter,
  createGqlServer,
  type GqlServer,
  type GqlServerOptions,
} from '../../../../src/index.js';
import { shop } from './shop.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly string[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

type Engine = 'alpha' | 'beta';

function serve(more: Partial<GqlServerOptions> = {}, engine: Engine = 'beta') {
  const { options, ...rest } = shop(more);
  const server =
    engine === 'beta' ? createGqlServer(options) : (createAlphaServer(options as never) as unknown as GqlServer);
  open.push(server);
  const send = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
    return { status: response.status, headers: response.headers, json: (await response.json()) as Result };
  };
  const query = (text: string, variables?: object, headers?: Readonly<Record<string, string>>) =>
    send({ query: text, ...(variables && { variables }) }, headers);
  return { ...rest, server, send, query };
}

const whole = `mutation {
  payOrderChain(signUp: { input: { name: "Ada" } }, placeOrder: { total: 3 }) {
    signUp { id name } placeOrder { id total } payOrder { id code }
  }
}`;
const results = {
  signUp: { id: '7', name: 'Ada' },
  placeOrder: { id: 'o7-1', total: 3 },
  payOrder: { id: 'co7-1', code: 'ok' },
};

describe.each(['beta', 'alpha'] as const)('a chain over GraphQL (%s)', (engine) => {
  test('runs the steps in their order, hands ids on, and gives each result', async () => {
    const { query, ran } = serve({}, engine);
    const { status, json } = await query(whole);
    expect({ status, json }).toEqual({ status: 200, json: { data: { payOrderChain: results } } });
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
  });

  test('gives what the client selects, under its names, through fragments and variables', async () => {
    const { query, ran } = serve({}, engine);
    const text = `
      mutation Pay($order: PlaceOrderArguments, $id: String = "Eve", $isShown: Boolean!, $not: OrdersNone) {
        paid: payOrderChain(signUp: { input: { name: $id } }, placeOrder: $order, payOrder: { _: 1 }) {
          __typename made: signUp { id: name } ...Steps placeOrder { sum: total @include(if: $isShown) }
        }
      }
      fragment Steps on PayOrderChain { placeOrder { ...Order id @skip(if: $isShown) } ... @skip(if: $isShown) { payOrder { id } } }
      fragment Order on Order { __typename }`
      .replace(', $not: OrdersNone', '')
      .replace(', payOrder: { _: 1 }', '');
    const { json } = await query(text, { order: {}, isShown: true });
    expect(json).toEqual({
      data: {
        paid: {
          __typename: 'PayOrderChain',
          made: { id: 'Eve' },
          placeOrder: { __typename: 'Order', sum: 5 },
        },
      },
    });
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
  });

  test('gives what the client selects under any name, those for ids that steps take included', async () => {
    const { query } = serve({}, engine);
    const names = ['_chain', '_chain0', '_chain1', '_chain_0', '_chain00', '__chain0'];
    const { json } = await query(`mutation {
      payOrderChain(signUp: { input: { name: "Ada" } }, placeOrder: {}) {
        signUp { ${names.map((name) => `${name}: name`).join(' ')} } payOrder { id }
      }
    }`);
    const signUp = Object.fromEntries(names.map((name) => [name, 'Ada']));
    expect(json).toEqual({ data: { payOrderChain: { signUp, payOrder: { id: 'co7-1' } } } });
  });

  test('starts at a step whose id is given; a step that did not run is null', async () => {
    const { query, ran } = serve({}, engine);
    const { json } = await query(
      'mutation ($no: SignUpArguments) { payOrderChain(signUp: $no, placeOrder: null, payOrder: { id: 12 }) { placeOrder { id } payOrder { id } } }',
    );
    expect(json).toEqual({ data: { payOrderChain: { placeOrder: null, payOrder: { id: 'c12' } } } });
    expect(ran).toEqual(['payOrder']);
  });

  test('says which step failed and which are done, beside their results', async () => {
    const { query, state } = serve({}, engine);
    state.isDeclined = true;
    const { json } = await query(whole);
    expect(json.data).toEqual({ payOrderChain: { ...results, payOrder: null } });
    expect(json.errors).toEqual([
      expect.objectContaining({
        path: ['payOrderChain', 'payOrder'],
        extensions: expect.objectContaining({ failed: 'payOrder', steps: ['signUp', 'placeOrder'] }),
      }),
    ]);
  });

  test('names the chain if its client does not select the step that failed', async () => {
    const { query } = serve({}, engine);
    const text = 'mutation { payOrderChain(placeOrder: { customerId: "0" }, payOrder: {}) { placeOrder { total } } }';
    const { json } = await query(text);
    expect(json.data).toEqual({ payOrderChain: { placeOrder: null } });
    expect(json.errors?.[0]).toMatchObject({
      message: 'placeOrder gave no id. Pass “payOrder.id” itself.',
      path: ['payOrderChain'],
      extensions: { code: 'BAD_USER_INPUT', failed: 'payOrder', steps: ['placeOrder'] },
    });
  });

  test('lists the mistakes of all steps, and runs nothing', async () => {
    const { query, ran } = serve({}, engine);
    const { json } = await query(
      'mutation { payOrderChain(placeOrder: { customerId: "1", total: 0 }, signUp: { input: { name: "Ada" } }) { signUp { id } } }',
    );
    expect(json.data).toBeUndefined();
    expect(json.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', steps: [] });
    expect(ran).toEqual([]);
  });

  test('leaves variables that do not fit to graphql-js', async () => {
    const { query, ran } = serve({}, engine);
    const { json } = await query(
      'mutation ($order: PlaceOrderArguments) { payOrderChain(placeOrder: $order) { payOrder { id } } }',
      { order: { total: 'five' } },
    );
    expect(json.errors?.[0]?.message).toContain('$order');
    expect(ran).toEqual([]);
  });

  test('rejects a chain beside another field, and a step that is selected twice', async () => {
    const { query, ran } = serve({}, engine);
    const beside = await query('mutation { payOrderChain { payOrder { id } } signUp(input: { name: "Ada" }) { id } }');
    expect(beside.json.errors?.[0]?.message).toBe('A chain must be the only field of its operation.');
    const twice = await query('mutation { payOrderChain { a: payOrder { id } b: payOrder { id } } }');
    expect(twice.json.errors?.[0]?.message).toBe('Select payOrder once, with all its fields.');
    const none = await query('mutation { payOrderChain @skip(if: true) { payOrder { id } } }');
    expect(none.json).toEqual({ data: {} });
    expect(ran).toEqual([]);
  });

  test('runs at most limits.rootFields steps', async () => {
    const { query, ran } = serve({ limits: { rootFields: 2 } }, engine);
    const { json } = await query(whole);
    expect(json.errors?.[0]?.message).toBe('A call may run 2 operations, not 3.');
    expect(ran).toEqual([]);
  });

  test('costs what its client selects of its steps', async () => {
    const { query, ran } = serve({ limits: { cost: 10 } }, engine);
    expect((await query(whole)).json.errors?.[0]?.message).toContain('The operation costs');
    expect(ran).toEqual([]);
  });

  test('continues a chain with the same idempotency key where it failed', async () => {
    const { query, ran, state } = serve({}, engine);
    const key = { 'idempotency-key': '"k1"', authorization: 'ada' };
    state.isDeclined = true;
    await query(whole, undefined, key);
    state.isDeclined = false;
    const { json, headers } = await query(whole, undefined, key);
    expect(json).toEqual({ data: { payOrderChain: results } });
    expect(headers.get('idempotency-replayed')).toBe('true');
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder', 'payOrder']);
  });

  test('counts each step like a request', async () => {
    const { query, ran } = serve({ rateLimits: [{ limit: 2, per: 60, by: 'address' }] }, engine);
    const { status, json } = await query(whole);
    expect([status, json.errors?.[0]?.extensions?.code, ran]).toEqual([429, 'RATE_LIMITED', []]);
  });

  test('runs a chain of a batch, and operations without one', async () => {
    const { send } = serve({ limits: { batching: 2 } }, engine);
    const { json } = await send([{ query: whole }, { query: '{ order(id: "1") { total } }' }]);
    expect(json).toEqual([{ data: { payOrderChain: results } }, { data: { order: { total: 1 } } }]);
  });
});

describe('access to a chain over GraphQL', () => {
  const source = `
    (user { id: ID! }) (order { id: ID!, kind: Kind, /// @scopes secrets
      secret: String }) (kind: Enum { values: ['NEW', 'OLD'] })
    (root)-[:FOLD { operation: 'signUp', kinds: [Kind!], returns: User! }]->(user)
    (user)-[:FOLD { operation: 'placeOrder', userId: ID!, returns: Order!, chain: true, scopes: ['orders'] }]->(order)
    (root)-[:FOLD { operation: 'ping', returns: Int!, chain: true, orderId: ID! }]->(pong { x: Int })
    (root)-[:PROCESS]->(user)`;
  const guarded = (scopes: readonly string[]) => {
    const ran: string[] = [];
    const more = {
      topologies: [{ name: 'shop.gg', source }],
      authenticate: () => ({ id: 'ada', scopes: [...scopes] }),
      resolvers: {
        Mutation: {
          signUp: (_: unknown, { kinds }: { kinds?: string[] }) => {
            ran.push(`signUp ${kinds}`);
            return { id: '1' };
          },
          placeOrder: () => ({ id: '2', kind: 'NEW', secret: 's' }),
          ping: () => 5,
        },
      },
    } as unknown as Partial<GqlServerOptions>;
    return { ...serve(more), ran };
  };
  const place = (fields: string) =>
    `mutation { placeOrderChain(signUp: { kinds: NEW }, placeOrder: {}) { placeOrder { ${fields} } } }`;

  test('rejects a caller that may not run each step, before the first one runs', async () => {
    const { query, ran } = guarded([]);
    const { status, json } = await query(place('id'));
    expect([status, json.errors?.[0]?.extensions?.code, json.data]).toEqual([403, 'FORBIDDEN', undefined]);
    expect(ran).toEqual([]);
  });

  test('demands the access of the fields that the client selects, and no others', async () => {
    const { query, ran } = guarded(['orders']);
    expect((await query(place('kind'))).json).toEqual({
      data: { placeOrderChain: { placeOrder: { kind: 'NEW' } } },
    });
    expect(ran).toEqual(['signUp NEW']);
    const refused = await query(place('secret'));
    expect(refused.status).toBe(403);
    expect(ran).toHaveLength(1);
  });

  test('hands on an id that its client does not select, to a step whose result is a scalar', async () => {
    const { query } = guarded(['orders', 'secrets']);
    const { json } = await query('mutation { pingChain(signUp: {}, placeOrder: {}, ping: {}) { ping } }');
    expect(json).toEqual({ data: { pingChain: { ping: 5 } } });
  });

  test('runs for the program as for clients', async () => {
    const { server, ran } = guarded([]);
    const result = (await server.executeOperation({ query: place('secret') })) as Result;
    expect(result.data).toEqual({ placeOrderChain: { placeOrder: { secret: 's' } } });
    expect(ran).toEqual(['signUp NEW']);
  });
});

test('a chain runs from a persisted operation', async () => {
  const { send } = serve({}, 'alpha');
  const sha256Hash = createHash('sha256').update(whole).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  expect((await send({ query: whole, extensions })).json).toEqual({ data: { payOrderChain: results } });
  expect((await send({ extensions })).json).toMatchObject({
    data: { payOrderChain: { signUp: { id: '8' } } },
  });
});

test('a chain over WebSocket continues with the key of its message', async () => {
  const { options, state, ran } = shop();
  const http = createBetaHttpServer(createBetaServerAdapter(options));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const client = createClient({
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: 'ada' },
  });
  open.push({
    close: async () => {
      await client.dispose();
      http.close();
    },
  });
  const send = async () => (await client.iterate({ query: whole, extensions: { idempotencyKey: 'k1' } }).next()).value;
  state.isDeclined = true;
  expect(await send()).toMatchObject({ errors: [{ extensions: { failed: 'payOrder' } }] });
  state.isDeclined = false;
  expect(await send()).toMatchObject({ data: { payOrderChain: results } });
  expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder', 'payOrder']);
});

test('an input of a step without arguments has a field that means nothing', async () => {
  const source = `(user { id: ID! }) (order { id: ID! })
    (big { size: Int! })-[:FOLD { operation: 'placeOrder', form: Form!, returns: Order!, chain: true }]->(order)
    (form: Input { userId: ID!, big: Long, inner: Inner })
    (inner: Input { userId: ID!, note: String! })
    (root)-[:PROCESS { operation: 'me', returns: User! }]->(user)`;
  const seen: unknown[] = [];
  const { query } = serve({
    topologies: [{ name: 'shop.gg', source }],
    resolvers: {
      Query: { me: () => ({ id: '1' }) },
      Mutation: {
        placeOrder: (_: unknown, { form }: { form: object }) => {
          seen.push(form);
          return { id: '2' };
        },
      },
    },
  } as unknown as Partial<GqlServerOptions>);
  const { json } = await query(
    'mutation { placeOrderChain(me: { _empty: true }, placeOrder: { form: { inner: { userId: 12345678901234567890, note: "x" } } }) { placeOrder { id } } }',
  );
  expect(json).toEqual({ data: { placeOrderChain: { placeOrder: { id: '2' } } } });
  expect(seen).toEqual([{ userId: '1', inner: { userId: '12345678901234567890', note: 'x' } }]);
});
