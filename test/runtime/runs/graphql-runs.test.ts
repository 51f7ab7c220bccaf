import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createGqlServer, type GqlServer } from '../../../src/index.js';
import { createAlphaServer } from '../../../src/runtime/hosts/alpha/alpha-server.js';
import { attachSubscriptions } from '../../../src/runtime/hosts/websocket/attach-subscriptions.js';
import { shop } from '../call/chains/shop.js';
import { host } from '../server/http-server.js';
import { noSqlite } from '../store/engines.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Result {
  readonly data?: Readonly<Record<string, { readonly state: string; readonly [field: string]: unknown }>>;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions?: { readonly eventId: string };
}

/**
 * The shop with two durable chains, of which one was begun by Ada. Its payment has been declined once; all later ones wait
 * until they are released, so that no state of the run comes again.
 */
async function begin(engine: 'alpha' | 'beta') {
  const { options, state } = shop();
  const { Mutation } = options.resolvers as unknown as { Mutation: { payOrder: (...given: unknown[]) => unknown } };
  const { payOrder } = Mutation;
  let payments = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  Mutation.payOrder = async (...given) => {
    payments += 1;
    if (payments > 1) await released;
    return payOrder(...given);
  };
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const config = {
    ...options,
    topologies: [{ name: 'shop.gg', source: source.replaceAll('chain: true', 'chain: true, durable: true') }],
    runs: { file: ':memory:' },
    authenticate: ({ header }: { header(name: string): string | undefined }) => {
      const id = header('authorization');
      return id === undefined ? null : { id };
    },
  };
  const server =
    engine === 'beta' ? createGqlServer(config) : (createAlphaServer(config as never) as unknown as GqlServer);
  open.push(() => server.close());
  state.isDeclined = true;
  const { http, authority, close } = await host(server as never);
  open.push(close);
  const attached = attachSubscriptions(server as never, http);
  open.push(() => attached.close());
  const inputs = { payOrder: {}, placeOrder: { total: 3 }, signUp: { input: { name: 'Ada' } } };
  const response = await fetch(`http://${authority}/api/chains/payOrder`, {
    method: 'POST',
    headers: { authorization: 'ada', 'content-type': 'application/json' },
    body: JSON.stringify(inputs),
  });
  const { id } = (await response.json()) as { id: string };
  open.push(release);
  const isDeclined = async () => {
    const run = await fetch(`http://${authority}/api/runs/${id}`, { headers: { authorization: 'ada' } });
    return payments > 1 || ((await run.json()) as { problem?: object }).problem !== undefined;
  };
  await expect.poll(isDeclined).toBe(true);
  state.isDeclined = false;
  return { server, authority, id, release };
}

type Ask = (query: string, user?: string) => AsyncIterable<Result>;

const ways: Readonly<Record<string, (authority: string) => Ask>> = {
  WebSocket: (authority) => (query, user) => {
    const client = createClient({
      url: `ws://${authority}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: user === undefined ? {} : { authorization: user },
    });
    open.push(() => client.dispose());
    return client.iterate({ query }) as unknown as AsyncIterable<Result>;
  },
  'Server-Sent Events': (authority) =>
    async function* (query, user) {
      const response = await fetch(`http://${authority}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(user !== undefined && { authorization: user }),
        },
        body: JSON.stringify({ query }),
      });
      let text = '';
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += new TextDecoder().decode(chunk);
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (\{.*\})$/m.exec(event)?.[1];
          if (data !== undefined) yield JSON.parse(data) as Result;
        }
      }
    },
};

describe
  .skipIf(noSqlite)
  .each((['beta', 'alpha'] as const).flatMap((engine) => Object.keys(ways).map((way) => [engine, way] as const)))(
  'a run of a durable chain (%s, %s)',
  (engine, way) => {
    const select = (id: string, more = '') =>
      `subscription { run: payOrderRun(id: "${id}"${more}) { id state steps step problem { status detail } endedAt } }`;

    test('is followed until its end, and resumed after a state', async () => {
      const { authority, id, release } = await begin(engine);
      const ask = (ways[way] as (authority: string) => Ask)(authority);
      const seen: Result[] = [];
      for await (const result of ask(select(id), 'ada')) {
        seen.push(result);
        release();
      }
      expect(seen[0]).toMatchObject({ data: { run: { id, steps: ['signUp', 'placeOrder'], step: 'payOrder' } } });
      expect(seen.at(-1)?.data?.run).toMatchObject({
        state: 'completed',
        steps: ['signUp', 'placeOrder', 'payOrder'],
        step: null,
        problem: null,
        endedAt: expect.any(String),
      });
      const ids = seen.map((result) => result.extensions?.eventId);
      expect(new Set(ids).size).toBe(seen.length);
      const after = async (eventId: string | undefined) => {
        const later: Result[] = [];
        for await (const result of ask(select(id, `, after: "${eventId}"`), 'ada')) later.push(result);
        return later;
      };
      expect(await after(ids[0])).toEqual(seen.slice(-1));
      expect(await after(ids.at(-1))).toEqual([]);
    });

    test('is not found by other callers, nor as a run of another chain, nor under a forged id', async () => {
      const { authority, id } = await begin(engine);
      const ask = (ways[way] as (authority: string) => Ask)(authority);
      const first = async (query: string, user?: string) => {
        try {
          for await (const { data, errors } of ask(query, user)) return { data, errors };
          return undefined;
        } catch (error) {
          // The client of WebSockets rejects with the errors of a refusal.
          return { data: undefined, errors: error as Result['errors'] };
        }
      };
      for (const [query, user] of [
        [select(id), 'eve'],
        [select(id), undefined],
        [select(id).replace('payOrderRun', 'placeOrderRun'), 'ada'],
        [select(crypto.randomUUID()), 'ada'],
        [select("x' OR 1=1"), 'ada'],
      ] as const) {
        const found = await first(query, user);
        expect([query, user, found?.data ?? null, found?.errors?.[0]]).toMatchObject([
          query,
          user,
          null,
          { message: 'There is no such run.', extensions: { code: 'NOT_FOUND' } },
        ]);
      }
    });
  },
);

test.skipIf(noSqlite)('the end of a subscription in a program ends the reading of its run', async () => {
  const { server } = await begin('beta');
  const { run } = await server.run('payOrder', { payOrder: { id: 'o1' } });
  const started = await server.subscribe({
    query: 'subscription ($id: ID!) { payOrderRun(id: $id) { state } }',
    variables: { id: run?.id },
  });
  if (!(Symbol.asyncIterator in started)) throw new Error(JSON.stringify(started));
  expect(await started.next()).toMatchObject({ done: false });
  const next = started.next();
  await started.return();
  expect(await next).toEqual({ done: true, value: undefined });
});
