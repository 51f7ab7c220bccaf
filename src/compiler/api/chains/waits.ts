import { createSuggester } from '../../graph/suggest.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { objectFields } from '../../schema/schema-index.js';
import { findIdLinks, isSingleId } from './id-links.js';
import type { NamedStep } from './named-steps.js';

/** The event that a step of a durable chain waits for. */
export interface Wait {
  readonly of: NamedStep;
  /** The subscription, as a step. */
  readonly event: NamedStep;
  /** The field of the event with the id that tells to which run it belongs. */
  readonly field: string;
  /** The step whose result has this id, and the path to it. */
  readonly from: NamedStep;
  readonly result: readonly string[];
  /** The argument of the waiting step that takes the same id; absent if it takes none. */
  readonly argument?: readonly string[];
}

/** A step that names no event, or one without an id that an earlier step gives. */
export interface UnfitWait {
  readonly of: NamedStep;
  /** The name that it gives. */
  readonly event: string;
  /** The event; absent if there is none with the name. */
  readonly found?: GqlOperation;
  readonly suggestion?: string | undefined;
}

/**
 * The waits of a chain. The ids of an event are linked to results as arguments are: `parcelId` is the id of a parcel. If
 * an event has several ids, the one that the last step before the wait gives decides.
 */
export function waitsOf(schema: GqlSchema, { steps }: { readonly steps: readonly NamedStep[] }) {
  const waits: Wait[] = [];
  const unfit: UnfitWait[] = [];
  for (const [at, of] of steps.entries()) {
    const { awaits } = of.operation;
    if (awaits === undefined) continue;
    const found = schema.subscriptions.find(({ name, edges }) => name === awaits && edges.length > 0);
    const event = found && { operation: found, name: awaits, takes: [] };
    const wait = event && linkTo(schema, of, event, steps.slice(0, at));
    if (wait !== undefined) waits.push(wait);
    else if (found !== undefined) unfit.push({ of, event: awaits, found });
    else {
      const names = schema.subscriptions.map(({ name }) => name);
      unfit.push({ of, event: awaits, suggestion: createSuggester(names).nearest(awaits) });
    }
  }
  return { waits, unfit };
}

function linkTo(schema: GqlSchema, of: NamedStep, event: NamedStep, before: readonly NamedStep[]): Wait | undefined {
  // The ids that the run has: those of operations outside the chain, such as the one that publishes the event, are others.
  const links = findIdLinks({ ...schema, ...byKind(before) });
  const found = objectFields(schema, baseName(event.operation.type)).flatMap(({ name: field, type }) => {
    const link = isSingleId(type) ? links.forArgument(event.operation, field, type) : undefined;
    const from = before.find(({ operation }) => operation === link?.producer);
    if (link === undefined || from === undefined) return [];
    const result = link.path;
    const taken = of.takes.find(
      (one) => isSame(one.from.operation, from.operation) && one.result.join('.') === result.join('.'),
    );
    return [{ of, event, field, from, result, ...(taken && { argument: taken.path }) }];
  });
  return found.sort((one, other) => before.indexOf(other.from) - before.indexOf(one.from))[0];
}

function byKind(steps: readonly NamedStep[]) {
  const operations = steps.map(({ operation }) => operation);
  const of = (kind: GqlOperation['kind']) => operations.filter((one) => one.kind === kind);
  return { queries: of('query'), mutations: of('mutation') };
}

/** Whether the ids of two results are of the same thing, even if two operations make it. */
function isSame({ type: one }: GqlOperation, { type: other }: GqlOperation): boolean {
  return baseName(one) === baseName(other);
}
