import { appendFileSync, writeSync } from 'node:fs';
import { promiseHooks } from 'node:v8';
import { createGqlServer, postgresEvents, postgresStore, sqliteStore } from '../../../src/index.js';
import type { EventBroker } from '../../../src/runtime/brokers/broker.js';

/**
 * A process that sends mutations with the keys from one number to another, says the number of each that was answered, and
 * kills itself before a continuation: what follows an `await`.
 */
export interface KilledWriter {
  /** A file of SQLite, or the URL of PostgreSQL. */
  readonly database: string;
  /** The file that gets the events; without it, they go to the log in the same database. */
  readonly eventFile?: string;
  readonly from: number;
  readonly to: number;
  /** The mutation from which on continuations are counted, and the number of the last one; absent for a whole process. */
  readonly kill?: { readonly from: number; readonly at: number };
}

const { database, eventFile, from, to, kill } = JSON.parse(process.argv[2] ?? '') as KilledWriter;

/** Writes events to a file at once, as a broker that acknowledges them. */
const fileEvents = (file: string): EventBroker => ({
  name: 'file',
  state: { status: 'connected', duration: 0 },
  async publish({ id, payload }) {
    appendFileSync(file, `${JSON.stringify({ id, payload })}\n`);
  },
  listen: async () => undefined,
  close: async () => undefined,
});

const source = `
(book: Stored { id: ID!, title: String!, notes: [Note!]! })
(note: Stored { id: ID!, bookId: ID!, book: Book, text: String })
(new_book: Input { title: String!, notes: [NewNote!] })
(new_note: Input { text: String })
(book_added { id: ID!, title: String! })
(new_book)-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
(book)-[:FORK { operation: 'bookAdded' }]->(book_added)
`;

const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  store: database.startsWith('postgres') ? postgresStore({ url: database }) : sqliteStore({ file: database }),
  events: eventFile === undefined ? postgresEvents({ url: database }) : fileEvents(eventFile),
  idempotency: {},
  limits: { timeout: false },
});
await server.store();
if (eventFile === undefined) await server.executeOperation({ query: '{ __typename }' });

const killFrom = (at: number): void => {
  let continuations = 0;
  promiseHooks.onBefore(() => {
    continuations += 1;
    if (continuations === at) process.kill(process.pid, 'SIGKILL');
  });
};

for (let number = from; number < to; number += 1) {
  if (number === kill?.from) killFrom(kill.at);
  const answer = await server.fetch(
    new Request('http://localhost/api/addBook', {
      method: 'POST',
      body: JSON.stringify({ input: { title: String(number), notes: [{ text: 'x' }] } }),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `k${number}`,
        authorization: 'Basic YTpi',
      },
    }),
  );
  const { title } = (await answer.json()) as { readonly title?: string };
  if (title !== String(number)) throw new Error(`the answer to ${number}: ${answer.status}`);
  writeSync(1, `${number}\n`);
}
await server.close();
