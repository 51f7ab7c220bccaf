import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createGqlServer, postgresStore, sqliteStore } from '../../../../src/index.js';
import { type BrokerServer, brokerCases } from '../../brokers/broker-servers.js';
import { noSqlite } from '../engines.js';
import { checkParcel } from '../parcel-cases.js';
import { checkWideRelations } from './wide-relation-cases.js';
import { checkWrites } from './write-cases.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;
let databases = 0;

beforeAll(async () => {
  server = await postgres.start();
  // The server listens before it accepts connections.
  await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000, interval: 200 });
});
afterAll(() => server.stop());

async function query(sql: string): Promise<void> {
  const client = new pg.Client(postgres?.url(server.port));
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** A store over a new database. */
async function newStore() {
  const name = `writes${databases++}`;
  await query(`CREATE DATABASE ${name}`);
  return postgresStore({ url: String(postgres?.url(server.port).replace(/postgres$/, name)) });
}

test('PostgreSQL has the rows that a model in memory has, for random topologies and mutations', async () => {
  await checkWrites(newStore, { numRuns: 5 });
});

test.skipIf(noSqlite)(
  'SQLite has the rows that a model in memory has, for random topologies and mutations',
  async () => {
    await checkWrites(() => sqliteStore({ file: ':memory:' }), { numRuns: 5 });
  },
  600_000,
);

test('the parcel example answers all of its operations from PostgreSQL', async () => {
  await checkParcel(await newStore());
});

test('PostgreSQL follows relations by keys of two columns, and writes nested rows with a column of them', async () => {
  await checkWideRelations(await newStore());
});

test('PostgreSQL names the columns that break a rule, and writes concurrent upserts of one row', async () => {
  const store = await newStore();
  const source = `
(top: Stored {
  id: ID!, name: String!,
  /// @store unique
  code: String,
  /// @maximum 5
  stars: Int,
  /// @store version
  version: Int!
})
(kid: Stored { id: ID!, topId: ID!, top: Top })
(root)-[:PROCESS { operation: 'top', id: ID!, returns: Top }]->(top)
(top)-[:FOLD { operation: 'save', returns: Top! }]->(top)
(root)-[:FOLD { operation: 'rate', id: ID!, stars: Int!, returns: Top! }]->(top)
(root)-[:FOLD { operation: 'add', topId: ID!, returns: ID! }]->(kid)
(root)-[:FOLD { operation: 'drop', id: ID!, returns: Boolean }]->(top)
`;
  const api = createGqlServer({ topologies: [{ name: 'a.gg', source }], store });
  const run = async (mutation: string) => {
    const { data, errors } = await api.executeOperation({ query: `mutation { it: ${mutation} }` });
    const [first] = errors ?? [];
    return first === undefined ? data?.it : first.extensions;
  };
  const upserts = Array.from({ length: 8 }, (_, at) => run(`save(input: { id: "a", name: "${at}" }) { version }`));
  const versions = (await Promise.all(upserts)).map((one) => (one as { version: number }).version);
  expect(versions.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await run('save(input: { id: "b", name: "b", code: "x" }) { id }');
  expect(await run('save(input: { id: "c", name: "c", code: "x" }) { id }')).toEqual({
    code: 'ALREADY_EXISTS',
    column: 'code',
  });
  expect(await run('rate(id: "b", stars: 6) { id }')).toMatchObject({
    code: 'BAD_USER_INPUT',
    parameter: 'stars',
  });
  expect(await run('add(topId: "none")')).toMatchObject({ code: 'BAD_USER_INPUT', parameter: 'topId' });
  expect(await run(`save(input: { id: "d", name: "d", code: "${'xy'.repeat(50_000)}" }) { id }`)).toMatchObject({
    id: 'd',
  });
  await run('add(topId: "a")');
  expect(await run('drop(id: "a")')).toEqual({ code: 'STILL_REFERENCED' });
  await store.close();
});
