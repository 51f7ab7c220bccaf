import type { AddressInfo } from 'node:net';
import { createBetaHttpServer, createGqlServer, drainHttpServer } from '../../../src/index.js';
import { brokerOf } from '../../../src/runtime/brokers/brokers.js';

/** A process that serves a topology with a FORK over the broker of its argument, and says its port. */
const source = `
  (form { id: ID! })
  (form)-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID! })
`;

const events = brokerOf(JSON.parse(process.argv[2] ?? ''), process.env);
const server = createGqlServer({
  topologies: [{ name: 'users.gg', source }],
  resolvers: { Mutation: { saveUser: (_parent, { input }) => input } },
  events,
  // The broker has its own: a busy machine may take longer to start it again.
  limits: { timeout: false },
});
const http = createBetaHttpServer(server).listen(0, '127.0.0.1', () => {
  console.log((http.address() as AddressInfo).port);
});
process.once('SIGTERM', () => void drainHttpServer(http, server, { notice: 0, grace: 120_000 }));
