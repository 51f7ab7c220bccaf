import { type ExecutionArgs, GraphQLError } from 'graphql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServer } from '../../../../src/index.js';
import type { ErrorMask } from '../../../../src/runtime/execute/errors/mask-errors.js';
import { ResolverResults } from '../../../../src/runtime/execute/subscriptions/endable-results.js';

const source = `
(form: Record { text: String! })-[:FOLD]->(saved: Record { text: String! })
(saved)-[:FORK]->(forked: Event { text: String!, slow: String })
(saved)-[:FORK]->(own: Event { text: String!, slow: String })
`;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** A server whose events have a field that never comes when their text is `never`. */
function serve(): GqlServer {
  const slow = (parent: unknown): unknown =>
    (parent as { text: string }).text === 'never' ? new Promise(() => undefined) : 'here';
  return createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    limits: { timeout: 50 },
    resolvers: {
      Forked: { slow },
      Own: { slow },
      Subscription: {
        async *own() {
          yield { text: 'never' };
          yield { text: 'b' };
        },
      },
    },
  });
}

async function results(server: GqlServer, query: string, publish: () => void): Promise<unknown[]> {
  const started = await server.subscribe({ query });
  if (!(Symbol.asyncIterator in started)) throw new Error(JSON.stringify(started));
  publish();
  const seen = [await started.next(), await started.next()];
  await started.return();
  return seen.map(({ value }) => value?.errors?.map((error) => error.extensions.code) ?? value?.data);
}

test('an event of a FORK that takes too long is an error, and the next one follows', async () => {
  const server = serve();
  const seen = await results(server, 'subscription { forked { text slow } }', () => {
    server.publish('forked', { text: 'never' });
    server.publish('forked', { text: 'b' });
  });
  expect(seen).toEqual([['OPERATION_TIMEOUT'], { forked: { text: 'b', slow: 'here' } }]);
});

test('an event of a subscription resolver that takes too long is an error', async () => {
  const seen = await results(serve(), 'subscription { own { text slow } }', () => undefined);
  expect(seen).toEqual([['OPERATION_TIMEOUT'], { own: { text: 'b', slow: 'here' } }]);
});

test('a subscription closes its source when it ends or fails', async () => {
  const ends: string[] = [];
  const events = (): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: 1 }),
      return: async () => {
        ends.push('end');
        return { done: true, value: undefined };
      },
    }),
  });
  const masked = new GraphQLError('masked');
  const mask: ErrorMask = { thrown: () => masked, result: (result) => result };
  const args = {} as ExecutionArgs;
  const results = (source: AsyncIterable<unknown>) =>
    new ResolverResults(undefined, source, args, mask, 50, () => undefined);
  expect(await results(events()).return()).toEqual({ done: true, value: undefined });
  await expect(results(events()).throw(new Error('thrown'))).rejects.toThrow('thrown');
  expect(await results(events()).next()).toEqual({ done: false, value: { errors: [masked] } });
  expect(ends).toHaveLength(3);
  const empty = results({
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  });
  expect(empty[Symbol.asyncIterator]()).toBe(empty);
  expect(await empty.next()).toEqual({ done: true, value: undefined });
  expect(await empty.return()).toEqual({ done: true, value: undefined });
});
