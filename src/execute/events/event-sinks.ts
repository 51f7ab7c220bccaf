import type { EventSinks } from '../resolvers/contract.js';
import type { EventHub } from './event-hub.js';

/**
 * A hub that gives events to the sinks of their subscription before those who listen hear of them: whoever
 * hears an event can rely on it that it was taken. An event that its sink does not take is not heard of.
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
