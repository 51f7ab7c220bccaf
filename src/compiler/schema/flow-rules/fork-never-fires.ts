import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { appendTo, remember } from '../../graph/maps.js';
import { createNearId } from '../../graph/suggest.js';
import { listIds } from '../edge-rules/describe-edges.js';
import type { GqlOperation } from '../gql-schema.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3019: a subscription that no mutation fires. The server publishes the result of a mutation to the FORK edges that
 * start at its target; if no FOLD leads to any source of a FORK, only a resolver or `server.publish()` can fire its
 * subscriptions. The subscriptions of one edge are one finding; in a topology without a FOLD all are one finding.
 */
export const forkNeverFires: FlowRule = ({ ir, schema }) => {
  const { mutations, subscriptions } = schema;
  if (subscriptions.length === 0) return [];
  const made = new Set<string>();
  for (const { edges } of mutations) for (const { to } of edges) made.add(to);
  // The subscriptions of one edge share its list of sources, so each list is searched once.
  const known = new Map<readonly string[], boolean>();
  const isFed = (sources: readonly string[]): boolean => {
    if (sources.length === 1) return made.has(sources[0] as string);
    return remember(known, sources, () => sources.some((id) => made.has(id)));
  };
  const silent = subscriptions.filter(({ edges }) => !edges.some(({ from }) => isFed(from)));
  if (silent.length === 0) return [];
  if (!ir.edges.some(({ type }) => type === 'FOLD')) return [report(silent, undefined)];
  const nearId = createNearId(made);
  // The operations of one edge share its span.
  const groups = new Map<unknown, GqlOperation[]>();
  for (const operation of silent) appendTo(groups, operation.edges[0]?.span, operation);
  return [...groups.values()].map((group) => report(group, nearId));
};

/** @param nearId finds a similar node id; undefined if there are no mutations */
function report(
  operations: readonly GqlOperation[],
  nearId: ((id: string) => string | undefined) | undefined,
): Diagnostic {
  const [origin] = (operations[0] as GqlOperation).edges;
  if (origin === undefined) throw new Error('invariant: a subscription of a topology has an edge');
  const params = {
    subscriptions: operations.map(({ name }) => name),
    sources: nearId === undefined ? undefined : listIds(origin.from),
    suggestion: nearId?.(origin.from[0] as string),
  };
  return diagnose('GG3019', params, origin.span);
}
