import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { createGqlServer, sqliteStore } from '../../../src/index.js';
import type { BrokerEvent, EventBroker } from '../../../src/runtime/brokers/broker.js';
import { notPublished } from '../../../src/runtime/brokers/outgoing-events.js';
import { StoreOutbox } from '../../../src/runtime/store/outbox.js';
import { connectTo, textOf } from '../mcp/connect.js';
import { noSqlite } from './engines.js';

const source = `
(book: Stored { id: ID!, title: String!, size: BigInt, tags: [String!] })
(book_added { id: ID!, title: String! })
(root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)
(book)-[:FOLD { operation: 'addBook', writes: 'insert', returns: Book! }]->(book)
(root)-[:FOLD { operation: 'changeBook', id: ID!, title: String!, returns: Book }]->(book)
(root)-[:FOLD { operation: 'dropBook', id: ID!, returns: ID }]->(book)
(book)-[:FORK { operation: 'bookAdded', id: ID }]->(book_added)
`;

const newFile = () => {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-outbox-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'data.sqlite');
};

const serve = (file: string, options: Partial<GqlServerOptions> = {}) =>
  createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    store: sqliteStore({ file }),
    idempotency: {},
    ...options,
  });

type Server = ReturnType<typeof serve>;

/** Sends GraphQL with a key. */
const send = async (server: Server, query: string, key?: string) => {
  const answer = await server.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: {
        'content-type': 'application/json',
        authorization: 'Basic YTpi',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
  const { data, errors } = (await answer.json()) as any;
  const isReplayed = answer.headers.get('idempotency-replayed') === 'true';
  return { data, code: errors?.[0]?.extensions.code as string | undefined, isReplayed };
};

const rowsOf = async (server: Server, table: string) => {
  const db = await server.store<Record<string, Record<string, unknown>>>();
  return db.selectFrom(table).selectAll().orderBy('id').execute();
};

/** A broker that keeps what it gets, and refuses events while it is down. */
function fakeBroker() {
  const events: BrokerEvent[] = [];
  const broker: EventBroker & { isDown: boolean; events: BrokerEvent[] } = {
    name: 'fake',
    state: { status: 'connected', duration: 0 },
    isDown: false,
    events,
    async publish(event) {
      if (broker.isDown) throw notPublished('it is down');
      events.push(event);
    },
    listen: async () => undefined,
    close: async () => undefined,
  };
  return broker;
}

test.skipIf(noSqlite)('a repeat after a restart gets the first result, and changes nothing', async () => {
  const file = newFile();
  const first = serve(file);
  const query =
    'mutation { addBook(input: { title: "A", size: "9223372036854775807", tags: ["x"] }) { id size tags } }';
  const { data } = await send(first, query, 'k');
  await first.close();
  const second = serve(file);
  expect(await send(second, query, 'k')).toEqual({ data, code: undefined, isReplayed: true });
  expect(await rowsOf(second, 'book')).toHaveLength(1);
  expect((await send(second, query, 'other')).isReplayed).toBe(false);
  expect(await rowsOf(second, 'book')).toHaveLength(2);
  await second.close();
});

test.skipIf(noSqlite)('a repeat with other arguments is refused after a restart', async () => {
  const file = newFile();
  const first = serve(file);
  await send(first, 'mutation { addBook(input: { title: "A" }) { id } }', 'k');
  await first.close();
  const second = serve(file);
  const other = await send(second, 'mutation { addBook(input: { title: "B" }) { id } }', 'k');
  expect(other.code).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(await rowsOf(second, 'book')).toHaveLength(1);
  await second.close();
});

test.skipIf(noSqlite)('each mutation of a request has its own record, and an expired key is new', async () => {
  const file = newFile();
  const first = serve(file);
  await send(first, 'mutation { a: addBook(input: { title: "A" }) { id } b: dropBook(id: "none") }', 'k');
  expect(await rowsOf(first, 'gg_svc_keys')).toMatchObject([{ field: 'a' }]);
  const db = await first.store<Record<string, Record<string, unknown>>>();
  await db.updateTable('gg_svc_keys').set({ expires_at: 0 }).execute();
  await first.close();
  const second = serve(file);
  const again = await send(second, 'mutation { a: addBook(input: { title: "B" }) { id } }', 'k');
  expect(again).toMatchObject({ code: undefined, isReplayed: false });
  expect(await rowsOf(second, 'book')).toHaveLength(2);
  await second.close();
});

test.skipIf(noSqlite)('an event stays in the outbox until the broker has it', async () => {
  const file = newFile();
  const events = fakeBroker();
  events.isDown = true;
  const first = serve(file, { events });
  const failed = await send(first, 'mutation { addBook(input: { id: "a", title: "A" }) { id } }', 'k');
  expect(failed.code).toBe('EVENT_NOT_PUBLISHED');
  const [kept] = await rowsOf(first, 'gg_svc_outbox');
  expect(kept).toMatchObject({ subscription: 'bookAdded' });
  await first.close();
  const later = fakeBroker();
  const second = serve(file, { events: later });
  await second.store();
  await expect.poll(() => rowsOf(second, 'gg_svc_outbox')).toEqual([]);
  expect(later.events.map(({ id, payload }) => [id, JSON.parse(payload).id])).toEqual([[kept?.id, 'a']]);
  // A repeat does not publish it once more.
  const repeat = await send(second, 'mutation { addBook(input: { id: "a", title: "A" }) { id } }', 'k');
  expect(repeat).toEqual({ data: { addBook: { id: 'a' } }, code: undefined, isReplayed: true });
  expect(later.events).toHaveLength(1);
  await second.close();
});

test.skipIf(noSqlite)('published events leave the outbox, in their order', async () => {
  const file = newFile();
  const events = fakeBroker();
  const server = serve(file, { events });
  const titles = Array.from({ length: 20 }, (_, at) => String(at));
  for (const title of titles)
    expect((await send(server, `mutation { addBook(input: { title: "${title}" }) { id } }`)).code).toBe(undefined);
  expect(events.events.map(({ payload }) => JSON.parse(payload).title)).toEqual(titles);
  await server.close();
  const again = serve(file, { events: fakeBroker() });
  expect(await rowsOf(again, 'gg_svc_outbox')).toEqual([]);
  await again.close();
});

/** Leaves 300 events in the outbox of a database, with the numbers from 0 as their ids. */
async function leaveEvents(file: string): Promise<void> {
  const first = serve(file);
  await first.store();
  await first.close();
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(file);
  const insert = db.prepare('INSERT INTO gg_svc_outbox VALUES (?, ?, ?)');
  for (let at = 0; at < 300; at++)
    insert.run(`00-${String(at).padStart(3, '0')}`, 'bookAdded', JSON.stringify({ id: String(at), title: 'A' }));
  db.close();
}

const patient = { timeout: 120_000 };

test.skipIf(noSqlite).each([1, 250])(
  'what cannot be published stays, and the others follow: %i refused',
  async (refused) => {
    const file = newFile();
    await leaveEvents(file);
    const events = fakeBroker();
    const { publish } = events;
    events.publish = async (event) => {
      const number = Number(JSON.parse(event.payload).id);
      if (number >= 7 && number < 7 + refused) throw notPublished('it is refused');
      await publish(event);
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const second = serve(file, { events });
    await second.store();
    await vi.waitFor(async () => {
      // An event that is taken shows that the broker is there.
      await send(second, 'mutation { addBook(input: { title: "live" }) { id } }');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await rowsOf(second, 'gg_svc_outbox')).toHaveLength(refused);
    }, patient);
    const left = events.events.filter(({ payload }) => JSON.parse(payload).title !== 'live');
    expect(left).toHaveLength(300 - refused);
    await second.close();
  },
);

test.skipIf(noSqlite)('a broker that is away gets the events in their order when it is back', async () => {
  const file = newFile();
  const events = fakeBroker();
  await leaveEvents(file);
  const { publish } = events;
  // It comes back for the third look.
  let left = 200;
  events.publish = async (event) => {
    if (left-- > 0) throw notPublished('it is away');
    await publish(event);
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const second = serve(file, { events });
  await second.store();
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await rowsOf(second, 'gg_svc_outbox')).toEqual([]);
  }, patient);
  const numbers = events.events.map(({ payload }) => Number(JSON.parse(payload).id));
  expect(numbers).toEqual(Array.from({ length: 300 }, (_, at) => at));
  await second.close();
});

test.skipIf(noSqlite)('subscribers get events after the commit, and none of what was rolled back', async () => {
  const server = serve(':memory:');
  const results = await server.subscribe({ query: 'subscription { bookAdded { id title } }' });
  if (!(Symbol.asyncIterator in results)) throw new Error('no subscription');
  const first = results.next();
  await send(server, 'mutation { addBook(input: { id: "a", title: "A" }) { id } }');
  expect((await first).value?.data).toEqual({ bookAdded: { id: 'a', title: 'A' } });
  // The row can be read when its event arrives.
  expect((await send(server, '{ book(id: "a") { title } }')).data).toEqual({ book: { title: 'A' } });
  const second = results.next();
  const refused = await send(server, 'mutation { addBook(input: { id: "a", title: "B" }) { id } }');
  expect(refused.code).toBe('ALREADY_EXISTS');
  expect((await send(server, 'mutation { changeBook(id: "none", title: "C") { id } }')).data).toEqual({
    changeBook: null,
  });
  await send(server, 'mutation { addBook(input: { id: "d", title: "D" }) { id } }');
  expect((await second).value?.data).toEqual({ bookAdded: { id: 'd', title: 'D' } });
  await results.return();
  await server.close();
});

test.skipIf(noSqlite)('the mutations of a request run in order, each in its own transaction', async () => {
  const server = serve(':memory:');
  const { data, code } = await send(
    server,
    `mutation {
      a: addBook(input: { id: "a", title: "A" }) { id }
      b: changeBook(id: "a", title: "B") { title }
      c: dropBook(id: "none")
      d: changeBook(id: "a", title: "D") { title }
    }`,
  );
  expect(code).toBeUndefined();
  expect(data).toEqual({ a: { id: 'a' }, b: { title: 'B' }, c: null, d: { title: 'D' } });
  const failed = await send(
    server,
    `mutation {
      a: changeBook(id: "a", title: "E") { title }
      b: addBook(input: { id: "a", title: "F" }) { id }
    }`,
  );
  expect(failed.code).toBe('ALREADY_EXISTS');
  expect(await rowsOf(server, 'book')).toMatchObject([{ id: 'a', title: 'E' }]);
  await server.close();
});

test.skipIf(noSqlite)('a tool of an agent that is called again with its key changes nothing', async () => {
  const file = newFile();
  const call = async () => {
    const server = serve(file, { mcp: { tools: 'operations' } });
    const headers = { 'idempotency-key': 'k', authorization: 'Basic YTpi' };
    const agent = await connectTo(server, '2026-07-28', headers);
    const ask = () => agent.callTool({ name: 'addBook', arguments: { input: { title: 'A' } } });
    const results = [textOf(await ask()), textOf(await ask())];
    const rows = await rowsOf(server, 'book');
    await agent.close();
    await server.close();
    return { results, rows };
  };
  const [before, after] = [await call(), await call()];
  expect(after).toEqual(before);
  expect(before.rows).toHaveLength(1);
  expect(before.results[1]).toBe(before.results[0]);
});

test.skipIf(noSqlite)('a mutation that is given up before its commit changes nothing', async () => {
  const file = newFile();
  const server = serve(file);
  await server.store();
  const { DatabaseSync } = await import('node:sqlite');
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const client = new AbortController();
  const running = server.executeOperation({
    query: 'mutation { addBook(input: { id: "a", title: "A" }) { id } }',
    signal: client.signal,
  });
  await new Promise((resolve) => setImmediate(resolve));
  client.abort();
  expect((await running).errors?.[0]?.extensions.code).toBe('OPERATION_ABORTED');
  other.exec('ROLLBACK');
  other.close();
  const { data } = await send(server, 'mutation { addBook(input: { id: "b", title: "B" }) { id } }');
  expect(data).toEqual({ addBook: { id: 'b' } });
  expect(await rowsOf(server, 'book')).toMatchObject([{ id: 'b' }]);
  await server.close();
});

test.skipIf(noSqlite)('a database without the tables of the outbox gets them by a migration', async () => {
  const file = newFile();
  const first = serve(file);
  const db = await first.store();
  await db.schema.dropTable('gg_svc_outbox').execute();
  await db.schema.dropTable('gg_svc_keys').execute();
  await first.close();
  const migrated: string[] = [];
  const second = serve(file, { store: sqliteStore({ file, migrated: (steps) => migrated.push(...steps) }) });
  await send(second, 'mutation { addBook(input: { title: "A" }) { id } }', 'k');
  expect(migrated).toEqual(['add the tables of the outbox']);
  expect(await rowsOf(second, 'gg_svc_keys')).toHaveLength(1);
  await second.close();
});

test('the log of a broker is the outbox only in the database of the store', () => {
  const log = { url: 'x', statementsOf: () => undefined };
  const events = {
    publish: () => undefined,
    monitor: { fault: () => undefined, notice: () => undefined },
    log,
  };
  expect(new StoreOutbox({ engine: 'postgres', url: 'x' }, events).log).toBe(log);
  expect(new StoreOutbox({ engine: 'postgres', url: 'y' }, events).log).toBeUndefined();
  expect(new StoreOutbox({ engine: 'sqlite' }, undefined).log).toBeUndefined();
});
