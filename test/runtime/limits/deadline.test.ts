import { describe, expect, test, vi } from 'vitest';
import { Lifetime } from '../../../src/base/values/run-until.js';
import { signalOf } from '../../../src/runtime/execute/resolvers/abort-signal.js';
import type { Resolver } from '../../../src/runtime/execute/resolvers/contract.js';
import { runWithin } from '../../../src/runtime/limits/deadline.js';
import { ask, post, serve } from '../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(slow { text: String })
  (form { name: String })-[:FOLD]->(saved { name: String })
`;

/** A resolver that never ends by itself, and what became of its calls. */
function hanging() {
  const seen = { started: 0, reasons: [] as unknown[] };
  const resolver: Resolver = (_parent, _args, _context, info) =>
    new Promise((_, reject) => {
      seen.started += 1;
      const signal = signalOf(info);
      signal.addEventListener('abort', () => {
        seen.reasons.push(signal.reason);
        reject(signal.reason);
      });
    });
  return { seen, resolvers: { Query: { slow: resolver }, Mutation: { saved: resolver } } };
}

describe('an operation that takes too long', () => {
  test('is answered with an error, and its resolvers are aborted', async () => {
    const { seen, resolvers } = hanging();
    const server = serve(source, { resolvers, limits: { timeout: 20 } });
    const { errors } = await server.executeOperation({ query: '{ slow { text } }' });
    expect(errors?.map(({ extensions, message }) => [extensions.code, message])).toEqual([
      ['OPERATION_TIMEOUT', 'The operation took longer than 0.02 seconds.'],
    ]);
    expect(seen.reasons).toEqual(errors);
  });

  test('is 504 over GraphQL and over REST', async () => {
    const server = serve(source, { resolvers: hanging().resolvers, limits: { timeout: 20 } });
    const viaGraphQL = await post(server, '/graphql', { query: '{ slow { text } }' });
    expect([viaGraphQL.status, viaGraphQL.body.errors[0].extensions]).toEqual([504, { code: 'OPERATION_TIMEOUT' }]);
    const viaRest = await ask(server, '/api/slow');
    expect([viaRest.status, viaRest.body.code, viaRest.body.http]).toEqual([504, 'OPERATION_TIMEOUT', undefined]);
    expect((await post(server, '/api/saved', { input: { name: 'Ada' } })).status).toBe(504);
  });

  test('does not wait for resolvers that ignore the signal', async () => {
    const resolvers = { Query: { slow: () => new Promise(() => undefined) } };
    const server = serve(source, { resolvers, limits: { timeout: 20 } });
    expect((await ask(server, '/api/slow')).status).toBe(504);
  });
});

describe('an operation whose client disconnects', () => {
  test('is cancelled: over GraphQL, over REST and in process', async () => {
    const { seen, resolvers } = hanging();
    const server = serve(source, { resolvers, limits: { timeout: false } });
    const leave = async (start: (signal: AbortSignal) => Promise<unknown>) => {
      const controller = new AbortController();
      const before = { started: seen.started, ended: seen.reasons.length };
      const answer = start(controller.signal).catch(() => undefined);
      await expect.poll(() => seen.started).toBe(before.started + 1);
      controller.abort();
      await expect.poll(() => seen.reasons).toHaveLength(before.ended + 1);
      return answer;
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: '{ slow { text } }' });
    await leave((signal) => ask(server, '/graphql', { method: 'POST', headers, body, signal }));
    await leave((signal) => ask(server, '/api/slow', { signal }));
    expect(await leave((signal) => server.executeOperation({ query: '{ slow { text } }', signal }))).toEqual({
      errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'OPERATION_ABORTED' }) })],
    });
  });

  test('does not begin if the client has already disconnected', async () => {
    const { seen, resolvers } = hanging();
    const server = serve(source, { resolvers });
    const { errors } = await server.executeOperation({
      query: '{ slow { text } }',
      signal: AbortSignal.abort(),
    });
    expect([errors?.[0]?.extensions.code, seen.started]).toEqual(['OPERATION_ABORTED', 0]);
  });
});

describe('a deadline', () => {
  test('is released when the work is done or fails', async () => {
    const { signal } = new AbortController();
    const off = vi.spyOn(signal, 'removeEventListener');
    expect(await runWithin({ timeout: 1_000, client: signal }, async () => 'done')).toBe('done');
    await expect(
      runWithin({ timeout: 1_000, client: signal }, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken');
    expect(off).toHaveBeenCalledTimes(2);
  });

  test('is never set for synchronous work', () => {
    const { signal } = new AbortController();
    const on = vi.spyOn(signal, 'addEventListener');
    expect(runWithin({ timeout: 1_000, client: signal }, () => 'done')).toBe('done');
    expect(on).not.toHaveBeenCalled();
  });

  test('that is over is reported to late callers, too', async () => {
    let seen: AbortSignal | undefined;
    const lifetime = new Lifetime();
    lifetime.end('gone');
    expect([lifetime.signal.aborted, lifetime.signal.reason]).toEqual([true, 'gone']);
    let finish: (result: string) => void = () => {};
    const later = new Promise<string>((resolve) => {
      finish = resolve;
    });
    await runWithin({ timeout: 5 }, (own) =>
      later.then((result) => {
        seen = own.signal;
        return result;
      }),
    );
    finish('late');
    await expect.poll(() => seen?.aborted).toBe(true);
  });

  test('drops a late result or failure with everything attached to it', async () => {
    const drop = vi.fn();
    let finish: (result: string) => void = () => {};
    const later = new Promise<string>((resolve) => {
      finish = resolve;
    });
    await runWithin({ timeout: 5 }, () => later, drop);
    await runWithin({ timeout: 5 }, () => later.then(() => Promise.reject(new Error('late'))));
    await runWithin({ timeout: 5 }, () => later);
    finish('late');
    await expect.poll(() => drop.mock.calls).toEqual([['late']]);
  });
});
