import { producing } from '../../base/tracing/event-spans.js';
import { isTracing, withSvcSpan } from '../../base/tracing/svc-tracing.js';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { remember } from '../../compiler/graph/maps.js';
import { consoleMonitor, type Monitor } from '../logs/monitor.js';
import type { SharedLog } from './broker.js';
import type { EventPlace, ResumableLog } from './event-log.js';

/** The part of an EventTarget that is used. Events are `CustomEvent`s whose `detail` is the payload. */
export interface EventTargetLike {
  /** Adds a listener for the events of a type. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Removes a listener. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Calls the listeners of the event's type. */
  dispatchEvent(event: Event): boolean;
}

/**
 * Subscription name → sink for its events. A mutation answers once its sinks have accepted its events, and fails with
 * the error of a sink that refuses one; subscribers get an event after that. `problem` says why an event cannot be
 * completed.
 */
export type EventSinks = {
  /** By the name of the subscription. */
  readonly [subscription: string]: (event: unknown, problem?: string) => Promise<void>;
};

/** Publishes the events of one server to its listeners, each under the name of its subscription. */
export interface EventHub {
  /**
   * Publishes an event to the current listeners.
   *
   * @param subscription - The name of the subscription field.
   * @param payload - The value of the field. A carrier that spans processes turns it into JSON.
   * @param problem - Why the event cannot be completed; a sink refuses such an event.
   * @param id - Identifies the event for its publisher: an event that is published again with the same id is stored
   * once, as far as the log remembers its ids. Default: an id of its own.
   * @returns The receipt: the id of the event, after which a client can subscribe; undefined if nothing keeps the event.
   * It is a promise if a sink or a broker has to accept the event first; the promise rejects if the event is refused.
   */
  publish(subscription: string, payload: unknown, problem?: string, id?: string): MaybePromise<string | undefined>;
  /** Passes each event of a subscription to the listener until the returned function is called. */
  listen(subscription: string, listener: HubListener): () => void;
  /** Settles when events arrive; undefined if they do already. */
  opening(): Promise<void> | undefined;
  /** The log behind the FORKs; undefined if nothing keeps events. */
  readonly log: ResumableLog | undefined;
  /** The name of the broker, for spans. */
  readonly system: string;
  /** Receives faults of events, and subscribers that are too slow. */
  readonly monitor: Monitor;
}

/** Takes the events of one subscription. */
export interface HubListener {
  /**
   * Takes an event. Returns a promise if the next one should wait; not every carrier can wait.
   *
   * @param place - Where it stands in the log; undefined if nothing keeps it.
   * @param traceparent - The span that published it; undefined while tracing is off.
   */
  event(payload: unknown, place?: EventPlace, traceparent?: string): Promise<void> | undefined;
  /** Takes the notice that events are missing before the next one; undefined if their number is unknown. */
  gap(missing: number | undefined): void;
}

/** Carries events from publishers to the hub, in this process or over a broker. */
export interface EventCarrier extends Pick<EventHub, 'opening'>, Partial<Pick<EventHub, 'log' | 'system'>> {
  /** How a transaction of the same database stores events; absent without one. */
  readonly shared?: SharedLog | undefined;
  publish(subscription: string, payload: unknown, id?: string): MaybePromise<string | undefined>;
  /** Delivers the events of a subscription until the returned function is called. */
  follow(subscription: string, listener: HubListener): () => void;
}

/** Creates a hub. The carrier delivers a subscription once, however many listeners it has. */
export function createEventHub(carrier: EventCarrier, monitor: Monitor = consoleMonitor): EventHub {
  const channels = new Map<string, Channel>();
  const { system = 'gg-svc' } = carrier;
  return {
    monitor,
    system,
    log: carrier.log,
    publish(subscription, payload, _problem, id) {
      if (id !== undefined && !/^[!-:<-~]{1,200}$/.test(id)) {
        throw new TypeError('The id of an event must have 1 to 200 characters of ASCII, without spaces and “;”.');
      }
      if (!isTracing()) return carrier.publish(subscription, payload, id);
      return withSvcSpan(
        `publish ${subscription}`,
        () => carrier.publish(subscription, payload, id),
        producing(system, subscription),
      );
    },
    listen(subscription, listener) {
      const channel = remember(channels, subscription, () => new Channel());
      const { listeners } = channel;
      if (listeners.size === 0) channel.stop = carrier.follow(subscription, channel);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) channel.stop();
      };
    },
    opening: () => carrier.opening(),
  };
}

class Channel implements HubListener {
  readonly listeners = new Set<HubListener>();
  stop: () => void = () => undefined;

  event(...event: Parameters<HubListener['event']>): Promise<void> | undefined {
    let pauses: Promise<void>[] | undefined;
    for (const listener of this.listeners) {
      const pause = listener.event(...event);
      if (pause !== undefined) {
        pauses ??= [];
        pauses.push(pause);
      }
    }
    return pauses && Promise.all(pauses).then(() => undefined);
  }

  gap(missing: number | undefined): void {
    for (const listener of this.listeners) listener.gap(missing);
  }
}

/** The prefix of event names on the target, which may be shared with other programs. */
const channelPrefix = 'gg-svc:';

/**
 * Carries events over an EventTarget. The target has one listener for each subscription with subscribers, because
 * each listener of a remote target (such as Redis) causes traffic.
 */
export function carryOverTarget(target: EventTargetLike): EventCarrier {
  return {
    publish(subscription, payload) {
      target.dispatchEvent(new CustomEvent(channelPrefix + subscription, { detail: payload }));
      return undefined;
    },
    follow(subscription, listener) {
      const channel = channelPrefix + subscription;
      const dispatch = (event: Event): void => {
        void listener.event((event as CustomEvent<unknown>).detail);
      };
      target.addEventListener(channel, dispatch);
      return () => target.removeEventListener(channel, dispatch);
    },
    opening: () => undefined,
  };
}

/**
 * A hub that passes events to the sinks of their subscription first. Subscribers receive an event only after its
 * sink has taken it.
 */
export function withSinks(hub: EventHub, sinks: EventSinks): EventHub {
  return {
    ...hub,
    publish(subscription, payload, problem, id) {
      const sink = Object.hasOwn(sinks, subscription) ? sinks[subscription] : undefined;
      if (sink === undefined) return hub.publish(subscription, payload, problem, id);
      return sink(payload, problem).then(() => hub.publish(subscription, payload, problem, id));
    },
  };
}
