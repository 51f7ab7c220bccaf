import { consoleWatch, type Watch } from '../../logs/watch.js';
import type { EventSinks, EventTargetLike } from '../resolvers/contract.js';

/** Publishes the events of one server to its listeners, each under the name of its subscription. */
export interface EventHub {
  /**
   * Publishes an event to the current listeners.
   *
   * @param subscription - The name of the subscription field.
   * @param payload - The value of the field. An EventTarget that spans processes may turn it into JSON.
   * @param problem - Why the event cannot be completed; a sink refuses such an event.
   * @returns A promise if a sink has to accept the event first; it rejects if the sink refuses it.
   */
  publish(subscription: string, payload: unknown, problem?: string): Promise<void> | undefined;
  /** Calls the listener with each event of a subscription until the returned function is called. */
  listen(subscription: string, listener: (payload: unknown) => void): () => void;
  /** Receives faults of events, and subscribers that are too slow. */
  readonly watch: Watch;
}

/** The prefix of event names on the target, which may be shared with other programs. */
const channelPrefix = 'gg-svc:';

/**
 * Creates a hub over an EventTarget. The target has one listener for each subscription with subscribers, because
 * each listener of a remote target (such as Redis) causes traffic.
 */
export function createEventHub(target: EventTargetLike, watch: Watch = consoleWatch): EventHub {
  const channels = new Map<string, Set<(payload: unknown) => void>>();
  const open = (channel: string): Set<(payload: unknown) => void> => {
    const listeners = new Set<(payload: unknown) => void>();
    channels.set(channel, listeners);
    target.addEventListener(channel, dispatch);
    return listeners;
  };
  const dispatch = (event: Event): void => {
    const { type, detail } = event as CustomEvent<unknown>;
    for (const listener of channels.get(type) ?? []) listener(detail);
  };
  return {
    watch,
    publish(subscription, payload) {
      target.dispatchEvent(new CustomEvent(channelPrefix + subscription, { detail: payload }));
      return undefined;
    },
    listen(subscription, listener) {
      const channel = channelPrefix + subscription;
      const listeners = channels.get(channel) ?? open(channel);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || channels.get(channel) !== listeners) return;
        channels.delete(channel);
        target.removeEventListener(channel, dispatch);
      };
    },
  };
}

/**
 * A hub that passes events to the sinks of their subscription first. Subscribers receive an event only after its
 * sink has taken it.
 */
export function withSinks(hub: EventHub, sinks: EventSinks): EventHub {
  return {
    ...hub,
    publish(subscription, payload, problem) {
      const sink = Object.hasOwn(sinks, subscription) ? sinks[subscription] : undefined;
      if (sink === undefined) return hub.publish(subscription, payload, problem);
      return sink(payload, problem).then(() => hub.publish(subscription, payload, problem));
    },
  };
}
