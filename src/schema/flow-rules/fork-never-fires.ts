import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GqlOperation } from '../gql-schema.js';
import type { FlowRule } from './flow-rule.js';
import { createNearId } from './near-id.js';

/**
 * GG3019: a subscription fires by itself when a mutation has made what its FORK starts at. Where no FOLD
 * leads to any of the sources, nothing ever does, unless the server has a resolver for it or publishes by
 * hand. The subscriptions of one edge are told together, and in a topology without any FOLD all of them are:
 * there is one reason for all.
 */
export const forkNeverFires: FlowRule = ({ ir, schema }) => {
  const { mutations, subscriptions } = schema;
  if (subscriptions.length === 0) return [];
  const made = new Set(mutations.flatMap(({ edges }) => edges.map(({ to }) => to)));
  // The subscriptions of one edge share its list of sources, so each list is gone through once.
  const heard = new Map<readonly string[], boolean>();
  const isFed = (sources: readonly string[]): boolean => {
    let fed = heard.get(sources);
    if (fed === undefined) {
      fed = sources.some((id) => made.has(id));
      heard.set(sources, fed);
    }
    return fed;
  };
  const silent = subscriptions.filter(({ edges }) => !edges.some(({ from }) => isFed(from)));
  if (silent.length === 0) return [];
  if (!ir.edges.some(({ type }) => type === 'FOLD')) return [report(silent, undefined)];
  const nearId = createNearId(made);
  return groupByFirstEdge(silent).map((group) => report(group, nearId));
};

function groupByFirstEdge(operations: readonly GqlOperation[]): readonly (readonly GqlOperation[])[] {
  const groups = new Map<unknown, GqlOperation[]>();
  for (const operation of operations) {
    // The operations of one edge share its span.
    const key = operation.edges[0]?.span;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return [...groups.values()];
}

/** @param nearId guesses at the node that was meant; undefined where no mutation makes any */
function report(
  operations: readonly GqlOperation[],
  nearId: ((id: string) => string | undefined) | undefined,
): Diagnostic {
  const [origin] = (operations[0] as GqlOperation).edges;
  if (origin === undefined) throw new Error('invariant: a subscription of a topology has an edge');
  const params = {
    subscriptions: operations.map(({ name }) => name),
    sources: nearId === undefined ? undefined : origin.from.join(' | '),
    suggestion: nearId?.(origin.from[0] as string),
  };
  return diagnose('GG3019', params, origin.span);
}
