import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import type { RuntimeIoChannel } from '../../../src/runtime/server/channels/binding/channel.js';
import { ChannelError } from '../../../src/runtime/server/channels/binding/channel.js';
import { buildRuntimeIoProjectionLayer } from '../../../src/runtime/server/channels/runtime-io-layer.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { ChannelStates } from '../../../src/tools/studio/channel-states.js';

const source = `
(stock: Record { id: ID! })
(tick: Event { id: ID! })
(root)-[:PROCESS]->(stock)
(order: Input { id: ID! })-[:FOLD]->(stock)
(clock)-[:FORK]->(tick)`;

/** A channel with private state, as a class has. */
class Warehouse implements RuntimeIoChannel {
  readonly node = 'stock';
  readonly direction = 'inout';
  readonly transport = 'warehouse';
  readonly timeout = 50;
  #answer: () => unknown = () => ({ id: '1' });

  answer(next: () => unknown): void {
    this.#answer = next;
  }

  read(): unknown {
    return this.#answer();
  }

  write(): unknown {
    return this.#answer();
  }
}

function serve(channels: readonly RuntimeIoChannel[]) {
  const states = new ChannelStates();
  const layer = buildRuntimeIoProjectionLayer({
    graph: analyze(source).ast,
    channels: states.watch(channels),
  });
  expect(layer.diagnostics).toEqual([]);
  const server = createGqlServer({ topologies: [{ name: 'a.gg', source }], layers: [layer] });
  return { server, states };
}

describe('the state of a channel', () => {
  test('is idle before its first use, then that of its last use', async () => {
    const warehouse = new Warehouse();
    const { server, states } = serve([warehouse]);
    expect(states.read()).toEqual([{ node: 'stock', state: 'idle' }]);
    await server.executeOperation({ query: '{ stock { id } }' });
    expect(states.read()).toEqual([{ node: 'stock', state: 'open' }]);

    const failures: readonly (readonly [() => unknown, string])[] = [
      [() => Promise.reject(new ChannelError('failed', 'the warehouse is closed')), 'the warehouse is closed'],
      [
        () => {
          throw new Error('password 1234 is wrong');
        },
        'It threw an error; see the terminal.',
      ],
      [() => new Promise(() => undefined), 'no answer within 50 ms'],
    ];
    for (const [answer, failure] of failures) {
      for (const query of ['{ stock { id } }', 'mutation { stock(input: { id: "1" }) { id } }']) {
        warehouse.answer(() => ({ id: '1' }));
        await server.executeOperation({ query });
        expect(states.read()).toEqual([{ node: 'stock', state: 'open' }]);
        warehouse.answer(answer);
        expect((await server.executeOperation({ query })).errors).toHaveLength(1);
        expect(states.read()).toEqual([{ node: 'stock', state: 'failing', failure }]);
      }
    }
  });

  test('follows the events of a subscription, and does not count a cancellation as a failure', async () => {
    let broken = false;
    const clock: RuntimeIoChannel = {
      node: 'tick',
      direction: 'in',
      transport: 'clock',
      async *subscribe() {
        yield { id: '1' };
        if (broken) throw new ChannelError('failed', 'the clock has stopped');
        yield { id: '2' };
      },
    };
    const { server, states } = serve([clock]);
    const run = async (count: number) => {
      const results = await server.subscribe({ query: 'subscription { tick { id } }' });
      if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
      for await (const _ of results) if (--count === 0) break;
    };
    await run(1);
    expect(states.read()).toEqual([{ node: 'tick', state: 'open' }]);
    broken = true;
    await run(5);
    expect(states.read()).toEqual([{ node: 'tick', state: 'failing', failure: 'the clock has stopped' }]);
  });
});

test('values that are not channels stay untouched, and the server reports them', () => {
  const wrong = [null, 1, {}] as unknown as readonly RuntimeIoChannel[];
  expect(new ChannelStates().watch(wrong)).toEqual(wrong);
});
