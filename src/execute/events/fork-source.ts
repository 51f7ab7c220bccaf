import type { GraphQLField, GraphQLResolveInfo } from 'graphql';
import { BoundedQueue } from './bounded-queue.js';
import { createEventFilter, type EventFilter } from './event-filter.js';
import type { EventHub } from './event-hub.js';

/** An event of a FORK, or word that more came than could be worked off. */
export type ForkStep = { readonly payload: unknown } | 'overflow';

/** The events of a FORK for a subscriber, or for several who ask for the same. They are not filtered yet. */
export class ForkSource extends BoundedQueue<ForkStep> {
  /** How many events have come in so far. */
  received = 0;
  /** Which of them are meant; undefined when all are. */
  readonly filter: EventFilter | undefined;

  constructor(
    hub: EventHub,
    field: GraphQLField<unknown, unknown>,
    args: Readonly<Record<string, unknown>>,
    info: GraphQLResolveInfo,
  ) {
    super(
      maxWaitingEvents,
      () => 'overflow',
      () => stop(),
    );
    this.filter = createEventFilter(field, args, info);
    const stop = hub.listen(field.name, (payload) => {
      this.received += 1;
      this.push({ payload });
    });
  }
}

/** How many events may wait for a subscriber who does not read them; one more ends his subscription. */
export const maxWaitingEvents = 100;
