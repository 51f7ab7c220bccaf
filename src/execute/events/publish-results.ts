import { GraphQLError } from 'graphql';
import { EventNotPublishedError } from '../../brokers/broker.js';
import type { EventHub } from '../../brokers/event-hub.js';
import { isPromiseLike } from '../../values/read-property.js';
import type { FieldResolver } from '../resolvers/default-resolvers.js';
import { RaceWinner } from '../resolvers/race-winner.js';

/**
 * Publishes the result of a mutation to its subscriptions when its resolver has succeeded. A list publishes each item;
 * null publishes nothing. The mutation has happened by then, so an error while publishing is only logged. If a sink
 * or a broker takes the events, the mutation waits for it and fails if it fails, because only the client of the
 * mutation can handle that.
 */
export function publishResults(
  resolver: FieldResolver,
  hub: EventHub,
  subscriptions: readonly string[],
): FieldResolver {
  const publish = (result: unknown): Promise<void> | undefined => {
    const taken: PromiseLike<unknown>[] = [];
    const payloads = (Array.isArray(result) ? result.flat(Number.POSITIVE_INFINITY) : [result])
      .filter((item) => item !== null && item !== undefined)
      .map(payloadOf);
    for (const subscription of subscriptions) {
      for (const payload of payloads) {
        try {
          const taking = hub.publish(subscription, payload);
          if (isPromiseLike(taking)) taken.push(taking);
        } catch (error) {
          hub.watch.fault(error);
        }
      }
    }
    return taken.length === 0 ? undefined : allTaken(taken);
  };
  return (...call) => {
    const result = resolver(...call);
    if (isPromiseLike(result)) {
      return Promise.resolve(result).then((value) => {
        const taking = publish(value);
        return taking === undefined ? value : taking.then(() => value);
      });
    }
    const taking = publish(result);
    return taking === undefined ? result : taking.then(() => result);
  };
}

/** Waits for all sinks and brokers, so that none is still writing when the mutation answers. */
async function allTaken(taken: readonly PromiseLike<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(taken)).find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  const { reason } = failed;
  if (!(reason instanceof EventNotPublishedError)) throw reason;
  throw new GraphQLError(reason.message, { extensions: { code: reason.code } });
}

/** The winner of a race gets its `__typename`, for a subscription to the same union. */
function payloadOf(item: unknown): unknown {
  if (!(item instanceof RaceWinner)) return item;
  const { value, typeName } = item;
  return typeof value === 'object' && value !== null ? { __typename: typeName, ...value } : value;
}
