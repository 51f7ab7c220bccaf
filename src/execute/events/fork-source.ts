import { GraphQLError, type GraphQLField, type GraphQLResolveInfo } from 'graphql';
import type { EventHub } from '../../brokers/event-hub.js';
import { EventIdError, type LoggedStep } from '../../brokers/event-log.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import { BoundedQueue } from '../../values/bounded-queue.js';
import type { MaybePromise } from '../../values/maybe-promise.js';
import type { GivenResolvers } from '../resolvers/given-resolvers.js';
import { createEventFilter, type EventFilter } from './event-filter.js';

/** An event of a FORK, or the notice that events are missing here, or that the queue overflowed. */
export type ForkStep = LoggedStep | 'overflow';

/** The events of a FORK for one subscriber, or for several with the same subscription. They are not filtered yet. */
export class ForkSource extends BoundedQueue<ForkStep> {
  /** The number of events received so far. */
  received = 0;
  /** Selects the events of the subscriber; undefined if it gets all. */
  readonly filter: EventFilter | undefined;
  #pause: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  constructor(
    readonly hub: EventHub,
    readonly field: GraphQLField<unknown, unknown>,
    args: Readonly<Record<string, unknown>>,
    info: GraphQLResolveInfo,
  ) {
    super(
      maxWaitingEvents,
      () => 'overflow',
      () => {
        stop();
        this.#pause?.end();
      },
    );
    this.filter = createEventFilter(field, args, info, hub.watch);
    const stop = hub.listen(field.name, {
      event: (payload, place, traceparent) => {
        this.received += 1;
        this.push({ payload, place, traceparent });
        return this.waiting < maxWaitingEvents / 2 ? undefined : this.#askForPause();
      },
      gap: (missing) => {
        this.received += 1;
        this.push({ missing });
      },
    });
  }

  override next(): Promise<IteratorResult<ForkStep, void>> {
    const step = super.next();
    if (this.#pause !== undefined && this.waiting === 0) {
      this.#pause.end();
      this.#pause = undefined;
    }
    return step;
  }

  /** There is no second pause before the queue is empty, so that a slow subscriber cannot hold up the others for long. */
  #askForPause(): Promise<void> {
    this.#pause ??= startPause();
    return this.#pause.over;
  }

  /** Reports that subscribers have got an event. */
  delivered(payload: unknown, subscribers: number): void {
    this.hub.watch.eventDelivered?.(this.field.name, payload, subscribers);
  }

  /** Reports a subscriber whose queue overflowed, and makes its error. */
  tooSlow(): GraphQLError {
    this.hub.watch.subscriberTooSlow?.(this.field.name);
    const message = `The subscription ended, because the subscriber is too slow: more than ${maxWaitingEvents} events were waiting.`;
    return new GraphQLError(message, { extensions: { code: 'SUBSCRIBER_TOO_SLOW' } });
  }
}

/** How long a subscriber may hold up events until its queue is empty, in milliseconds. */
const longestPause = 1_000;

function startPause(): { readonly over: Promise<void>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestPause);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { over, end };
}

/** Whether a subscription is served from its FORK edges, because it has no resolver. */
export function isForked({ name, edges }: GqlOperation, given: GivenResolvers): boolean {
  return edges.length > 0 && !given.has('Subscription', name);
}

/** Subscribes to the events of a FORK, as soon as events arrive. */
export function openFork(...given: ConstructorParameters<typeof ForkSource>): MaybePromise<ForkSource> {
  const [hub] = given;
  const source = new ForkSource(...given);
  return (
    hub.opening()?.then(
      () => source,
      (error: unknown) => {
        void source.return();
        throw error;
      },
    ) ?? source
  );
}

/** The number of events that may wait for a subscriber; one more ends its subscription. */
export const maxWaitingEvents = 100;

/** The error of a subscriber that misses events, because the broker no longer has them. */
export function eventsLost(missing: number | undefined): GraphQLError {
  const message = `${missing ?? 'Some'} events were lost before they reached this server.`;
  return new GraphQLError(message, {
    extensions: { code: 'EVENTS_LOST', ...(missing === undefined ? {} : { missing }) },
  });
}

/** The error of a subscriber that gives the id of an event, although nothing keeps the events. */
export function eventsNotKept(subscription: string): GraphQLError {
  const message = `${subscription} cannot continue after an event: its events are not kept.`;
  return new GraphQLError(message, { extensions: { code: 'EVENTS_NOT_KEPT' } });
}

/** The error of an id with which no subscription can begin, for its client; undefined for another error. */
export function resumptionError(error: unknown): GraphQLError | undefined {
  if (error instanceof GraphQLError) return error;
  if (!(error instanceof EventIdError)) return undefined;
  return new GraphQLError(error.message, { extensions: { code: 'INVALID_EVENT_ID' } });
}
