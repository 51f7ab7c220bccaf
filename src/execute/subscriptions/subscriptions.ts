import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { isResumable } from '../../api/resume-argument.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { type CancelSource, runUntil } from '../../values/run-until.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { eventChecksOf } from '../events/event-checks.js';
import { eventsNotKept, isForked } from '../events/fork-source.js';
import { reachesResolvers } from '../events/reachable-resolvers.js';
import { openEventStream } from '../graphql-js/releases.js';
import type { GivenResolvers } from '../resolvers/given-resolvers.js';
import type { PlacedResults } from './event-id.js';
import { ResolverResults } from './resolver-results.js';
import { createResumptions } from './resumption.js';
import { rootFieldOf } from './root-field.js';
import type { ServedSubscription } from './served-subscription.js';
import { createSharedSubscriptions, type SubscriptionStarter } from './shared-subscriptions.js';

/** The subscriptions of a server. */
export interface Subscriptions {
  /**
   * Starts a subscription of a valid document; errors are masked. It begins after the event with the id, if one is
   * given here or as the argument `after`.
   */
  readonly start: SubscriptionStarter<[lastEventId: string | undefined]>;
  /** The open subscriptions, and the connections that serve them. */
  readonly open: Set<ServedSubscription>;
  /**
   * Ends all subscriptions at shutdown, also those that are starting. One that starts later is ended by the next call.
   */
  end(): void;
}

/**
 * Serves subscriptions: those with a resolver of the user, and those to FORK edges.
 *
 * @param timeout - How long the execution of an event may take, in milliseconds.
 */
export function createSubscriptions(
  model: GqlSchema,
  schema: GraphQLSchema,
  given: GivenResolvers,
  mask: ErrorMask,
  timeout: number,
): Subscriptions {
  const open = new Set<ServedSubscription>();
  const ending = new Ending();
  const usesContext = new Map(
    model.subscriptions
      .filter((operation) => isForked(operation, given))
      .map(({ name, type }) => [name, reachesResolvers(model, baseName(type), given)]),
  );
  const resumable = new Set(model.subscriptions.filter(isResumable).map(({ name }) => name));
  const resumptionOf = createResumptions((name) => resumable.has(name));
  const needsContext = (name: string): boolean => usesContext.get(name) ?? true;
  const checks = eventChecksOf(schema);
  const eventMask: ErrorMask = {
    ...mask,
    result(result, operation) {
      const field = result.errors && rootFieldOf(operation.document, operation.operationName);
      return mask.result(
        field === undefined ? result : (checks?.explain(result, field) ?? result),
        operation,
      );
    },
  };
  const shared = createSharedSubscriptions(schema, eventMask, needsContext, timeout, open);
  return {
    open,
    async start(args, lastEventId) {
      const field = rootFieldOf(args.document, args.operationName);
      const resumption = resumptionOf(args, lastEventId);
      if (field !== undefined && usesContext.has(field)) {
        // It may wait for a broker that is away.
        return runUntil(
          { timeout: Number.POSITIVE_INFINITY, client: ending },
          () => shared(args, resumption),
          nothing,
          (late) => {
            if (Symbol.asyncIterator in late) void late.return();
          },
        );
      }
      if (field !== undefined && resumption.after !== undefined) return { errors: [eventsNotKept(field)] };
      const source = await openEventStream({ ...args, schema });
      if (!(Symbol.asyncIterator in source)) return mask.result(source, args);
      const leave = (ended: ResolverResults) => open.delete(ended);
      const results = new ResolverResults(field, source, { ...args, schema }, mask, timeout, leave);
      open.add(results);
      return results;
    },
    end() {
      ending.abort();
      for (const subscription of [...open]) subscription.cut();
    },
  };
}

/** Cancels the subscriptions that are starting; any number, of which an `AbortSignal` would warn. */
class Ending implements CancelSource {
  readonly #listeners = new Set<() => void>();
  aborted = false;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The results of a subscription that was cut before it started. */
function nothing(): AsyncGenerator<ExecutionResult, void, void> & PlacedResults {
  return Object.assign(none(), { isCut: true });
}

async function* none(): AsyncGenerator<ExecutionResult, void, void> {}
