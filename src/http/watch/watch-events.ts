import type { EventHub } from '../../brokers/event-hub.js';
import type { Watcher } from './watcher.js';

/** A hub that counts the events that are published. */
export function watchEvents(hub: EventHub, watcher: Watcher): EventHub {
  return {
    ...hub,
    publish(subscription, payload, problem) {
      watcher.published(subscription, problem);
      return hub.publish(subscription, payload, problem);
    },
  };
}
