import { GraphQLError, type GraphQLField, type GraphQLResolveInfo } from 'graphql';
import { BoundedQueue } from './bounded-queue.js';
import { createEventFilter, type EventFilter } from './event-filter.js';
import type { EventHub } from './event-hub.js';

/** An event of a FORK, or the notice that the queue overflowed. */
export type ForkStep = { readonly payload: unknown } | 'overflow';

/** The events of a FORK for one subscriber, or for several with the same subscription. They are not filtered yet. */
export class ForkSource extends BoundedQueue<ForkStep> {
  /** The number of events received so far. */
  received = 0;
  /** Selects the events of the subscriber; undefined if it gets all. */
  readonly filter: EventFilter | undefined;

  constructor(
    private readonly hub: EventHub,
    private readonly field: GraphQLField<unknown, unknown>,
    args: Readonly<Record<string, unknown>>,
    info: GraphQLResolveInfo,
  ) {
    super(
      maxWaitingEvents,
      () => 'overflow',
      () => stop(),
    );
    this.filter = createEventFilter(field, args, info, hub.watch);
    const stop = hub.listen(field.name, (payload) => {
      this.received += 1;
      this.push({ payload });
    });
  }

  /** Reports a subscriber whose queue overflowed, and makes its error. */
  tooSlow(): GraphQLError {
    this.hub.watch.subscriberTooSlow?.(this.field.name);
    const message = `The subscription ended, because the subscriber is too slow: more than ${maxWaitingEvents} events were waiting.`;
    return new GraphQLError(message, { extensions: { code: 'SUBSCRIBER_TOO_SLOW' } });
  }
}

/** The number of events that may wait for a subscriber; one more ends its subscription. */
export const maxWaitingEvents = 100;
