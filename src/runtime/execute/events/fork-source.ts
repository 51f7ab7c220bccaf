import {
  GraphQLError,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { bigIntAsText } from '../../../base/json-schema/same-json.js';
import { agrees } from '../../../base/values/agrees.js';
import { BoundedQueue } from '../../../base/values/bounded-queue.js';
import { GuardedList } from '../../../base/values/guarded-list.js';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import { readProperty } from '../../../base/values/read-property.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import type { EventHub } from '../../brokers/event-hub.js';
import { EventIdError, type LoggedStep } from '../../brokers/event-log.js';
import type { Monitor } from '../../logs/monitor.js';
import type { GivenResolvers } from '../resolvers/given-resolvers.js';

/** An event of a FORK, or the notice that events are missing here, or that the queue overflowed. */
export type ForkStep = LoggedStep | 'overflow';

/** The events of a FORK for one subscriber, or for several with the same subscription. They are not filtered yet. */
export class ForkSource extends BoundedQueue<ForkStep> {
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
    this.filter = createEventFilter(field, args, info, hub.monitor);
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

  delivered(payload: unknown, subscribers: number): void {
    this.hub.monitor.eventDelivered?.(this.field.name, payload, subscribers);
  }

  /** Reports a subscriber whose queue overflowed, and makes its error. */
  tooSlow(): GraphQLError {
    this.hub.monitor.subscriberTooSlow?.(this.field.name);
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

export function eventsLost(missing: number | undefined): GraphQLError {
  const message = `${missing ?? 'Some'} events were lost before they reached this server.`;
  return new GraphQLError(message, {
    extensions: { code: 'EVENTS_LOST', ...(missing === undefined ? {} : { missing }) },
  });
}

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

/** Whether a subscriber gets an event. The context is passed to the resolvers of its fields. */
type EventFilter = (event: unknown, context: unknown) => Promise<boolean>;

/**
 * Creates the filter of one subscriber from the arguments of its subscription. An argument selects the events whose
 * field of the same name has its value. An omitted argument, or null, selects all events; an event without the field is
 * selected only if the argument is omitted. A list selects events whose field equals one of its items, or, if the field
 * is a list too, the same list; an input object selects events that agree in all of the given fields.
 *
 * @returns Undefined when every event passes.
 */
function createEventFilter(
  field: GraphQLField<unknown, unknown>,
  args: Readonly<Record<string, unknown>>,
  info: GraphQLResolveInfo,
  monitor: Monitor,
): EventFilter | undefined {
  const given = field.args.filter(({ name }) => args[name] !== null && args[name] !== undefined);
  if (given.length === 0) return undefined;
  const target = getNamedType(field.type);
  const fields = isObjectType(target) ? target.getFields() : {};
  const checks = given.map(({ name, type }) => {
    const named = getNamedType(type);
    const leaf = isLeafType(named) ? named : undefined;
    const wanted = plain(args[name], leaf);
    const resolve = Object.hasOwn(fields, name) ? fields[name]?.resolve : undefined;
    return async (event: unknown, context: unknown): Promise<boolean> => {
      const value = resolve === undefined ? readProperty(event, name) : await resolve(event, {}, context, info);
      return agrees(wanted, plain(value, leaf));
    };
  });
  return async (event, context) => {
    try {
      for (const check of checks) if (!(await check(event, context))) return false;
      return true;
    } catch (error) {
      // The filter could not be evaluated, so the event is withheld from the subscriber.
      monitor.fault(error);
      return false;
    }
  };
}

/** A value in its JSON form, so that 5 and '5' are the same ID, and a date equals its text. */
function plain(value: unknown, leaf: GraphQLLeafType | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof GuardedList) return plain([...value.items], leaf);
  if (Array.isArray(value)) return value.map((item) => plain(item, leaf));
  if (leaf !== undefined) return leaf.serialize(value);
  const text = JSON.stringify(value, bigIntAsText);
  return JSON.parse(text ?? 'null');
}
