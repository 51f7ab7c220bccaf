import type { EventBroker } from '../../brokers/broker.js';
import type { EventHub } from '../../brokers/event-hub.js';
import type { MeasuredBroker } from '../../tracing/broker-metrics.js';
import { runUntil } from '../../values/run-until.js';

/** How long the broker may take to say its last event, in milliseconds: metrics must not wait for a broker that is away. */
const patience = 1_000;

/** A broker as metrics see it. */
export function measuredBroker(broker: EventBroker, { log }: Pick<EventHub, 'log'>): MeasuredBroker {
  const isConnected = (): boolean => broker.state.status === 'connected';
  return {
    attributes: { 'messaging.system': broker.name },
    isConnected,
    async lag() {
      const source = log?.source;
      const latest = source?.latest();
      if (source === undefined || latest === undefined || !isConnected()) return undefined;
      const reading = async () => {
        const { log: name, last } = await source.read(latest.sequence, 1);
        // The numbers of another log do not compare.
        return name === latest.log ? Math.max(0, last - latest.sequence) : undefined;
      };
      try {
        return await runUntil({ timeout: patience }, reading, () => undefined);
      } catch {
        return undefined;
      }
    },
  };
}
