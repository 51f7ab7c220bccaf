import { createInterface } from 'node:readline';
import { createGqlServer } from '../../../src/index.js';
import { brokerOf } from '../../../src/runtime/brokers/brokers.js';

/**
 * A process with subscribers of one FORK, over the broker of its argument or none. It is told a number of events to
 * publish, each by a mutation; it says when it has published them, and when its subscribers have got as many.
 */
const [config = 'null', expected = '0', subscribers = '0', parallel = '1'] = process.argv.slice(2);
const parsed = JSON.parse(config);
const broker = parsed === null ? undefined : brokerOf(parsed, {});
const source = `
  (form { id: ID!, name: String! })
  (form)-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID!, name: String! })
`;
const server = createGqlServer({
  topologies: [{ name: 'users.gg', source }],
  resolvers: { Mutation: { saveUser: (_parent, { input }) => input } },
  ...(broker === undefined ? {} : { events: broker }),
});

/** Reads results until the subscriber has as many as expected. */
async function read(): Promise<void> {
  const results = await server.subscribe({ query: 'subscription { userSaved { id name } }' });
  if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
  started += 1;
  if (started === Number(subscribers)) console.log('ready');
  for (let count = 0; count < Number(expected); count++) {
    const { value } = await results.next();
    if (value?.errors !== undefined) throw new Error(JSON.stringify(value));
  }
}

let started = 0;
const reading = Array.from({ length: Number(subscribers) }, read);
void Promise.all(reading).then(() => console.log('received'));
for await (const line of createInterface(process.stdin)) {
  let left = Number(line);
  const publish = async (): Promise<void> => {
    while (left-- > 0) {
      const query = `mutation { saveUser(input: { id: "${left}", name: "Ada" }) { id } }`;
      const { errors } = await server.executeOperation({ query });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      // Requests come over connections, and leave turns to others.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: Number(parallel) }, publish));
  console.log('published');
}
