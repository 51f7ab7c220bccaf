import type { EventSinks } from '../resolvers/contract.js';
import type { EventHub } from './event-hub.js';

/**
 * A hub that passes events to the sinks of their subscription first. Subscribers receive an event only after its
 * sink has taken it.
 */
export function withSinks(hub: EventHub, sinks: EventSinks): EventHub {
  return {
    listen: hub.listen,
    publish(subscription, payload) {
      const sink = Object.hasOwn(sinks, subscription) ? sinks[subscription] : undefined;
      if (sink === undefined) return hub.publish(subscription, payload);
      return sink(payload).then(() => hub.publish(subscription, payload));
    },
  };
}
