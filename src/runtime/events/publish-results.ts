import type { FieldResolver } from '../default-resolvers.js';
import { RaceWinner } from '../race.js';
import { isPromiseLike } from '../read-property.js';
import type { EventHub } from './event-hub.js';

/**
 * Lets a mutation publish its result to the subscriptions that it feeds, as soon as its resolver succeeded.
 * A list publishes each of its items; null is no result, so nothing is published. The mutation has happened
 * by then, so it does not fail when publishing does: that is reported on the console.
 */
export function publishResults(
  resolver: FieldResolver,
  hub: EventHub,
  subscriptions: readonly string[],
): FieldResolver {
  const publish = (result: unknown): void => {
    const payloads = (Array.isArray(result) ? result.flat(Number.POSITIVE_INFINITY) : [result])
      .filter((item) => item !== null && item !== undefined)
      .map(payloadOf);
    for (const subscription of subscriptions) {
      for (const payload of payloads) {
        try {
          hub.publish(subscription, payload);
        } catch (error) {
          console.error(error);
        }
      }
    }
  };
  return (...call) => {
    const result = resolver(...call);
    if (isPromiseLike(result)) {
      return result.then((value) => {
        publish(value);
        return value;
      });
    }
    publish(result);
    return result;
  };
}

/** A value that won a race says which member it is, so that a subscription to the same union knows too. */
function payloadOf(item: unknown): unknown {
  if (!(item instanceof RaceWinner)) return item;
  const { value, typeName } = item;
  return typeof value === 'object' && value !== null ? { __typename: typeName, ...value } : value;
}
