import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { brokerCases } from '../../runtime/brokers/broker-servers.js';
import { connectAll, countLockWaits, keysOf, openLog } from '../../runtime/brokers/lock-waits.js';

const { values } = parseArgs({
  options: { report: { type: 'string', default: '' }, quick: { type: 'boolean', default: false } },
});
const keys = keysOf(16);
/** Of each publisher. */
const events = values.quick ? 10 : 100;
/** How long a transaction stays open after its event was stored, in milliseconds. */
const holds = [0, 5];

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('The broker cases lack PostgreSQL.');
const server = await postgres.start(true);
const url = postgres.url(server.port);
for (;;) {
  // It takes connections before it takes queries.
  const isReady = await connectAll(url, 1).then(
    ([client]) => client?.end().then(() => true),
    () => false,
  );
  if (isReady) break;
  await pause(100);
}
const rows: string[] = [];
for (const partitions of [1, 4, 16]) {
  const waits = await countLockWaits(url, `waits${partitions}`, partitions, keys);
  const rates: string[] = [];
  for (const hold of holds) rates.push(String(Math.round(await rateOf(partitions, hold))));
  rows.push(`| ${[partitions, `${waits} of ${keys.length}`, ...rates].join(' | ')} |`);
}
await server.stop();
const text = `# Partitions on PostgreSQL

\`npm run bench:partitions\` writes this page. ${keys.length} publishers, each with a key and a connection of its own, store events in
transactions, as the store does. The second column is a count that does not depend on the speed of the machine: all
transactions stay open after their event, and a publisher waits if it does not get the lock of its partition. The other
columns are events per second of ${keys.length * events} events, one for each transaction, which commits at once or after
${holds.at(-1)} ms. PostgreSQL, with its default durability, and the publishers share two processors. Node ${process.versions.node}.

| partitions | publishers that wait for a lock | events per second | events per second, held for ${holds.at(-1)} ms |
|--:|--:|--:|--:|
${rows.join('\n')}
`;
console.log(text);
if (!values.quick) writeFileSync(values.report, text);

async function rateOf(partitions: number, hold: number): Promise<number> {
  const { broker, store } = await openLog(url, `rate${partitions}_${hold}`, partitions);
  const publishers = await connectAll(url, keys.length);
  const begin = performance.now();
  await Promise.all(
    publishers.map(async (client, at) => {
      for (let count = 0; count < events; count++) {
        await client.query('BEGIN');
        await store(client, keys[at] as string);
        if (hold > 0) await pause(hold);
        await client.query('COMMIT');
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  for (const client of publishers) await client.end();
  await broker.close();
  return (keys.length * events) / seconds;
}
