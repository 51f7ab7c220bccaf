import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createStreamChannel } from '../../../../../src/runtime/server/channels/transports/node-streams.js';
import { recordsOf, serveIo } from '../io-server.js';

describe('a fast source and a slow reader', () => {
  /** Gives a million records as fast as they are taken, and says how many it has given. */
  function million() {
    const source = { given: 0 };
    const input = new Readable({
      read() {
        let goesOn = true;
        while (goesOn && source.given < 1_000_000) {
          source.given += 1;
          goesOn = this.push(`{"n":${source.given}}\n`);
        }
        if (source.given === 1_000_000 && goesOn) this.push(null);
      },
    });
    return { source, input };
  }

  test('deliver one million records once, with constant memory and a source that is never far ahead', async () => {
    const { source, input } = million();
    const channel = createStreamChannel({ node: 'node', input, buffer: 10 });
    let taken = 0;
    let furthest = 0;
    let isInOrder = true;
    const collect = await garbageCollector();
    const heap: number[] = [];
    for await (const record of await recordsOf(channel)) {
      taken += 1;
      isInOrder &&= (record as { n: number }).n === taken;
      furthest = Math.max(furthest, source.given - taken);
      // Slow: everything else has its turn before the next record is asked for.
      if (taken % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (taken % 200_000 !== 0) continue;
      collect();
      heap.push(process.memoryUsage().heapUsed);
    }
    expect({ taken, isInOrder }).toEqual({ taken: 1_000_000, isInOrder: true });
    // The buffers of the stream (64 KiB in, and as much that is cut into lines) and the ten of the reader.
    expect(furthest).toBeLessThan(20_000);
    expect((heap.at(-1) as number) - (heap[0] as number)).toBeLessThan(8_000_000);
  });

  test('need constant memory through a server', async () => {
    const { input } = million();
    const server = serveIo('(fast)-[:FORK]->(fast_event: Event { n: Int! })', [
      createStreamChannel({ node: 'fast', input }),
    ]);
    const started = await server.subscribe({ query: 'subscription { fastEvent { n } }' });
    if (!(Symbol.asyncIterator in started)) throw new Error(JSON.stringify(started));
    const collect = await garbageCollector();
    const heap: number[] = [];
    for (let n = 1; n <= 200_000; n++) {
      const { value } = await started.next();
      if (value?.data?.fastEvent === undefined) throw new Error(JSON.stringify(value));
      if (n % 50_000 === 0) {
        collect();
        heap.push(process.memoryUsage().heapUsed);
      }
    }
    await started.return();
    const growth = (heap.at(-1) as number) - (heap[0] as number);
    expect(growth).toBeLessThan(8_000_000);
  });
});

/** So that what is counted is what is held, and not what is only left about. */
async function garbageCollector(): Promise<() => void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
