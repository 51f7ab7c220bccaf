import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { printPath } from '../../../base/source/json-pointer.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { EventHub } from '../../brokers/event-hub.js';
import { errorInPlaceOf } from '../../limits/error-in-place.js';
import type { Monitor } from '../../logs/monitor.js';
import { forOperators } from '../errors/error-marks.js';
import { edgesOf } from '../errors/origin.js';
import type { Completeness } from '../resolvers/completeness.js';

export type EventChecks = ReturnType<typeof createEventChecks>;

const known = new WeakMap<GraphQLSchema, EventChecks>();

export function eventChecksOf(executable: GraphQLSchema): EventChecks | undefined {
  return known.get(executable);
}

export function withChecks(hub: EventHub, checks: EventChecks): EventHub {
  return {
    ...hub,
    publish: (subscription, payload, _problem, id) =>
      hub.publish(subscription, payload, checks.examine(subscription, payload), id),
  };
}

export function createEventChecks(
  schema: GqlSchema,
  executable: GraphQLSchema,
  completeness: Completeness,
  monitor: Monitor,
) {
  const operations = new Map(schema.subscriptions.map((operation) => [operation.name, operation]));
  const incomplete = new Map<string, number>();
  const placesOf = (operation: GqlOperation) => {
    const edges = edgesOf(schema, operation);
    return {
      coordinate: operationCoordinate(operation),
      edges: edges.map(({ edge }) => edge),
      places: edges.map(({ source }) => source),
    };
  };
  const checks = {
    incomplete,
    /** Counts and logs a published event that cannot be completed. Returns the reason; undefined if it can. */
    examine(subscription: string, payload: unknown): string | undefined {
      const operation = operations.get(subscription);
      if (operation === undefined || payload === null || payload === undefined) return undefined;
      const found = completeness.incompleteAt(operation.type, payload);
      if (found === undefined) return undefined;
      const reason = `${printPath(found.path) || 'it'} ${found.problem}`;
      const count = (incomplete.get(subscription) ?? 0) + 1;
      incomplete.set(subscription, count);
      monitor.notice(`an event cannot be completed: ${reason} (${count} so far).`, placesOf(operation));
      return reason;
    },
    /** Gives the errors of an event without a required value their code, and the place of its edge. */
    explain(result: ExecutionResult, subscription: string): ExecutionResult {
      const operation = operations.get(subscription);
      if (operation === undefined || result.errors === undefined) return result;
      const explained = result.errors.map((error) => {
        const [, field] = /^Cannot return null for non-nullable field (\S+)\.$/.exec(error.message) ?? [];
        if (field === undefined) return error;
        const message = `The event cannot be completed: ${field} has no value.`;
        const incomplete = errorInPlaceOf(error, message, {
          code: 'EVENT_INCOMPLETE',
          topology: placesOf(operation),
        });
        return forOperators(incomplete, 'The event cannot be completed.');
      });
      return { ...result, errors: explained };
    },
  };
  known.set(executable, checks);
  return checks;
}
