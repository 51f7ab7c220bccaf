import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createPubSub, createSchema, createYoga } from 'graphql-yoga';
import { createGqlServer } from '../../../src/index.js';
import { createNodeListener } from '../../../src/runtime/hosts/node/node.js';

/** What a contender is: what answers requests, and how an event is published. */
interface Contender {
  readonly listener: RequestListener;
  publish(event: object): void;
}

/** The same subscription, of an event with five fields. */
const contenders: Readonly<Record<string, () => Contender>> = {
  'gg-svc': () => {
    const source =
      '(root)-[:PROCESS]->(hello { text: String }) (save_user)-[:FORK]->' +
      '(user_saved: Event { id: ID!, name: String!, email: String!, age: Int!, active: Boolean! })';
    const server = createGqlServer({ topologies: [{ name: 'user.gg', source }] });
    return {
      listener: createNodeListener(server),
      publish: (event) => server.publish('userSaved', event),
    };
  },
  'bare Yoga': () => {
    const events = createPubSub<{ userSaved: [object] }>();
    const schema = createSchema({
      typeDefs: `
        type Query { hello: String }
        type Subscription { userSaved: UserSaved }
        type UserSaved { id: ID! name: String! email: String! age: Int! active: Boolean! }`,
      resolvers: {
        Subscription: {
          userSaved: { subscribe: () => events.subscribe('userSaved'), resolve: (event: object) => event },
        },
      },
    });
    const yoga = createYoga({ schema, graphiql: false, logging: false });
    return {
      listener: yoga as unknown as RequestListener,
      publish: (event) => events.publish('userSaved', event),
    };
  },
};

/**
 * A process that is one contender. It says its port, and then does what it is told on its standard input:
 * `publish` an event, or tell what it has spent so far of
 * `memory` and of the `processor`.
 */
const contender = contenders[process.argv[2] ?? '']?.();
if (contender === undefined) throw new Error(`There is no contender ${process.argv[2]}.`);
const http = createServer(contender.listener).listen(0, '127.0.0.1', 4096, () => {
  console.log(JSON.stringify({ port: (http.address() as AddressInfo).port }));
});

let published = 0;
for await (const line of createInterface(process.stdin)) {
  if (line === 'publish') {
    published += 1;
    contender.publish({ id: published, name: 'Ada', email: 'ada@example.com', age: 36, active: true });
  } else if (line === 'memory') {
    for (let round = 0; round < 3; round++) globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    console.log(JSON.stringify({ memory: heapUsed + external }));
  } else {
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ processor: (user + system) / 1000 }));
  }
}
