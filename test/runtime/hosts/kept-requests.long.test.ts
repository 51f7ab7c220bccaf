import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnections } from '../../bench/http/load.js';
import { type ContenderName, type RequestKind, requestOf } from '../../bench/http/rows.js';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';

// V8 moves what survives two minor collections to the old generation, and what it finds there keeps more requests alive
// until the next major collection. One function that each request assigns to a property is enough for that: V8 allocates
// it in the old generation at once. Requests then cost up to twice as much, and no profile names the cause.

let folder = '';
beforeAll(async () => {
  folder = programFolder('kept');
  await bundlePrograms(['test/bench/http/server.ts'], folder);
  writeFileSync(join(folder, 'no-meter.mjs'), noMeter);
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * The provider of a program that comes first stays. The SDK allocates arrays to sort attributes, and if enough of them live
 * at a collection while the server begins, V8 has all later ones in the old generation (one of six runs beside busy processes).
 */
const noMeter = `import { createNoopMeter, metrics } from '@opentelemetry/api';
metrics.setGlobalMeterProvider({ getMeter: createNoopMeter });
`;

/** The requests of a round. */
const requests = 10_000;

/** How many bytes of each request survive minor garbage collections, in the median of five rounds. */
async function bytesKept(contender: ContenderName, kind: RequestKind): Promise<number> {
  const flags = ['--trace-gc', '--import', join(folder, 'no-meter.mjs')];
  const server = spawn(process.execPath, [...flags, join(folder, 'server.mjs'), contender], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    /** The sizes of the heap after each minor collection since the last major one, in MB. */
    let sizes: number[] = [];
    const port = await new Promise<number>((resolve) => {
      createInterface({ input: server.stdout }).on('line', (line) => {
        if (line.startsWith('{')) resolve(JSON.parse(line).port);
        const after = /Scavenge .* -> ([\d.]+) /.exec(line)?.[1];
        if (after !== undefined) sizes.push(Number(after));
        else if (line.includes('Mark-')) sizes = [];
      });
    });
    const connections = await openConnections(port, 32);
    const source = requestOf(kind, contender);
    // What V8 compiles and optimizes survives.
    await connections.load(source, 30_000);
    const kept: number[] = [];
    for (let round = 0; round < 5; round++) {
      sizes = [];
      await connections.load(source, requests);
      const [first = 0] = sizes;
      // A major collection in between leaves a part of them.
      kept.push(Math.max(0, (sizes.at(-1) ?? first) - first));
    }
    connections.close();
    // What requests keep is kept in each round. V8 itself moves some megabytes at once in one of some hundred rounds.
    const [, , median = 0] = kept.toSorted((a, b) => a - b);
    return (median * 2 ** 20) / requests;
  } finally {
    server.kill();
  }
}

test.each<[ContenderName, RequestKind]>([
  ['gg-svc on Node', 'rest'],
  ['gg-svc on Node', 'known'],
  ['gg-svc on Fastify', 'rest'],
  ['gg-svc on Fastify', 'known'],
  ['gg-svc with a token', 'rest'],
  ['gg-svc with an API key', 'rest'],
  ['gg-svc with a rate limit', 'rest'],
  ['gg-svc with metrics', 'rest'],
  ['gg-svc with access lines', 'rest'],
])('%s keeps nothing of a request until a major garbage collection: %s', async (contender, kind) => {
  // A request takes some ten thousand bytes.
  expect(await bytesKept(contender, kind)).toBeLessThan(100);
});
