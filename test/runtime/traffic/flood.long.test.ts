import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createBetaHttpServer, createGqlServer } from '../../../src/index.js';

const source = "(root)-[:PROCESS]->(hello { text: 'Hello' })";

/**
 * A client in a thread of its own: sends requests with a key over connections, each as soon as the last one is answered.
 * Its first message comes after as many answers as `first`; then it goes on until it is told to stop.
 */
const client = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, key, connections, first } } = require('node:worker_threads');
const counts = {};
let latencies = [];
const request = 'GET /api/hello HTTP/1.1\\r\\nhost: x\\r\\nauthorization: ' + key + '\\r\\n\\r\\n';
for (let at = 0; at < connections; at += 1) {
  let begun = 0;
  const send = () => {
    begun = performance.now();
    socket.write(request);
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, send);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const status = /^HTTP\\/1.1 (\\d+)/.exec(String(chunk))?.[1];
    if (status === undefined) return;
    counts[status] = (counts[status] ?? 0) + 1;
    if (latencies.push(performance.now() - begun) === first) report();
    send();
  });
}
function report() {
  latencies.sort((one, next) => one - next);
  parentPort.postMessage({ counts, p99: latencies[Math.floor(latencies.length * 0.99)] });
}
parentPort.once('message', () => {
  report();
  process.exit();
});`;

interface Report {
  /** The number of answers by status. */
  readonly counts: Readonly<Record<string, number>>;
  /** The 99th percentile of the time for an answer, in milliseconds. */
  readonly p99: number;
}

test('a flood from one key is rejected, and another key is served', async () => {
  const server = createGqlServer({
    topologies: [{ name: 'hello.gg', source }],
    authenticate: ({ header }) => {
      const id = header('authorization');
      return id === undefined ? null : { id };
    },
    rateLimits: [
      {
        limit: 1_000,
        per: '1h',
        by: ({ principal }) => (principal?.id === 'flood' ? principal.id : undefined),
      },
      { limit: 1_000_000, per: '1h', by: 'principal' },
    ],
  });
  const http = createBetaHttpServer(server);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const open = async (key: string, connections: number, first: number) => {
    const worker = new Worker(client, { eval: true, workerData: { port, key, connections, first } });
    const next = () => new Promise<Report>((resolve) => worker.once('message', resolve));
    const reported = await next();
    const stop = (): Promise<Report> => {
      const stopped = next();
      worker.postMessage('stop');
      return stopped;
    };
    return { reported, stop };
  };
  // The server is warm before the first measurement.
  await (await open('early', 1, 1_000)).stop();
  const alone = await open('other', 1, 2_000);
  await alone.stop();
  const flood = await open('flood', 50, 2_000);
  const served = await open('other', 1, 2_000);
  const { counts } = await flood.stop();
  await served.stop();
  http.closeAllConnections();
  http.close();
  console.log(
    `p99 of the served key: ${served.reported.p99.toFixed(1)} ms during a flood of ${counts[200]} answers and ` +
      `${counts[429]} refusals, ${alone.reported.p99.toFixed(1)} ms without it`,
  );
  expect(served.reported.counts).toEqual({ 200: 2_000 });
  expect(Object.keys(counts)).toEqual(['200', '429']);
  expect(counts[200]).toBe(1_000);
});
