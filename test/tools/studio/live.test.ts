import { expect, test } from 'vitest';
import { createGqlServer } from '../../../src/index.js';
import type { Call, PublishedEvent, StudioMessage } from '../../../src/tools/studio/protocol.js';
import type { Studio } from '../../../src/tools/studio/studio.js';
import { makeStudio, post, readerOf, send, show, withRecorder } from './studios.js';

const topology = `
(book { id: ID!, title: String! })
(new_book: Input { title: String! })
(shelf)-[:PROCESS { id: ID! }]->(book)
(new_book)-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
(book)-[:FORK]->(book_added { id: ID!, title: String! })
`;

const resolvers = {
  Query: { book: (_: unknown, { id }: { id: string }) => ({ id, title: 'Emma' }) },
  Mutation: { addBook: (_: unknown, { input }: { input: { title: string } }) => ({ id: '1', ...input }) },
};

/** A server whose calls a studio records. */
function serve(studio: Studio) {
  show(studio, topology);
  const topologies = [{ name: 'a.gg', source: topology }];
  const server = createGqlServer(withRecorder({ topologies, resolvers }, studio.recorder));
  const ask = (path: string, body?: object) =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        ...(body && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }),
    );
  return { server, ask };
}

/** Opens a page, which collects the messages of a kind. */
async function openPage(studio: Studio) {
  const reader = readerOf(await send(studio, '/_gg/api/messages'));
  return {
    ...reader,
    async nextOf<Kind extends StudioMessage['kind']>(kind: Kind) {
      for (;;) {
        const message = await reader.next();
        if (message === undefined) throw new Error('The stream has ended.');
        if (message.kind === kind) return message as Extract<StudioMessage, { kind: Kind }>;
      }
    },
  };
}

const callsOf = async (studio: Studio, coordinate: string): Promise<readonly Call[]> =>
  (await send(studio, `/_gg/api/calls?coordinate=${coordinate}`)).json() as Promise<readonly Call[]>;

test('calls are recorded while a page is open, and sent to it', async () => {
  const studio = makeStudio();
  const { ask } = serve(studio);
  await ask('/api/book?id=before');
  expect(studio.recorder.isOn).toBe(false);
  const page = await openPage(studio);
  expect(studio.recorder.isOn).toBe(true);
  await ask('/api/book?id=1');
  const { calls } = await page.nextOf('calls');
  expect(calls).toMatchObject([{ coordinate: 'Query.book', protocol: 'rest', status: 200 }]);
  expect((await page.nextOf('statistics')).operations).toMatchObject([{ coordinate: 'Query.book', calls: 1 }]);
  const [call, ...others] = await callsOf(studio, 'Query.book');
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    id: calls[0]?.id,
    request: { url: '/api/book?id=1' },
    answer: '{"id":"1","title":"Emma"}',
  });
  await page.leave();
  expect(studio.recorder.isOn).toBe(false);
  await ask('/api/book?id=after');
  expect(await callsOf(studio, 'Query.book')).toHaveLength(1);
  expect(await callsOf(studio, 'Query.other')).toEqual([]);
});

test('a page that reconnects gets the current events, gauges and statistics', async () => {
  const studio = makeStudio();
  const { ask } = serve(studio);
  const first = await openPage(studio);
  await ask('/api/addBook', { input: { title: 'Emma' } });
  const { events } = await first.nextOf('events');
  await first.leave();
  const second = await openPage(studio);
  expect((await second.nextOf('events')).events).toEqual(events);
  expect((await second.nextOf('statistics')).operations).toMatchObject([{ coordinate: 'Mutation.addBook' }]);
  expect((await second.nextOf('gauges')).subscriptions).toMatchObject([{ name: 'bookAdded', subscribers: 0 }]);
  await second.leave();
});

test('an event of the tape can be published again, other events cannot', async () => {
  const studio = makeStudio();
  const { server, ask } = serve(studio);
  const page = await openPage(studio);
  await ask('/api/addBook', { input: { title: 'Emma' } });
  const [event] = (await page.nextOf('events')).events;
  const subscriber = await server.subscribe({ query: 'subscription { bookAdded { title } }' });
  if (!(Symbol.asyncIterator in subscriber)) throw new Error('It did not start.');
  const next = subscriber.next();
  expect((await post(studio, '/_gg/api/publish', { event: event?.id })).status).toBe(204);
  expect((await next).value).toEqual({ data: { bookAdded: { title: 'Emma' } } });
  let last: PublishedEvent | undefined;
  while (last?.deliveredTo !== 1) last = (await page.nextOf('events')).events.at(-1);
  expect(last).toMatchObject({ payload: { title: 'Emma' } });
  for (const body of [{}, { event: 'nothing' }, { event: 7 }])
    expect((await post(studio, '/_gg/api/publish', body)).status).toBe(409);
  await subscriber.return();
  await page.leave();
});

test('a call is saved as a new file each time, and never replaces a file', async () => {
  const files = new Map([['tests/book.test.mjs', 'of the user']]);
  const tests = {
    setup: async () => ({ topologies: ['a.gg'], folder: 'tests', hasProject: false }),
    create: async (path: string, text: string) => {
      const isNew = !files.has(path);
      if (isNew) files.set(path, text);
      return isNew;
    },
  };
  const studio = makeStudio({ tests });
  const { ask } = serve(studio);
  const page = await openPage(studio);
  await ask('/api/book?id=1');
  const [call] = await callsOf(studio, 'Query.book');
  for (const path of ['tests/book-2.test.mjs', 'tests/book-3.test.mjs']) {
    const response = await post(studio, '/_gg/api/test', { call: call?.id });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ path, text: files.get(path) });
  }
  expect(files.get('tests/book.test.mjs')).toBe('of the user');
  expect((await post(studio, '/_gg/api/test', { call: 'nothing' })).status).toBe(409);
  expect((await post(makeStudio(), '/_gg/api/test', { call: call?.id })).status).toBe(403);
  await page.leave();
});
