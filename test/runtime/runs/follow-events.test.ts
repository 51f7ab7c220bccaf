import { describe, expect, onTestFinished, test } from 'vitest';
import { createEventHub, type HubListener } from '../../../src/runtime/brokers/event-hub.js';
import { followEvents, signalOf } from '../../../src/runtime/runs/follow-events.js';

/** Follows the event `packed` with a database that may be away. */
function follow() {
  const listeners = new Map<string, HubListener>();
  const faults: unknown[] = [];
  const hub = createEventHub(
    {
      publish: () => undefined,
      follow(subscription, listener) {
        listeners.set(subscription, listener);
        return () => listeners.delete(subscription);
      },
      opening: () => undefined,
    },
    { fault: (error) => void faults.push(error), notice: () => undefined },
  );
  const database = { isAway: false, signals: [] as string[] };
  const backend = {
    async sendSignal({ signal }: { readonly signal: string }) {
      if (database.isAway) throw new Error('away');
      database.signals.push(signal);
      return { workflowRunIds: [] };
    },
    listWorkflowRuns: async () => ({ data: [], pagination: { next: null, prev: null } }),
  };
  const waits = new Map([['payOrder', [{ event: { name: 'packed' }, field: 'orderId' }]]]);
  const follower = followEvents({ backend, hub, waits, wake: () => undefined } as never);
  onTestFinished(() => follower.stop());
  const deliver = (payload: unknown, partition?: number) =>
    listeners.get('packed')?.event(payload, { log: 'one', sequence: 1, id: 'a', ...(partition && { partition }) });
  const signals = (...ids: readonly number[]) => ids.map((id) => signalOf('packed', 'orderId', id));
  return { database, deliver, signals, faults };
}

describe('the events that runs wait for', () => {
  test('hold up no other subscriber while the database of the runs is away, and come in their order', async () => {
    const { database, deliver, signals } = follow();
    database.isAway = true;
    expect([1, 2, 3].map((orderId) => deliver({ orderId }))).toEqual([undefined, undefined, undefined]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    database.isAway = false;
    await expect.poll(() => database.signals).toEqual(signals(1, 2, 3));
  });

  test('wait at the broker if too many wait for the database, those of each partition by themselves', async () => {
    const { database, deliver } = follow();
    database.isAway = true;
    const waits = Array.from({ length: 1_000 }, (_, orderId) => deliver({ orderId }, 1));
    expect(waits.filter((wait) => wait !== undefined)).toHaveLength(1);
    expect(deliver({ orderId: 1 }, 2)).toBeUndefined();
    database.isAway = false;
    await waits.at(-1);
    expect(database.signals.length).toBeGreaterThanOrEqual(1_000);
    expect(deliver({ orderId: 1 }, 1)).toBeUndefined();
  });

  test('are skipped if they cannot be read, or have no id', async () => {
    const { database, deliver, signals, faults } = follow();
    const unreadable = {
      get orderId() {
        throw new Error('no');
      },
    };
    for (const payload of [unreadable, { orderId: null }, {}, null, { orderId: 4 }]) deliver(payload);
    await expect.poll(() => database.signals).toEqual(signals(4));
    expect(faults).toEqual([new Error('no')]);
  });
});
