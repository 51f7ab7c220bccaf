import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import { runUntil } from '../../../base/values/run-until.js';
import { isResumable } from '../../../compiler/api/resume-argument.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { memberNames, namedType } from '../../../compiler/schema/schema-index.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { eventChecksOf } from '../events/event-checks.js';
import { eventsNotKept, isForked, resumptionError } from '../events/fork-source.js';
import { openEventStream } from '../graphql-js/releases.js';
import type { GivenResolvers } from '../resolvers/given-resolvers.js';
import { ResolverResults } from './endable-results.js';
import { Group, openGroup } from './group.js';
import type { Results, ServedSubscription } from './results.js';
import { ResumedResults } from './resumed-results.js';
import { createResumptions, type Resumption, rootFieldOf } from './resumption.js';
import { createSharingKeys } from './sharing-key.js';

/**
 * Serves subscriptions to FORK edges. Subscribers with the same document and variables form a group: an event is
 * filtered and executed once for the group, and all its members get the same result object. A subscriber that continues
 * after an event joins its group when it has read what the log keeps.
 *
 * @param usesContext - Whether the results of a subscription can depend on the context, by the name of its field. If
 * so, only subscribers with the same context form a group.
 */
function createSharedSubscriptions(
  schema: GraphQLSchema,
  mask: ErrorMask,
  usesContext: (subscription: string) => boolean,
  timeout: number,
  open: Set<ServedSubscription>,
) {
  const keyOf = createSharingKeys(usesContext);
  const groups = new Map<string, Promise<Group | ExecutionResult>>();

  const groupOf = async (args: ExecutionArgs, { variables, showsIds }: Resumption) => {
    const key = keyOf({ ...args, variableValues: variables });
    const known = key === undefined ? undefined : groups.get(key);
    // The group may have ended in the meantime.
    const joined = known === undefined ? undefined : await known;
    if (joined instanceof Group && joined.isOpen) return joined;

    const forget = (): void => {
      if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    };
    const opening = openGroup(args, { mask, timeout, open, showsIds }, forget);
    if (key !== undefined) groups.set(key, opening);
    const opened = await opening;
    if (opened instanceof Group) return opened;
    forget();
    return mask.result(opened, args);
  };

  return async (given: ExecutionArgs, resumption: Resumption): Promise<Results | ExecutionResult> => {
    const args = { ...given, schema };
    const { after } = resumption;
    const group = await groupOf(args, resumption);
    if (!(group instanceof Group)) return group;
    if (after === undefined) return group.join(args.contextValue);
    const release = group.hold();
    try {
      const backlog = await group.readAfter(after);
      const rejoin = () => groupOf(args, resumption);
      return new ResumedResults(group, backlog, { context: args.contextValue, mask, open, rejoin });
    } catch (error) {
      return { errors: [resumptionError(error) ?? mask.thrown(error)] };
    } finally {
      release();
    }
  };
}

/** Serves subscriptions: those with a resolver of the user, and those to FORK edges. */
export function createSubscriptions(
  model: GqlSchema,
  schema: GraphQLSchema,
  given: GivenResolvers,
  mask: ErrorMask,
  timeout: number,
) {
  const open = new Set<ServedSubscription>();
  // Any number of subscriptions may be starting, of which an `AbortSignal` would warn.
  const starting = new Set<() => void>();
  const ending = {
    aborted: false,
    addEventListener: (_type: 'abort', listener: () => void) => void starting.add(listener),
    removeEventListener: (_type: 'abort', listener: () => void) => void starting.delete(listener),
  };
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
      const field = result.errors && rootFieldOf(operation.document, operation.operationName)?.name.value;
      return mask.result(field === undefined ? result : (checks?.explain(result, field) ?? result), operation);
    },
  };
  const shared = createSharedSubscriptions(schema, eventMask, needsContext, timeout, open);
  return {
    open,
    /** Starts a subscription, after the event of an id if one is given here or as `after`; errors are masked. */
    async start(args: ExecutionArgs, lastEventId: string | undefined): Promise<Results | ExecutionResult> {
      const field = rootFieldOf(args.document, args.operationName)?.name.value;
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
    /** Ends all subscriptions at shutdown, also those that are starting. One that starts later is ended by the next call. */
    end(): void {
      ending.aborted = true;
      for (const cancel of [...starting]) cancel();
      for (const subscription of [...open]) subscription.cut();
    },
  };
}

/** The results of a subscription that was cut before it started. */
function nothing(): Results {
  return Object.assign((async function* (): AsyncGenerator<ExecutionResult, void, void> {})(), { isCut: true });
}

/**
 * Whether a resolver of the user or of a layer can be called for a value of a type: for one of its fields, of nested
 * types, or of unions and interfaces between them. If not, the result depends only on the value.
 */
function reachesResolvers(schema: GqlSchema, typeName: string, given: GivenResolvers): boolean {
  const seen = new Set<string>();
  const rest = [typeName];
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const found = namedType(schema, name);
    if (found.kind === 'object') {
      const { fields } = found.type;
      if ([...fields.map((field) => field.name), '__isTypeOf'].some((field) => given.has(name, field))) {
        return true;
      }
      rest.push(...fields.map(({ type }) => baseName(type)));
    } else if (found.kind === 'union' || found.kind === 'interface') {
      // A race that a field starts runs the queries of its members.
      const members = memberNames(found);
      const isRaced = schema.queries.some(
        (query) => members.includes(baseName(query.type)) && given.has('Query', query.name),
      );
      if (isRaced || given.has(name, '__resolveType')) return true;
      rest.push(...members);
    }
  }
  return false;
}
