import { appendFileSync } from 'node:fs';
import { promiseHooks } from 'node:v8';
import { createGqlServer, postgresStore, sqliteStore } from '../../../src/index.js';

/**
 * A server that begins runs, and kills itself before a continuation: what follows an `await`. Without that it ends when
 * all of its runs have.
 */
export interface KilledServer {
  /** A file of SQLite, or the URL of PostgreSQL. */
  readonly database: string;
  /** The file to which the step with a resolver writes, as a service elsewhere would. */
  readonly calls: string;
  /** The keys of the runs. */
  readonly keys: readonly string[];
  /** The number of the last continuation; absent for a whole process. */
  readonly killAt?: number;
}

const { database, calls, keys, killAt } = JSON.parse(process.argv[2] ?? '') as KilledServer;

const source = `
(customer: Stored { id: ID!, name: String! })
(parcel: Stored { id: ID!, customerId: ID!, customer: Customer })
(label { id: ID!, text: String! })
(root)-[:FOLD { operation: 'signUp', name: String!, returns: Customer! }]->(customer)
(root)-[:FOLD { operation: 'bookParcel', customerId: ID!, returns: Parcel! }]->(parcel)
(root)-[:FOLD { operation: 'printLabel', parcelId: ID!, text: String!, returns: Label!, chain: true, durable: true }]->(label)
(root)-[:PROCESS { operation: 'parcels', returns: [Parcel!]! }]->(parcel)
`;

const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  store: database.startsWith('postgres') ? postgresStore({ url: database }) : sqliteStore({ file: database }),
  resolvers: {
    Mutation: {
      printLabel: (_, { parcelId, text }) => {
        appendFileSync(calls, `${text} ${parcelId}\n`);
        return { id: parcelId, text };
      },
    },
  },
});
await server.store();

let continuations = 0;
promiseHooks.onBefore(() => {
  continuations += 1;
  if (continuations === killAt) process.kill(process.pid, 'SIGKILL');
});

const open = new Set(keys);
while (open.size > 0) {
  for (const key of open) {
    const inputs = { signUp: { name: key }, bookParcel: {}, printLabel: { text: key } };
    const { run } = await server.run('printLabel', inputs, { key });
    if (run?.state === 'failed') throw new Error(`the run ${key} failed: ${JSON.stringify(run)}`);
    if (run?.state === 'completed') open.delete(key);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}
process.stdout.write(String(continuations));
await server.close();
