import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { createGqlServer, postgresEvents, postgresStore } from '../../../src/index.js';
import { type BrokerServer, brokerCases } from '../brokers/broker-servers.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;
let databases = 0;

beforeAll(async () => {
  server = await postgres.start();
  // It takes connections before it takes queries.
  await vi.waitFor(() => query('SELECT 1', String(postgres.url(server.port))), { timeout: 120_000 });
});
afterAll(() => server.stop());

async function query(sql: string, url: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function newUrl(): Promise<string> {
  const url = String(postgres?.url(server.port));
  const name = `outbox${databases++}`;
  await query(`CREATE DATABASE ${name}`, url);
  return url.replace(/postgres$/, name);
}

const source = `
(book: Stored { id: ID!, title: String! })
(book_added { id: ID!, title: String! })
(root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)
(book)-[:FOLD { operation: 'addBook', writes: 'insert', returns: Book! }]->(book)
(root)-[:FOLD { operation: 'changeBook', id: ID!, title: String!, returns: Book }]->(book)
(book)-[:FORK { operation: 'bookAdded' }]->(book_added)
`;

const serve = (url: string, options: Partial<GqlServerOptions> = {}) =>
  createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    store: postgresStore({ url, statementTimeout: 120_000 }),
    ...options,
  });

test('an event in the log of the broker has a receipt, and reaches subscribers once', async () => {
  const url = await newUrl();
  const api = serve(url, { events: postgresEvents({ url }) });
  const results = await api.subscribe({ query: 'subscription { bookAdded { title } }' });
  if (!(Symbol.asyncIterator in results)) throw new Error('no subscription');
  for (const title of ['A', 'B']) {
    const answer = await api.fetch(
      new Request('http://localhost/api/addBook', {
        method: 'POST',
        body: JSON.stringify({ input: { id: title, title } }),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(answer.status).toBe(200);
  }
  for (const title of ['A', 'B']) expect((await results.next()).value?.data).toEqual({ bookAdded: { title } });
  expect(await query('SELECT count(*)::int AS count FROM gg_svc_events', url)).toEqual([{ count: 2 }]);
  // The log is gone until the broker makes it anew: the outbox takes the events.
  await query('DROP TABLE gg_svc_events, gg_svc_events_head', url);
  const { errors } = await api.executeOperation({
    query: 'mutation { addBook(input: { id: "C", title: "C" }) { id } }',
  });
  expect(errors).toBeUndefined();
  // The mark of the loss may stand beside it.
  const events = `SELECT payload FROM gg_svc_events WHERE payload <> 'null'`;
  await vi.waitFor(async () => expect(await query(events, url)).toMatchObject([{ payload: /"C"/ }]), {
    timeout: 120_000,
  });
  await results.return();
  await api.close();
});

test('a statement ends when its client leaves, and changes nothing', async () => {
  const url = await newUrl();
  const api = serve(url);
  await api.executeOperation({ query: 'mutation { addBook(input: { id: "a", title: "A" }) { id } }' });
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN');
  const waiting = () =>
    query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'gg-svc store' AND wait_event_type = 'Lock'`, url);
  const leave = async (request: string) => {
    const client = new AbortController();
    const running = api.executeOperation({ query: request, signal: client.signal });
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 120_000 });
    client.abort();
    expect((await running).errors?.[0]?.extensions.code).toBe('OPERATION_ABORTED');
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 120_000 });
  };
  await holder.query(`SELECT 1 FROM book WHERE id = 'a' FOR UPDATE`);
  await leave('mutation { changeBook(id: "a", title: "B") { id } }');
  await holder.query('LOCK TABLE book IN ACCESS EXCLUSIVE MODE');
  await leave('{ book(id: "a") { title } }');
  await holder.query('COMMIT');
  await holder.end();
  expect(await query('SELECT title FROM book', url)).toEqual([{ title: 'A' }]);
  const { data } = await api.executeOperation({
    query: 'mutation { changeBook(id: "a", title: "C") { title } }',
  });
  expect(data).toEqual({ changeBook: { title: 'C' } });
  await api.close();
});

test('two processes that get one key at once write one row', async () => {
  const url = await newUrl();
  const apis = [0, 1].map(() => serve(url, { idempotency: {} }));
  await Promise.all(apis.map((api) => api.store()));
  const send = async (api: (typeof apis)[number], key: string) => {
    const answer = await api.fetch(
      new Request('http://localhost/api/addBook', {
        method: 'POST',
        body: JSON.stringify({ input: { id: key, title: key } }),
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          authorization: 'Basic YTpi',
        },
      }),
    );
    return answer.json();
  };
  for (let number = 0; number < 20; number++) {
    const [one, other] = await Promise.all(apis.map((api) => send(api, `k${number}`)));
    expect(one).toEqual({ id: `k${number}`, title: `k${number}` });
    expect(other).toEqual(one);
  }
  expect(await query('SELECT count(*)::int AS count FROM book', url)).toEqual([{ count: 20 }]);
  await Promise.all(apis.map((api) => api.close()));
});
