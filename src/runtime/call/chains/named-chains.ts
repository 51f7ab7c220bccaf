import { type ApiChain, apiChains } from '../../../compiler/api/chains/api-chains.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import type { RunnableChain } from './plan-chain.js';
import type { ChainOutcome } from './run-chain.js';

/** A chain that clients run by its name. */
export interface NamedChain extends Pick<ApiChain, 'name' | 'path' | 'goal'> {
  readonly runnable: RunnableChain;
}

/** The chains of a schema, by their names. */
export function namedChains(
  schema: GqlSchema,
  { tellsNames }: { readonly tellsNames: boolean },
): ReadonlyMap<string, NamedChain> {
  return new Map(
    apiChains(wireView(schema)).map(({ name, path, goal, steps }) => {
      const byName = new Map(steps.map((step) => [step.name, step]));
      const explainUnknown = (step = '') =>
        `The chain ${name} has no step “${step}”.${tellsNames ? didYouMean(step, byName.keys()) : ''}`;
      return [name, { name, path, goal, runnable: { steps: byName, goal, explainUnknown } }];
    }),
  );
}

/** A step that ran, as clients read it. */
export interface StepResult {
  /** The name of the step. */
  readonly operation: string;
  /** Its result, as REST gives it; a page as `{ items, after }`. */
  readonly result: JsonValue;
}

export function stepsOf({ done }: ChainOutcome): readonly StepResult[] {
  return Object.entries(done).map(([operation, result]) => ({ operation, result }));
}
