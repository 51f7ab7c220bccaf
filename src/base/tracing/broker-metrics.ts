import type { Meter } from '@opentelemetry/api';

/** A broker of a server, whose state is measured when metrics are collected. */
export interface MeasuredBroker {
  readonly attributes: Readonly<Record<string, string>>;
  isConnected(): boolean;
  /** The number of events that the broker keeps and this process was not given yet; undefined if it is not known. */
  lag(): Promise<number | undefined>;
}

/** Observes brokers when metrics are collected. A broker that was closed stays as not connected. */
export function observeBrokers(meter: Meter, brokers: ReadonlySet<MeasuredBroker>): void {
  const connected = meter.createObservableGauge('gg.broker.connected', {
    description: 'Whether the event broker is connected: 1 or 0.',
    unit: '1',
  });
  const lag = meter.createObservableGauge('gg.broker.lag', {
    description: 'Events that the event broker keeps and this process was not given yet.',
    unit: '{event}',
  });
  const known = new Map<string, MeasuredBroker['attributes']>();
  meter.addBatchObservableCallback(
    async (result) => {
      const open = [...brokers].filter((broker) => broker.isConnected());
      for (const { attributes } of brokers) known.set(JSON.stringify(attributes), attributes);
      const openKeys = new Set(open.map(({ attributes }) => JSON.stringify(attributes)));
      for (const [key, attributes] of known) result.observe(connected, openKeys.has(key) ? 1 : 0, attributes);
      await Promise.all(
        open.map(async (broker) => {
          const events = await broker.lag();
          if (events !== undefined) result.observe(lag, events, broker.attributes);
        }),
      );
    },
    [connected, lag],
  );
}
