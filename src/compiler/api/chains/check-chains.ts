import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { apiChains, hasChains } from './api-chains.js';

/**
 * Finds goals of chains that nothing leads to (GG3115), those that a chain cannot run (GG3116), and `durable` without a
 * chain (GG3117).
 */
export function checkChains(schema: GqlSchema): readonly Diagnostic[] {
  if (!hasChains(schema)) return [];
  const chains = new Map(apiChains(schema).map((chain) => [chain.goal.operation, chain]));
  const goals = [...schema.queries, ...schema.mutations].filter(({ chain, durable }) => chain ?? durable);
  return goals.flatMap((goal) => {
    const { name: operation, edges } = goal;
    const span = edges[0]?.span;
    const chain = chains.get(goal);
    if (span !== undefined && !goal.chain) return [diagnose('GG3117', { operation }, span)];
    if (span === undefined || (chain?.steps.length ?? 0) > 1) return [];
    return [diagnose(chain === undefined ? 'GG3116' : 'GG3115', { operation }, span)];
  });
}
