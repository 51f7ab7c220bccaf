import type { EventHub } from '../../brokers/event-hub.js';
import type { Watcher } from './watcher.js';

/** A hub that records the events that are published. */
export function watchEvents(hub: EventHub, watcher: Watcher): EventHub {
  return {
    ...hub,
    publish(subscription, payload, problem) {
      watcher.published(subscription, problem);
      const refused = watcher.recording?.published(subscription, payload, problem);
      const taking = hub.publish(subscription, payload, problem);
      if (refused !== undefined) taking?.catch(refused);
      return taking;
    },
  };
}
