import { randomUUID } from 'node:crypto';
import { activeTraceparent } from '../../base/tracing/trace-context.js';
import { defined } from '../../base/values/defined.js';
import type { Monitor } from '../logs/monitor.js';
import { type EventBroker, EventNotPublishedError, type EventPosition } from './broker.js';
import type { EventCarrier, HubListener } from './event-hub.js';
import { EventLog } from './event-log.js';
import { notPublished } from './outgoing-events.js';

/** The number of events after which the process handles its connections, so that subscribers can be written to. */
const eventsOfTurn = 25;

/** Carries events over a broker, as JSON. Listens at once: subscriptions start when the broker is connected. */
export function carryOverBroker(broker: EventBroker, monitor: Monitor): EventCarrier {
  const followers = new Map<string, HubListener>();
  let delivered = 0;
  let isOpen = false;
  const read = (payload: string): unknown => {
    try {
      return JSON.parse(payload);
    } catch (error) {
      monitor.fault(error);
      return undefined;
    }
  };
  let latest: ReturnType<EventLog['source']['latest']>;
  const { log: kept } = broker;
  const log =
    kept &&
    new EventLog({
      name: kept.name,
      read: (after, most) => kept.read(after, most),
      valueOf: ({ payload }) => read(payload as string),
      latest: () => latest,
    });
  const opening = broker
    .listen({
      event({ id, subscription, payload, position, storedAt, traceparent }) {
        if (position !== undefined) latest = { ...position, id };
        const follower = followers.get(subscription);
        if (follower === undefined) return undefined;
        delivered += 1;
        const value = read(payload);
        if (value === undefined) return undefined;
        const pause = follower.event(value, position && log?.placeOfEvent(position, id, storedAt), traceparent);
        if (delivered % eventsOfTurn !== 0) return pause;
        const turn = new Promise<void>((resolve) => setImmediate(resolve));
        return pause === undefined ? turn : pause.then(() => turn);
      },
      log: (message) => monitor.notice(message),
      gap(missing) {
        monitor.eventsLost?.(missing);
        if (missing === undefined) log?.lost();
        for (const follower of followers.values()) follower.gap(missing);
      },
    })
    .then((start) => {
      latest ??= start ?? undefined;
      isOpen = true;
    });
  // Subscriptions that wait for it get the error.
  opening.catch(() => undefined);
  return {
    system: broker.name,
    log,
    shared: broker.shared,
    publish(subscription, payload, id = randomUUID()) {
      let text: string | undefined;
      try {
        text = JSON.stringify(payload);
      } catch (error) {
        monitor.fault(error);
      }
      if (text === undefined) return Promise.reject(notPublished('it has no JSON form'));
      const event = defined({ id, subscription, payload: text, traceparent: activeTraceparent() });
      return (broker.publish(event) as Promise<EventPosition | undefined>).then(
        (position) => position && log?.placeOfEvent(position, id).id,
        (error: unknown) => {
          if (error instanceof EventNotPublishedError) throw error;
          monitor.fault(error);
          throw notPublished('the event broker does not take it', true);
        },
      );
    },
    follow(subscription, listener) {
      followers.set(subscription, listener);
      return () => followers.delete(subscription);
    },
    opening: () => (isOpen ? undefined : opening),
  };
}
