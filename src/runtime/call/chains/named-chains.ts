import { type ApiChain, apiChains } from '../../../compiler/api/chains/api-chains.js';
import type { NamedStep } from '../../../compiler/api/chains/named-steps.js';
import { type Undo, undosOf } from '../../../compiler/api/chains/undos.js';
import { type Wait, waitsOf } from '../../../compiler/api/chains/waits.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import type { RunnableChain } from './plan-chain.js';
import type { ChainOutcome } from './run-chain.js';

/** A chain that clients run by its name. */
export interface NamedChain extends Pick<ApiChain, 'path'> {
  readonly runnable: RunnableChain;
  /** Whether a run of it goes on after the request. */
  readonly isDurable: boolean;
  readonly undos: readonly Undo[];
  readonly waits: readonly Wait[];
}

/** The chains of a schema, by their names. */
export function namedChains(
  schema: GqlSchema,
  { tellsNames }: { readonly tellsNames: boolean },
): ReadonlyMap<string, NamedChain> {
  const wire = wireView(schema);
  return new Map(
    apiChains(wire).map(({ name, path, goal, steps }) => [
      name,
      {
        path,
        runnable: runnableTo(goal, steps, tellsNames),
        isDurable: goal.operation.durable === true,
        undos: goal.operation.durable ? undosOf(wire, { steps }).undos : [],
        waits: goal.operation.durable ? waitsOf(wire, { steps }).waits : [],
      },
    ]),
  );
}

/** The chain to a goal, with the goal among its steps. */
export function runnableTo(goal: NamedStep, steps: readonly NamedStep[], tellsNames: boolean): RunnableChain {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const explainUnknown = (step = '') =>
    `The chain ${goal.name} has no step “${step}”.${tellsNames ? didYouMean(step, byName.keys()) : ''}`;
  return { steps: byName, goal, explainUnknown };
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
