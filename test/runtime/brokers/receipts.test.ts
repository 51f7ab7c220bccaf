import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventBroker } from '../../../src/runtime/brokers/broker.js';
import { carryOverBroker } from '../../../src/runtime/brokers/broker-carrier.js';
import { carryOverTarget, createEventHub, type EventHub } from '../../../src/runtime/brokers/event-hub.js';
import { carryInMemory, memoryEvents } from '../../../src/runtime/brokers/memory.js';
import { carryOverPartitions } from '../../../src/runtime/brokers/partitions.js';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import { FakeLog } from './fake-broker.js';

const brokers: EventBroker[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});

const inMemory = () => createEventHub(carryInMemory(memoryEvents()));
const inPartitions = () =>
  createEventHub(
    carryOverPartitions(
      [1, 2, 3, 4].map(() => carryInMemory(memoryEvents())),
      (name) => name,
    ),
  );
function overPartitions(): EventHub {
  const logs = [1, 2, 3, 4].map(() => new FakeLog());
  brokers.push(...logs.map((log) => log.broker()));
  const carriers = brokers.map((broker) => carryOverBroker(broker, consoleMonitor));
  return createEventHub(carryOverPartitions(carriers, (name) => name));
}
function overBroker(log = new FakeLog(), timeout?: number): EventHub {
  const broker = log.broker(timeout);
  brokers.push(broker);
  return createEventHub(carryOverBroker(broker, consoleMonitor));
}

describe.each([
  ['the memory log', inMemory],
  ['a broker that keeps events', overBroker],
  ['four partitions of the memory log', inPartitions],
  ['four partitions of a broker', overPartitions],
] as const)('publishing to %s', (_, open) => {
  const payloadsAfter = async (hub: EventHub, receipt: string | undefined) => {
    const backlog = await hub.log?.readAfter(String(receipt), 'seen');
    return (await backlog?.read())?.steps.map((step) => ('payload' in step ? step.payload : step));
  };

  test.each([undefined, 'own-id'])('returns the id after which the next event comes, with the id %s', async (id) => {
    const hub = open();
    await hub.publish('seen', 1);
    const receipt = await hub.publish('seen', 2, undefined, id);
    await hub.publish('seen', 3);
    expect(await payloadsAfter(hub, receipt)).toEqual([3]);
  });

  test('returns the id with which subscribers get the event', async () => {
    const hub = open();
    await hub.opening();
    const ids: (string | undefined)[] = [];
    hub.listen('seen', {
      event: (_payload, place) => void ids.push(place?.id),
      gap: () => undefined,
    });
    const receipts = [await hub.publish('seen', 1), await hub.publish('seen', 2, undefined, 'own-id')];
    await expect.poll(() => ids).toEqual(receipts);
    expect(await payloadsAfter(hub, receipts[0])).toEqual([2]);
    expect(await payloadsAfter(hub, hub.log?.latestId)).toEqual([]);
  });

  test('again with the same id stores the event once, and returns the first receipt', async () => {
    const hub = open();
    const start = await hub.publish('seen', 0);
    const first = hub.publish('seen', 1, undefined, 'a');
    const again = hub.publish('seen', 1, undefined, 'a');
    const other = await hub.publish('seen', 2, undefined, 'b');
    expect(await again).toBe(await first);
    expect(await hub.publish('seen', 1, undefined, 'a')).toBe(await first);
    expect(other).not.toBe(await first);
    expect(await payloadsAfter(hub, start)).toEqual([1, 2]);
  });

  test.each(['', 'a b', 'a;b', 'ä', 'a\n', 'x'.repeat(201)])('rejects the id %j', (id) => {
    expect(() => open().publish('seen', 1, undefined, id)).toThrow(TypeError);
  });
});

test('the memory log returns the receipt synchronously, and forgets the ids of dropped events', () => {
  const hub = createEventHub(carryInMemory(memoryEvents({ maxLength: 1 })));
  const first = hub.publish('seen', 1, undefined, 'a');
  expect(first).toBeTypeOf('string');
  hub.publish('seen', 2);
  expect(hub.publish('seen', 1, undefined, 'a')).not.toBe(first);
});

test('a broker that keeps no events gives no receipt', async () => {
  const broker: EventBroker = {
    name: 'none',
    state: { status: 'connected', duration: 0 },
    publish: async () => undefined,
    listen: async () => undefined,
    close: async () => undefined,
  };
  expect(createEventHub(carryOverTarget(new EventTarget())).publish('seen', 1)).toBeUndefined();
  expect(await createEventHub(carryOverBroker(broker, consoleMonitor)).publish('seen', 1)).toBeUndefined();
});

describe('an event that is not published', () => {
  test('was never stored if it was never sent', async () => {
    const log = new FakeLog();
    log.stop();
    await expect(overBroker(log, 50).publish('seen', 1)).rejects.toMatchObject({
      mayBeStored: false,
      message: expect.stringContaining('its event was not published'),
    });
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(overBroker().publish('seen', cyclic)).rejects.toMatchObject({ mayBeStored: false });
    const hub = overBroker();
    await hub.opening();
    await expect(hub.publish('seen', 'x'.repeat(1_001))).rejects.toMatchObject({
      mayBeStored: false,
    });
  });

  test('may be stored if only its acknowledgement is missing, and is stored once when another process sends it again', async () => {
    const log = new FakeLog();
    const hub = overBroker(log, 60);
    await hub.opening();
    log.lostAcknowledgements = Number.POSITIVE_INFINITY;
    await expect(hub.publish('seen', 1, undefined, 'a')).rejects.toMatchObject({
      mayBeStored: true,
      message: expect.stringContaining('its event may not be published'),
    });
    expect(log.events).toHaveLength(1);
    log.lostAcknowledgements = 0;
    expect(await overBroker(log).publish('seen', 1, undefined, 'a')).toMatch(/:1-/);
    expect(log.events).toHaveLength(1);
  });
});
