import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { indexSchema } from '../../schema/schema-index.js';
import { apiChains, hasChains } from './api-chains.js';
import { chainFields } from './chain-fields.js';

/**
 * Finds goals of chains that nothing leads to (GG3115), those that a chain cannot run (GG3116), and chains whose name
 * over GraphQL is taken (GG3121).
 */
export function checkChains(schema: GqlSchema): readonly Diagnostic[] {
  if (!hasChains(schema)) return [];
  const chains = new Map(apiChains(schema).map((chain) => [chain.goal.operation, chain]));
  const goals = [...schema.queries, ...schema.mutations].filter(({ chain }) => chain);
  const taken = takenName(schema);
  const [first] = chains.keys();
  return goals.flatMap((goal) => {
    const { name: operation, edges } = goal;
    const span = edges[0]?.span;
    const chain = chains.get(goal);
    if (span === undefined) return [];
    if (goal === first && taken !== undefined) return [diagnose('GG3121', { operation, taken }, span)];
    if ((chain?.steps.length ?? 0) > 1) return [];
    return [diagnose(chain === undefined ? 'GG3116' : 'GG3115', { operation }, span)];
  });
}

/** A name of a field or a type of chains in GraphQL that something else has. */
function takenName(schema: GqlSchema): string | undefined {
  const types = new Set(indexSchema(schema).types.keys());
  const operations = new Set(schema.mutations.map(({ name }) => name));
  const { inputs, objects, fields } = chainFields(schema);
  const isTaken = (taken: Set<string>) => (name: string) => taken.size === taken.add(name).size;
  return (
    fields.map(({ name }) => name).find(isTaken(operations)) ??
    [...inputs, ...objects].map(({ name }) => name).find(isTaken(types))
  );
}
