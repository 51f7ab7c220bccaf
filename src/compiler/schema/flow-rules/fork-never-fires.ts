import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { appendTo } from '../../graph/maps.js';
import { createNearId } from '../../graph/suggest.js';
import { listIds } from '../edge-rules/edge-rules.js';
import { feedsOf } from '../fed-subscriptions.js';
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
  const feeds = feedsOf(schema);
  const silent = subscriptions.filter((subscription) => feeds(subscription).length === 0);
  if (silent.length === 0) return [];
  if (!ir.edges.some(({ type }) => type === 'FOLD')) return [report(silent, undefined)];
  const nearId = createNearId(new Set(mutations.flatMap(({ edges }) => edges.map(({ to }) => to))));
  // The operations of one edge share its span.
  const groups = new Map<unknown, GqlOperation[]>();
  for (const operation of silent) appendTo(groups, operation.edges[0]?.span, operation);
  return [...groups.values()].map((group) => report(group, nearId));
};

/** @param nearId finds a similar node id; undefined if there are no mutations */
function report(operations: readonly GqlOperation[], nearId: ((id: string) => string | undefined) | undefined) {
  const [origin] = (operations[0] as GqlOperation).edges;
  if (origin === undefined) throw new Error('invariant: a subscription of a topology has an edge');
  const params = {
    subscriptions: operations.map(({ name }) => name),
    sources: nearId === undefined ? undefined : listIds(origin.from),
    suggestion: nearId?.(origin.from[0] as string),
  };
  return diagnose('GG3019', params, origin.span);
}
