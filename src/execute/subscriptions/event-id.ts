import type { ExecutionResult } from 'graphql';
import type { EventPlace } from '../../brokers/event-log.js';

const places = new WeakMap<ExecutionResult, EventPlace>();

/** Results of a subscription to a log, which know where they stand in it. */
export interface PlacedResults {
  /** The id of the last event before the results began; undefined if they began after an id of the client. */
  readonly openingId?: string | undefined;
  /** The id of the last event, if all events up to it that are for the subscriber were taken by it. */
  readonly idleId?: string | undefined;
}

/** The id of the event that a result of a subscription comes from; undefined if no log keeps the event. */
export function eventIdOf(result: ExecutionResult): string | undefined {
  return places.get(result)?.id;
}

/** Where the event of a result stands in its log. */
export function placeOf(result: ExecutionResult): EventPlace | undefined {
  return places.get(result);
}

/** Gives a result the place of its event. Subscribers that share a result share its id. */
export function setPlace(result: ExecutionResult, place: EventPlace): void {
  places.set(result, place);
}
