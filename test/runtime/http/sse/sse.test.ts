import { request as httpRequest, type IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { createClient } from 'graphql-sse';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEventStreamWish } from '../../../../src/runtime/http/sse/accept-events.js';
import { EventReader } from '../../../conformance/event-reader.js';
import { CountingEvents } from '../../server/counting-events.js';
import { type Hosted, host, until } from '../../server/http-server.js';
import { ask, serve } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(hello { text: 'Hello' })
  (form { id: ID!, name: String! })-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID!, name: String! })
`;
const saved = 'subscription { userSaved { id } }';
const accept = 'text/event-stream';
const post = (body: unknown, more: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { accept, 'content-type': 'application/json', ...more },
  body: JSON.stringify(body),
});

afterEach(() => vi.restoreAllMocks());

describe('an answer as a stream of events', () => {
  test('contains the result of a query, and ends', async () => {
    const answer = await ask(serve(source), '/graphql', post({ query: '{ hello { text } }' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.text).toBe(
      ':\n\nevent: next\ndata: {"data":{"hello":{"text":"Hello"}}}\n\nevent: complete\ndata: \n\n',
    );
  });

  test('contains the events of a subscription in order', async () => {
    const server = serve(source);
    const response = await server.fetch(new Request('http://a/graphql', post({ query: saved })));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toMatch(/^:\nid: [\w-]+:0-0000000\n\n$/);
    server.publish('userSaved', { id: 1 });
    expect(await read()).toMatch(/^id: [\w-]+:1-\w+\nevent: next\ndata: {"data":{"userSaved":{"id":"1"}}}\n\n$/);
    await reader.cancel();
  });

  test('is only for subscriptions if the client accepts JSON equally', async () => {
    const server = serve(source, {
      resolvers: {
        Subscription: {
          userSaved: async function* () {
            yield { id: 1 };
          },
        },
      },
    });
    const both = { accept: 'application/json, text/event-stream' };
    expect((await ask(server, '/graphql', post({ query: '{ hello { text } }' }, both))).body).toEqual({
      data: { hello: { text: 'Hello' } },
    });
    expect((await ask(server, '/graphql', post({ query: saved }, both))).text).toContain('event: complete');
    expect((await ask(server, '/graphql', post({ query: '{ nonsense }' }, both))).body.errors).toHaveLength(1);
    expect((await ask(server, '/graphql', post({ query: 5 }, both))).status).toBe(400);
  });

  test('answers GET, with variables', async () => {
    const search = new URLSearchParams({
      query: 'query Q($if: Boolean!) { hello { text @include(if: $if) __typename } }',
      variables: '{"if":false}',
      operationName: 'Q',
    });
    const headers = { accept };
    expect((await ask(serve(source), `/graphql?${search}`, { headers })).text).toContain(
      'data: {"data":{"hello":{"__typename":"Hello"}}}',
    );
  });

  test('rejects a mutation over GET, and a request without an operation', async () => {
    const server = serve(source);
    const mutation = await ask(server, '/graphql?query=mutation{saveUser{id}}', { headers: { accept } });
    expect([mutation.status, mutation.headers.get('allow')]).toEqual([405, 'POST']);
    for (const body of [{}, { query: '' }, { query: 'x', operationName: 1 }, { query: 'x', variables: [] }]) {
      expect((await ask(server, '/graphql', post(body))).status).toBe(400);
    }
  });

  test('contains the errors of an operation that cannot run', async () => {
    const server = serve(source, { limits: { depth: 1 } });
    const text = async (query: string) => (await ask(server, '/graphql', post({ query }))).text;
    expect(await text('{')).toMatch(/event: next\ndata: {"errors":\[.*Syntax Error.*\nevent: complete/s);
    expect(await text('{ nonsense }')).toContain('Cannot query field');
    const deep = await text(saved);
    expect(deep).toContain('DEPTH_LIMIT_EXCEEDED');
    // The status is a matter between us and the engines.
    expect(deep).not.toContain('http');
  });

  test('contains the error of a context that throws, and of a source that fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const refusing = serve(source, {
      context: () => {
        throw new GraphQLError('Who are you?');
      },
    });
    expect((await ask(refusing, '/graphql', post({ query: saved }))).text).toContain('Who are you?');
    const breaking = serve(source, {
      resolvers: {
        Subscription: {
          userSaved: async function* () {
            yield { id: 1 };
            throw new Error('gone');
          },
        },
      },
    });
    const { text } = await ask(breaking, '/graphql', post({ query: saved }));
    expect(text).toMatch(/"id":"1".*"message":"gone".*event: complete/s);
  });
});

test('the header Accept selects the operations that get an event stream', () => {
  expect(readEventStreamWish(undefined)).toBe('none');
  expect(readEventStreamWish('application/json')).toBe('none');
  expect(readEventStreamWish('text/event-stream;q=0')).toBe('none');
  expect(readEventStreamWish('text/event-stream')).toBe('all');
  expect(readEventStreamWish('TEXT/Event-Stream; charset=utf-8, */*;q=0.5')).toBe('all');
  expect(readEventStreamWish('text/event-stream, */*')).toBe('subscriptions');
  expect(readEventStreamWish('text/event-stream;q=nonsense, */*')).toBe('none');
});

describe('over a network', () => {
  let server: ReturnType<typeof serve>;
  let hosted: Hosted;
  let events: CountingEvents;

  beforeEach(async () => {
    events = new CountingEvents();
    server = serve(source, { events });
    hosted = await host(server);
    return () => hosted.close();
  });

  const open = (query: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { headers, body } = post({ query });
      httpRequest(`http://${hosted.authority}/graphql`, { method: 'POST', headers, agent: false }, resolve)
        .on('error', reject)
        .end(body);
    });

  test('graphql-sse subscribes, reads results and errors, and unsubscribes', async () => {
    const client = createClient({ url: `http://${hosted.authority}/graphql`, retryAttempts: 0 });
    const subscription = client.iterate({ query: saved });
    const first = subscription.next();
    await until(() => events.listening === 1);
    server.publish('userSaved', { id: 1 });
    server.publish('userSaved', { id: 2 });
    expect((await first).value).toEqual({ data: { userSaved: { id: '1' } } });
    expect((await subscription.next()).value).toEqual({ data: { userSaved: { id: '2' } } });
    await subscription.return?.();
    await until(() => events.listening === 0);

    const query = client.iterate({ query: '{ hello { text } }' });
    expect((await query.next()).value).toEqual({ data: { hello: { text: 'Hello' } } });
    expect((await query.next()).done).toBe(true);
    const wrong = client.iterate({ query: '{ nonsense }' });
    expect((await wrong.next()).value?.errors?.[0]?.message).toContain('Cannot query field');
    client.dispose();
  });

  test('a host can read the same stream as a body', async () => {
    const response = await server.fetch(new Request('http://a/graphql', post({ query: saved })));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const next = reader.read();
    await until(() => events.listening === 1);
    await reader.cancel();
    expect((await next).done).toBe(true);
    await until(() => events.listening === 0);
    // One that is never read holds nothing once it is dropped, and neither does one whose request is aborted.
    const dropped = await server.fetch(new Request('http://a/graphql', post({ query: saved })));
    expect(events.listening).toBe(1);
    await dropped.body?.cancel();
    expect(events.listening).toBe(0);
    const controller = new AbortController();
    const request = new Request('http://a/graphql', { ...post({ query: saved }), signal: controller.signal });
    const aborted = (await server.fetch(request)).body?.getReader();
    await aborted?.read();
    expect(events.listening).toBe(1);
    controller.abort();
    expect(events.listening).toBe(0);
  });

  test('an idle stream sends pings, and one without readers does not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [client, response] = await Promise.all([
      open(saved),
      server.fetch(new Request('http://a/graphql', post({ query: saved }))),
    ]);
    let text = '';
    client.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await until(() => text === ':\n\n');
    vi.advanceTimersByTime(24_000);
    await until(() => text === ':\n\n:\n\n:\n\n');
    const next = reader.read();
    vi.advanceTimersByTime(12_000);
    expect(new TextDecoder().decode((await next).value)).toBe(':\n\n');
    await reader.cancel();
    client.destroy();
    vi.useRealTimers();
    await until(() => events.listening === 0);
  });

  test('the pings of a stream without matching events update its position', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const kept = serve(source);
    const query = 'subscription { userSaved(id: "7") { id } }';
    const follow = async (more: Record<string, string> = {}) =>
      new EventReader(await kept.fetch(new Request('http://a/graphql', post({ query }, more))));
    const reader = await follow();
    await reader.block();
    const opening = reader.lastId;
    for (const id of ['1', '2']) kept.publish('userSaved', { id });
    const pinged = reader.block();
    // The events have been filtered.
    await new Promise((resolve) => setTimeout(resolve));
    vi.advanceTimersByTime(12_000);
    expect((await pinged)?.has('data')).toBe(false);
    expect([opening, reader.lastId]).toEqual([expect.stringMatching(/:0-\w+$/), expect.stringMatching(/:2-\w+$/)]);
    await reader.cancel();
    kept.publish('userSaved', { id: '7' });
    const resumed = await follow({ 'last-event-id': reader.lastId ?? '' });
    expect(await resumed.next()).toMatchObject({ event: 'next', data: '{"data":{"userSaved":{"id":"7"}}}' });
    await resumed.cancel();
    vi.useRealTimers();
  });

  test('a ping has no position while an event is on its way to the client', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let name: (name: string) => void = () => undefined;
    const UserSaved = { name: () => new Promise<string>((resolve) => (name = resolve)) };
    const slow = serve(source, { resolvers: { UserSaved } });
    slow.publish('userSaved', { id: '1' });
    const query = 'subscription { userSaved { name } }';
    const follow = async (more: Record<string, string> = {}) =>
      new EventReader(await slow.fetch(new Request('http://a/graphql', post({ query }, more))));
    /** Pings while the next event is executed, and finds what the client then knows. */
    const pingIn = async (reader: EventReader): Promise<string | undefined> => {
      const pinged = reader.block();
      await new Promise((resolve) => setTimeout(resolve));
      vi.advanceTimersByTime(12_000);
      await pinged;
      return reader.lastId;
    };
    const live = await follow();
    await live.block();
    const opening = live.lastId;
    slow.publish('userSaved', { id: '2' });
    expect(await pingIn(live)).toBe(opening);
    name('Ada');
    expect((await live.next())?.id).toMatch(/:2-\w+$/);
    expect(await pingIn(live)).toMatch(/:2-\w+$/);
    // One that reads the log is where its last event is.
    const resumed = await follow({ 'last-event-id': opening ?? '' });
    await resumed.block();
    expect(await pingIn(resumed)).toBeUndefined();
    name('Ada');
    expect((await resumed.next())?.id).toMatch(/:2-\w+$/);
    expect(await pingIn(resumed)).toMatch(/:2-\w+$/);
    await live.cancel();
    await resumed.cancel();
    vi.useRealTimers();
  });

  test('graphql-sse reads a stream that begins with its position', async () => {
    const logged = serve(source);
    const kept = await host(logged);
    const client = createClient({ url: `http://${kept.authority}/graphql`, retryAttempts: 0 });
    const messages: unknown[] = [];
    const disposed = client.subscribe(
      { query: saved },
      { next: (result) => messages.push(result), error: (error) => messages.push(error), complete: () => {} },
    );
    await until(() => {
      logged.publish('userSaved', { id: '1' });
      return messages.length > 0;
    });
    expect(messages[0]).toEqual({ data: { userSaved: { id: '1' } } });
    disposed();
    client.dispose();
    await kept.close();
  });

  test('a client that disconnects leaves no resources behind', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => open(saved)));
    await until(() => events.listening === 1);
    for (const client of clients) client.destroy();
    await until(() => events.listening === 0 && hosted.sockets.size === 0);
  });

  test('a client that does not read is dropped, and the others get all events', async () => {
    const slow = await open(saved.replace('id', 'name'));
    slow.pause();
    const quick = await open(saved);
    let heard = 0;
    quick.on('data', (chunk: Buffer) => {
      heard += chunk.toString().split('event: next').length - 1;
    });
    await until(() => events.listening === 1);
    const name = 'x'.repeat(200_000);
    for (let at = 1; at <= 300; at++) {
      server.publish('userSaved', { id: at, name });
      await until(() => heard === at);
    }
    // What the slow one finds when he comes back to it: what the connection held, the queue, and why it ended.
    const chunks: Buffer[] = [];
    for await (const chunk of slow) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const got = text.split('event: next').length - 1;
    expect(got).toBeGreaterThan(100);
    expect(got).toBeLessThan(250);
    expect(text).toMatch(/SUBSCRIBER_TOO_SLOW"[^\n]*\n\nevent: complete\ndata: \n\n$/);
    quick.destroy();
    await until(() => events.listening === 0);
  });

  test('a thousand subscribers get an event, and leave no resources behind', async () => {
    const clients = await Promise.all(Array.from({ length: 1000 }, () => open(saved)));
    let heard = 0;
    for (const client of clients) {
      client.on('data', (chunk: Buffer) => {
        if (chunk.includes('"id":"7"')) heard++;
      });
    }
    await until(() => events.listening === 1);
    server.publish('userSaved', { id: 7 });
    await until(() => heard === 1000);
    for (const client of clients) client.destroy();
    await until(() => events.listening === 0 && hosted.sockets.size === 0);
  });
});
