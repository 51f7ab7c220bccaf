import { appendFileSync } from 'node:fs';
import { promiseHooks } from 'node:v8';
import { GraphQLError } from 'graphql';
import { createGqlServer, postgresStore, sqliteStore } from '../../../src/index.js';

/**
 * A server that begins runs, goes on with those that others began, and kills itself before a continuation: what follows
 * an `await`. Without that it ends when all of its runs have.
 */
export interface KilledServer {
  /** A file of SQLite, or the URL of PostgreSQL. */
  readonly database: string;
  /** The file to which the steps with resolvers write, as services elsewhere would. */
  readonly calls: string;
  /** The keys of the runs: the name of a workflow, and a number. */
  readonly keys: readonly string[];
  /** The number of the last continuation; absent for a whole process. */
  readonly killAt?: number;
}

const { database, calls, keys, killAt } = JSON.parse(process.argv[2] ?? '') as KilledServer;

// The workflows of docs/examples/parcel, with tables: a label that is printed elsewhere, a claim that only the store
// serves, and an invoice that is refused, so that its shipment and its customer are undone.
const source = `
(customer: Stored { id: ID!, name: String! })
(shipment: Stored { id: ID!, customerId: ID!, customer: Customer })
(claim: Stored { id: ID!, shipmentId: ID!, shipment: Shipment, settled: Int })
(label { id: ID!, text: String! })
(invoice { id: ID!, text: String! })
(root)-[:FOLD { operation: 'signUp', name: String!, returns: Customer!, undo: 'leave' }]->(customer)
(customer)-[:FOLD { operation: 'leave', id: ID!, writes: 'delete', returns: Customer }]->(customer)
(root)-[:FOLD { operation: 'bookShipment', customerId: ID!, returns: Shipment!, undo: 'cancelShipment' }]->(shipment)
(shipment)-[:FOLD { operation: 'cancelShipment', id: ID!, writes: 'delete', returns: Shipment }]->(shipment)
(root)-[:FOLD { operation: 'printLabel', shipmentId: ID!, text: String!, returns: Label!, chain: true, durable: true }]->(label)
(root)-[:FOLD { operation: 'payInvoice', shipmentId: ID!, text: String!, returns: Invoice!, chain: true, durable: true }]->(invoice)
(root)-[:FOLD { operation: 'fileClaim', shipmentId: ID!, returns: Claim! }]->(claim)
(claim)-[:FOLD { operation: 'decideClaim', id: ID!, settled: Int, returns: Claim, chain: true, durable: true }]->(claim)
(root)-[:PROCESS { operation: 'shipments', returns: [Shipment!]! }]->(shipment)
`;

type Call = { readonly shipmentId: string; readonly text: string };
const note = ({ text, shipmentId }: Call) => appendFileSync(calls, `${text} ${shipmentId}\n`);

const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  store: database.startsWith('postgres') ? postgresStore({ url: database }) : sqliteStore({ file: database }),
  resolvers: {
    Mutation: {
      printLabel: (_: unknown, call: Call) => {
        note(call);
        return { id: call.shipmentId, text: call.text };
      },
      payInvoice: (_: unknown, call: Call) => {
        note(call);
        throw new GraphQLError('The card was declined.', { extensions: { code: 'DECLINED' } });
      },
    },
  } as never,
});
await server.store();

/** The inputs of each workflow, and how it ends. */
const workflows: Readonly<Record<string, (key: string) => object>> = {
  printLabel: (text) => ({ printLabel: { text } }),
  decideClaim: () => ({ fileClaim: {}, decideClaim: { settled: 5 } }),
  payInvoice: (text) => ({ payInvoice: { text } }),
};

// Loading is not what is killed: a query, and a run that is refused.
await server.executeOperation({ query: '{ shipments { id } }' });
await server.run('printLabel', { signUp: { name: 5 } }).catch(() => undefined);

let continuations = 0;
promiseHooks.onBefore(() => {
  continuations += 1;
  if (continuations === killAt) process.kill(process.pid, 'SIGKILL');
});

const open = new Set(keys);
while (open.size > 0) {
  for (const key of open) {
    const [name = ''] = key.split('-', 1);
    const inputs = { signUp: { name: key }, bookShipment: {}, ...workflows[name]?.(key) };
    const { run } = await server.run(name, inputs, { key });
    const isRight =
      name === 'payInvoice'
        ? run?.state !== 'completed' && run?.state !== 'cancelled'
        : run?.state !== 'failed' && run?.state !== 'undoing';
    if (!isRight) throw new Error(`the run ${key} ended otherwise: ${JSON.stringify(run)}`);
    if (run?.endedAt !== undefined) open.delete(key);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
}
process.stdout.write(String(continuations));
await server.close();
