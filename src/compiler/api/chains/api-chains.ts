import { remember } from '../../graph/maps.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { restPrefix } from '../../schema/server-paths.js';
import { findSteps, type NamedStep } from './named-steps.js';

/** A chain that a client runs with one request: the goal has `chain: true`. */
export interface ApiChain {
  /** The name of its goal among the steps. */
  readonly name: string;
  readonly path: string;
  readonly goal: NamedStep;
  /** The goal and the steps that lead to it, in an order in which they can run. */
  readonly steps: readonly NamedStep[];
}

const known = new WeakMap<GqlSchema, readonly ApiChain[]>();

/** The chains of a schema that clients run, in the order in which their goals can run. */
export function apiChains(schema: GqlSchema): readonly ApiChain[] {
  if (!hasChains(schema)) return [];
  return remember(known, schema, () => {
    const steps = findSteps(schema);
    const goals = steps.filter(({ operation }) => operation.chain);
    return goals.map((goal) => ({
      name: goal.name,
      path: `${restPrefix}chains/${goal.name}`,
      goal,
      steps: stepsTo(goal, steps),
    }));
  });
}

/** Nearly no schema has one, so this calls no function for each operation. */
export function hasChains({ queries, mutations }: GqlSchema): boolean {
  for (const list of [queries, mutations]) for (const { chain } of list) if (chain) return true;
  return false;
}

/**
 * The goal and the steps whose ids lead to it.
 *
 * @param all - All steps of the schema, in their order.
 */
export function stepsTo(goal: NamedStep, all: readonly NamedStep[]): readonly NamedStep[] {
  const found = new Set([goal]);
  for (const { takes } of found) for (const { from } of takes) found.add(from);
  return all.filter((step) => found.has(step));
}
