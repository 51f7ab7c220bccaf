import { isNonNullType } from 'graphql';
import { proceed } from '../../../base/values/maybe-promise.js';
import type { EventHub } from '../../brokers/event-hub.js';
import type { FieldResolver } from '../resolvers/default-resolvers.js';
import { OperationRoot } from '../resolvers/operation-root.js';
import { RaceWinner } from '../resolvers/race-winner.js';

/**
 * Makes the events of a mutation from its result, when its resolver has succeeded. A list makes an event of each item;
 * null makes none. The steps of a call publish them when the operation has ended. A program that executes the schema by
 * itself has no such steps: then they are published here, and errors are only logged.
 */
export function publishResults(
  resolver: FieldResolver,
  hub: EventHub,
  subscriptions: readonly string[],
): FieldResolver {
  const make = (result: unknown, info: Parameters<FieldResolver>[3]): void => {
    const outbox = info.rootValue instanceof OperationRoot ? info.rootValue.outbox : undefined;
    if (outbox !== undefined) outbox.hasChanged = true;
    if (subscriptions.length === 0) return;
    const payloads = (Array.isArray(result) ? result.flat(Number.POSITIVE_INFINITY) : [result])
      .filter((item) => item !== null && item !== undefined)
      .map(payloadOf);
    const origin = { key: String(info.path.key), nodes: info.fieldNodes, isRequired: isNonNullType(info.returnType) };
    const committed = outbox?.committed.get(origin.key);
    for (const subscription of subscriptions) {
      const id = committed?.[subscription];
      if (committed !== undefined && id === undefined) continue;
      for (const payload of payloads) {
        if (outbox === undefined) void publishNow(hub, subscription, payload);
        else outbox.add({ subscription, payload, id, ...origin });
      }
    }
  };
  return (parent, args, context, info) => {
    // A store commits the events with the rows.
    if (subscriptions.length > 0 && info.rootValue instanceof OperationRoot)
      info.rootValue.outbox?.subscriptions.set(String(info.path.key), subscriptions);
    return proceed(resolver(parent, args, context, info), (value) => {
      make(value, info);
      return value;
    });
  };
}

async function publishNow(hub: EventHub, subscription: string, payload: unknown): Promise<void> {
  try {
    await hub.publish(subscription, payload);
  } catch (error) {
    hub.monitor.fault(error);
  }
}

/** The winner of a race gets its `__typename`, for a subscription to the same union. */
function payloadOf(item: unknown): unknown {
  if (!(item instanceof RaceWinner)) return item;
  const { value, typeName } = item;
  return typeof value === 'object' && value !== null ? { __typename: typeName, ...value } : value;
}
