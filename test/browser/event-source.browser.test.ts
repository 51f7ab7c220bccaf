import { GraphQLError } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { host, until } from '../runtime/server/http-server.js';
import { post, serve } from '../runtime/server/topology-server.js';
import { expectFault, openPage } from './browser.js';

const source = `
  (form { id: ID!, name: String! })-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK { name: String }]->(user_saved: Event { id: ID!, name: String!, mail: String })
`;

test('EventSource follows a stream over REST: filtered events, an error, and a reconnect when the server shuts down', async () => {
  const server = serve(source, {
    resolvers: {
      Mutation: { saveUser: (_: unknown, { input }: { input: object }) => input },
      UserSaved: {
        mail: ({ id }: { id: string }) => {
          if (id === '2') throw new GraphQLError('No mail.');
          return `${id}@example.org`;
        },
      },
    },
  });
  const { authority, close } = await host(server);
  onTestFinished(close);
  // A page without a content security policy; it has no icon.
  const page = await openPage(`http://${authority}/health/live`);
  expectFault(page, /favicon\.ico|ERR_/);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const seen: unknown[] = [];
        Object.assign(globalThis, { seen });
        const events = new EventSource('/api/userSaved?name=Ada&fields=id,mail');
        events.onopen = () => {
          seen.push('open');
          resolve();
        };
        events.onmessage = ({ data }) => void seen.push(JSON.parse(data));
        events.addEventListener('error', (event) => {
          if (event instanceof MessageEvent) seen.push(JSON.parse(event.data).detail);
        });
        events.addEventListener('complete', () => {
          seen.push('complete');
          events.close();
        });
      }),
  );
  for (const [id, name] of [
    ['1', 'Ada'],
    ['2', 'Ada'],
    ['3', 'Eve'],
    ['4', 'Ada'],
  ]) {
    expect((await post(server, '/api/saveUser', { input: { id, name } })).status).toBe(200);
  }
  const seen = () => page.evaluate(() => (globalThis as unknown as { readonly seen: unknown[] }).seen);
  await expect.poll(async () => (await seen()).length).toBe(4);
  await server.drain();
  await expect.poll(async () => (await seen()).length).toBeGreaterThan(4);
  const [first, ...rest] = await seen();
  expect([first, ...rest.slice(0, 3)]).toEqual([
    'open',
    { id: '1', mail: '1@example.org' },
    'No mail.',
    { id: '4', mail: '4@example.org' },
  ]);
  // It connects again and again.
  expect(new Set(rest.slice(3))).toEqual(new Set(['open']));
});

test.each([
  ['/api/userSaved', 'message'],
  ['/graphql?query=subscription{userSaved{id}}', 'next'],
])('EventSource on %s, cut before its first event, gets the missed events', async (path, type) => {
  const server = serve(source);
  const { http, authority, sockets, close } = await host(server);
  onTestFinished(close);
  const positions: (string | undefined)[] = [];
  http.on('request', ({ url, headers }) => {
    if (url === path) positions.push(headers['last-event-id'] as string | undefined);
  });
  server.publish('userSaved', { id: 'early', name: 'Ada' });
  const page = await openPage(`http://${authority}/health/live`);
  expectFault(page, /favicon\.ico|ERR_/);
  await page.evaluate(
    ([url, event]) => {
      const seen: string[] = [];
      const opened: true[] = [];
      Object.assign(globalThis, { seen, opened });
      const events = new EventSource(url);
      events.onopen = () => void opened.push(true);
      events.addEventListener(event, ({ data }) => void seen.push(/"id":"(\w+)"/.exec(data)?.[1] ?? ''));
    },
    [path, type] as const,
  );
  const opened = () => page.evaluate(() => (globalThis as unknown as { readonly opened: true[] }).opened.length);
  // A browser may drop what it has not read yet of a stream that fails, and with it the position.
  for (let cuts = 0; positions.at(-1) === undefined; cuts++) {
    await expect.poll(opened).toBe(cuts + 1);
    for (const socket of sockets) socket.destroy();
    await until(() => positions.length === cuts + 2);
  }
  await expect.poll(opened).toBe(positions.length);
  for (const socket of sockets) socket.destroy();
  await until(() => sockets.size === 0);
  server.publish('userSaved', { id: 'between', name: 'Ada' });
  const seen = () => page.evaluate(() => (globalThis as unknown as { readonly seen: unknown[] }).seen);
  await expect.poll(seen).toEqual(['between']);
  server.publish('userSaved', { id: 'later', name: 'Ada' });
  await expect.poll(seen).toEqual(['between', 'later']);
});
