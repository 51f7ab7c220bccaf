import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { type ConformanceContext, conformanceOptions } from '../topology.js';

/** Callers without credentials cannot be told apart. */
const ada = { authorization: 'Bearer ada' };

const input = { total: 1 };
const mutation = 'mutation ($input: NewOrderInput) { placeOrder(input: $input) { id } }';

/** Runs of the mutation, each with an id of its own. */
function counting(run: (id: number) => unknown = () => undefined) {
  const runs = { count: 0 };
  const placeOrder = async () => {
    runs.count += 1;
    const id = runs.count;
    await run(id);
    return { id: String(id), total: 1 };
  };
  return { runs, resolvers: { Mutation: { placeOrder } } };
}

function order(server: RunningHost, key: string, headers: Readonly<Record<string, string>> = {}) {
  return post(server, '/api/placeOrder', { input }, { ...ada, 'idempotency-key': key, ...headers });
}

/** Mutations that clients send again. */
export const repeats: Topic = {
  name: 'repeated requests',
  countsRequests: true,
  define(host) {
    const start = (more: Partial<GqlServerOptions<ConformanceContext>>) =>
      host.start(conformanceOptions({ idempotency: {}, ...more }));

    test('repeats run again without the option', async () => {
      const { runs, resolvers } = counting();
      const server = await host.start(conformanceOptions({ resolvers }));
      await order(server, 'a');
      expect((await order(server, 'a')).headers.get('idempotency-replayed')).toBeNull();
      expect(runs.count).toBe(2);
    });

    test.each(['rest', 'graphql', 'graphql-response'] as const)(
      'repeats get the first answer over %s',
      async (protocol) => {
        const { runs, resolvers } = counting();
        const server = await start({ resolvers });
        const accept = protocol === 'graphql' ? 'application/json' : 'application/graphql-response+json';
        const send = (key?: string) => {
          const headers: Record<string, string> = key === undefined ? {} : { ...ada, 'idempotency-key': key };
          return protocol === 'rest'
            ? post(server, '/api/placeOrder', { input }, headers)
            : post(server, '/graphql', { query: mutation, variables: { input } }, { accept, ...headers });
        };
        const first = await send('a');
        expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
        for (const key of ['a', '"a"']) {
          const repeat = await send(key);
          expect([repeat.status, repeat.text]).toEqual([first.status, first.text]);
          expect(repeat.headers.get('content-type')).toBe(first.headers.get('content-type'));
          expect(repeat.headers.get('content-length')).toBe(first.headers.get('content-length'));
          expect(repeat.headers.get('idempotency-replayed')).toBe('true');
        }
        expect(runs.count).toBe(1);
        expect((await send('b')).text).not.toBe(first.text);
        expect((await send()).text).not.toBe(first.text);
        expect(runs.count).toBe(3);
      },
    );

    test('a repeat with another body is rejected', async () => {
      const { runs, resolvers } = counting();
      const server = await start({ resolvers });
      await order(server, 'a');
      const other = await post(server, '/api/placeOrder', { input: { total: 2 } }, { ...ada, 'idempotency-key': 'a' });
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      const graphql = { query: mutation, variables: { input } };
      expect((await post(server, '/graphql', graphql, { ...ada, 'idempotency-key': 'b' })).status).toBe(200);
      const reused = await post(server, '/graphql', { ...graphql, variables: {} }, { ...ada, 'idempotency-key': 'b' });
      expect([reused.status, reused.body.errors[0].extensions.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(runs.count).toBe(2);
    });

    test.each(['', '""', 'a b', 'a, b', 'a\\b', 'ä', 'x'.repeat(256), '"x', "'a\"'"])(
      'mutations with the key %j are rejected',
      async (key) => {
        const { runs, resolvers } = counting();
        const server = await start({ resolvers });
        const { status, body } = await order(server, key);
        expect([status, body.code, runs.count]).toEqual([400, 'IDEMPOTENCY_KEY_INVALID', 0]);
      },
    );

    test('repeats over an event stream get the first outcome', async () => {
      const { runs, resolvers } = counting();
      const server = await start({ resolvers });
      const headers = { ...ada, 'idempotency-key': 'a', accept: 'text/event-stream' };
      const send = () => post(server, '/graphql', { query: mutation, variables: { input } }, headers);
      const first = await send();
      expect([first.text.includes('"placeOrder"'), (await send()).text]).toEqual([true, first.text]);
      expect(runs.count).toBe(1);
    });

    test('queries run with any key', async () => {
      const server = await start({});
      const headers = { ...ada, 'idempotency-key': 'a b' };
      const answers = [
        await get(server, '/api/greeting', { headers }),
        await get(server, `/graphql?query=${encodeURIComponent('{ greeting { text } }')}`, { headers }),
        await post(server, '/graphql', { query: '{ greeting { text } }' }, headers),
        await post(server, '/graphql', { query: '{ greeting { text } }' }, headers),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const replayed = answers.map(({ headers: given }) => given.get('idempotency-replayed'));
      expect(replayed).toEqual([null, null, null, null]);
    });

    test('the same key of another caller belongs to another request', async () => {
      const { runs, resolvers } = counting();
      const server = await start({
        resolvers,
        authenticate: ({ header }) => {
          const id = header('authorization');
          return id === undefined ? null : { id };
        },
      });
      const ada = { authorization: 'ada' };
      const first = await order(server, 'a', ada);
      expect((await order(server, 'a', { authorization: 'bob' })).text).not.toBe(first.text);
      expect((await order(server, 'a')).text).not.toBe(first.text);
      expect((await order(server, 'a', ada)).text).toBe(first.text);
      expect(runs.count).toBe(3);
    });

    test('simultaneous repeats run once', async () => {
      const started = gate();
      const finish = gate();
      const { runs, resolvers } = counting(() => {
        started.open();
        return finish.passed;
      });
      const server = await start({ resolvers });
      const first = order(server, 'a');
      await started.passed;
      const others = [order(server, 'a'), order(server, 'a'), order(server, 'a')];
      const other = await post(server, '/api/placeOrder', { input: { total: 2 } }, { ...ada, 'idempotency-key': 'a' });
      expect(other.status).toBe(422);
      finish.open();
      const { text } = await first;
      for (const repeat of await Promise.all(others)) {
        expect([repeat.text, repeat.headers.get('idempotency-replayed')]).toEqual([text, 'true']);
      }
      expect(runs.count).toBe(1);
    });

    test('repeats run again after a server error', async () => {
      const { runs, resolvers } = counting((id) => {
        if (id % 2 === 1) throw new Error('the database is down');
      });
      const server = await start({ resolvers });
      expect((await order(server, 'a')).status).toBe(500);
      expect((await order(server, 'a')).status).toBe(200);
      expect((await order(server, 'a')).headers.get('idempotency-replayed')).toBe('true');
      const graphql = () =>
        post(server, '/graphql', { query: mutation, variables: { input } }, { ...ada, 'idempotency-key': 'b' });
      expect((await graphql()).body.errors).toHaveLength(1);
      expect((await graphql()).body.data).toEqual({ placeOrder: { id: '4' } });
      expect((await graphql()).body.data).toEqual({ placeOrder: { id: '4' } });
      expect(runs.count).toBe(4);
    });

    test('repeats get the first rejection of the operation', async () => {
      const { runs, resolvers } = counting(() => {
        throw new GraphQLError('Sold out.', { extensions: { code: 'BAD_USER_INPUT' } });
      });
      const server = await start({ resolvers });
      const first = await order(server, 'a');
      expect([first.status, (await order(server, 'a')).text, runs.count]).toEqual([400, first.text, 1]);
    });

    test('repeats get the answer even if the first client disconnected', async () => {
      const started = gate();
      const finish = gate();
      const { runs, resolvers } = counting(() => {
        started.open();
        return finish.passed;
      });
      const server = await start({ resolvers });
      const client = new AbortController();
      const first = server.ask('/api/placeOrder', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...ada, 'idempotency-key': 'a' },
        body: JSON.stringify({ input }),
        signal: client.signal,
      });
      await started.passed;
      client.abort();
      const left = first.catch(() => undefined);
      // Without a connection, the server answers the client that has left.
      if (host.hasNetwork) await left;
      await get(server, '/health/live');
      const second = order(server, 'a');
      finish.open();
      const repeat = await second;
      expect([repeat.status, repeat.body.id, repeat.headers.get('idempotency-replayed')]).toEqual([200, '1', 'true']);
      expect(runs.count).toBe(1);
    });
  },
};

function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}
