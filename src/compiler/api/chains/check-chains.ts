import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { indexSchema } from '../../schema/schema-index.js';
import { apiChains, durableChains, hasChains } from './api-chains.js';
import { chainFields, runFields } from './chain-fields.js';
import { undosOf } from './undos.js';
import { waitsOf } from './waits.js';

/**
 * Finds goals of chains that nothing leads to (GG3115), those that a chain cannot run (GG3116), `durable` without a
 * chain (GG3117), mutations that cannot undo a step (GG3118), policies of steps that belong to no durable chain
 * (GG3119), events that no FORK edge publishes (GG3120), or that have no id of the run (GG3122), and chains whose name over
 * GraphQL is taken (GG3121).
 */
export function checkChains(schema: GqlSchema): readonly Diagnostic[] {
  if (!hasChains(schema)) return [];
  const chains = new Map(apiChains(schema).map((chain) => [chain.goal.operation, chain]));
  const all = [...schema.queries, ...schema.mutations];
  const goals = all.filter(({ chain, durable }) => chain ?? durable);
  const taken = takenName(schema);
  const [first] = chains.keys();
  const ofGoals = goals.flatMap((goal) => {
    const { name: operation, edges } = goal;
    const span = edges[0]?.span;
    const chain = chains.get(goal);
    if (span === undefined) return [];
    if (!goal.chain) return [diagnose('GG3117', { operation }, span)];
    if (goal === first && taken !== undefined) return [diagnose('GG3121', { operation, taken }, span)];
    if ((chain?.steps.length ?? 0) > 1) return [];
    return [diagnose(chain === undefined ? 'GG3116' : 'GG3115', { operation }, span)];
  });
  return [...ofGoals, ...checkPolicies(schema, all)];
}

const policies = ['undo', 'retries', 'awaits', 'within', 'pause'] as const;

function checkPolicies(schema: GqlSchema, all: readonly GqlOperation[]): readonly Diagnostic[] {
  const durable = durableChains(schema);
  const steps = new Set(durable.flatMap((chain) => chain.steps.map(({ operation }) => operation)));
  const found = new Map<string, Diagnostic>();
  for (const operation of all) {
    const [span] = operation.edges.map((edge) => edge.span);
    const setting = policies.find((word) => operation[word] !== undefined);
    if (setting === undefined || span === undefined || steps.has(operation)) continue;
    const { name } = operation;
    found.set(`${setting} ${name}`, diagnose('GG3119', { setting, operation: name }, span));
  }
  for (const chain of durable) {
    const { undos, unknown } = undosOf(schema, chain);
    const unfit = [
      ...unknown.map((of) => ({ of, reason: 'no mutation has this name' })),
      ...undos.flatMap(({ of, missing }) =>
        missing === undefined ? [] : [{ of, reason: `nothing gives its argument “${missing}”` }],
      ),
    ];
    for (const { of, reason } of unfit) {
      const { name: operation, undo = '', edges } = of.operation;
      const span = edges[0]?.span;
      // A step of several chains is reported once.
      if (span !== undefined) found.set(of.name, diagnose('GG3118', { operation, undo, reason }, span));
    }
    for (const { of, event, found: known, suggestion } of waitsOf(schema, chain).unfit) {
      const { name: operation, edges } = of.operation;
      const span = edges[0]?.span;
      if (span === undefined) continue;
      const finding =
        known === undefined
          ? diagnose('GG3120', { operation, event, suggestion }, span)
          : diagnose('GG3122', { operation, event, chain: chain.name }, span);
      found.set(`wait of ${of.name}`, finding);
    }
  }
  return [...found.values()];
}

/** A name of a field or a type of chains in GraphQL that something else has. */
function takenName(schema: GqlSchema): string | undefined {
  const types = new Set(indexSchema(schema).types.keys());
  const operations = new Set(schema.mutations.map(({ name }) => name));
  const { inputs, objects, fields } = chainFields(schema);
  const runs = runFields(schema);
  const streams = new Set(schema.subscriptions.map(({ name }) => name));
  const isTaken = (taken: Set<string>) => (name: string) => taken.size === taken.add(name).size;
  return (
    fields.map(({ name }) => name).find(isTaken(operations)) ??
    runs.fields.map(({ name }) => name).find(isTaken(streams)) ??
    [...inputs, ...objects, ...runs.objects].map(({ name }) => name).find(isTaken(types))
  );
}
