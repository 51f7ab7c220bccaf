import { describe, expect, test } from 'vitest';
import type { BrokerEvent, EventBroker } from '../../../src/runtime/brokers/broker.js';
import { brokerOf } from '../../../src/runtime/brokers/brokers.js';
import { until } from '../server/http-server.js';
import { brokerCases } from './broker-servers.js';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe.each(brokerCases)('$name', ({ name, keeps, start, url }) => {
  test('carries events with and without the span that published them, live and from its log', async () => {
    const server = await start();
    const broker = brokerOf({ broker: name, url: url(server.port), timeout: 120_000 }, {}) as EventBroker;
    const heard: BrokerEvent[] = [];
    await broker.listen({
      event: (event) => void heard.push(event),
      gap: () => undefined,
      log: () => undefined,
    });
    const events = [
      { id: 'one', subscription: 'userSaved', payload: '1', traceparent },
      { id: 'two', subscription: 'userSaved', payload: '2' },
    ];
    for (const event of events) await broker.publish(event);
    // The same event, which another span publishes again, is stored once.
    const again = { ...events[0], traceparent: traceparent.replace('4bf9', 'aaaa') } as BrokerEvent;
    const first = await broker.publish(again);
    if (keeps) expect(first).toMatchObject({ sequence: 1 });
    await until(() => heard.length === 2);
    const [one, two] = events;
    expect(heard).toMatchObject([{ ...one }, { ...two }]);
    expect(heard[1]).not.toHaveProperty('traceparent', expect.anything());
    const page = await broker.log?.read(0, 10);
    if (keeps) expect(page?.events).toMatchObject([{ ...one }, { ...two }]);
    await broker.close();
    await server.stop();
  });
});
