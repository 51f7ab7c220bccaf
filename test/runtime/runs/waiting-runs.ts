import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGqlServer } from '../../../src/index.js';

/** A server that begins runs which wait, and prints how many bytes the process has more. */
export interface WaitingRuns {
  /** A file of SQLite. */
  readonly file: string;
  readonly count: number;
}

const { file, count } = JSON.parse(process.argv[2] ?? '') as WaitingRuns;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const source = `
(label { id: ID!, text: String! })
(root)-[:FOLD { operation: 'printLabel', text: String!, returns: Label!, chain: true, durable: true, pause: '1d' }]->(label)
(root)-[:PROCESS { operation: 'label', id: ID! }]->(label)
`;

const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  runs: { file },
  authenticate: () => ({ id: 'ada' }),
});

/** Begins runs, and waits until each of them waits for its step. */
async function begin(number: number): Promise<void> {
  const ask = async (path: string, init?: RequestInit) =>
    (await (await server.fetch(new Request(`http://localhost/api/${path}`, init))).json()) as {
      readonly id: string;
      readonly waitsFor?: object;
    };
  const headers = { 'content-type': 'application/json' };
  const beginOne = async (text: string): Promise<void> => {
    const body = JSON.stringify({ printLabel: { text } });
    const { id } = await ask('chains/printLabel', { method: 'POST', headers, body });
    while ((await ask(`runs/${id}`)).waitsFor === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  for (let at = 0; at < number; at += 20)
    await Promise.all(Array.from({ length: 20 }, (_, place) => beginOne(String(at + place))));
}

async function measure() {
  // What is freed by a finalizer is collected by the next collection.
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heapUsed, rss };
}

// The first runs load and compile code that the others share.
await begin(200);
const before = await measure();
await begin(count);
const after = await measure();
process.stdout.write(JSON.stringify({ heap: after.heapUsed - before.heapUsed, rss: after.rss - before.rss }));
process.exit(0);
