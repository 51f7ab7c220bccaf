import type { NamedStep } from '../../../compiler/api/chains/named-steps.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { isJsonObject } from '../../limits/parse-json.js';
import type { FollowedRun, Monitor, RunNews } from '../../logs/monitor.js';
import { memberPointer } from '../coerce.js';
import { badParameter, type Mistake, maxMistakes, ProblemError } from '../problem.js';

export type Arguments = { readonly [name: string]: JsonValue };

/** The calls that one run may make: those of a chain of the API, or of a tool of agents. */
export interface RunnableChain {
  /** The steps that inputs may name. */
  readonly steps: ReadonlyMap<string, NamedStep>;
  /** The step that runs even if no input names it. */
  readonly goal?: NamedStep;
  /** The step whose arguments the inputs are; without it, they are the arguments of each step by its name. */
  readonly only?: NamedStep | undefined;
  /** Why no step has a name that inputs have; undefined for a name that no step has. */
  explainUnknown(name: string | undefined): string;
}

export interface PlannedStep {
  readonly step: NamedStep;
  readonly args: Arguments;
  /** Precedes the names of arguments in messages: `order.`, or nothing for the only step. */
  readonly place: string;
  readonly takes: NamedStep['takes'];
}

/**
 * The steps that the inputs name, each after the steps whose ids it takes. Those to a goal are in the order of the chain,
 * because the order of members says nothing, and PostgreSQL keeps another one; those of a tool are in the given order.
 *
 * @param most - The number of steps that a run may have.
 * @param problems - Gets the names that are wrong.
 */
export function planChain(
  { steps, goal, only, explainUnknown }: RunnableChain,
  given: unknown,
  most: number,
  problems: ProblemError[],
): readonly PlannedStep[] {
  const inputs = given ?? {};
  if (!isJsonObject(inputs)) throw refusal('The arguments must be an object.');
  if (only !== undefined) return [{ step: only, args: inputs, place: '', takes: [] }];
  const named = new Map<NamedStep, Arguments>();
  const refuse = (name: string, explain: () => string, code: Mistake['code']): void => {
    // An answer has no more mistakes, and a body may have a million names.
    if (problems.length < maxMistakes) problems.push(misnamed(name, explain(), code));
  };
  for (const [name, members] of Object.entries(inputs)) {
    const step = steps.get(name);
    if (step === undefined) refuse(name, () => explainUnknown(name), 'UNKNOWN_ARGUMENT');
    else if (isJsonObject(members)) named.set(step, members);
    else {
      const explain = () => `“${name}” must be an object with the arguments of ${name}: {} for none.`;
      refuse(name, explain, 'INVALID_ARGUMENT');
    }
  }
  if (goal !== undefined && !Object.hasOwn(inputs, goal.name)) named.set(goal, {});
  if (named.size === 0 && problems.length === 0) throw refusal(explainUnknown(undefined));
  if (named.size > most) throw refusal(`A call may run ${most} operations, not ${named.size}.`);
  const plan = new Map<NamedStep, PlannedStep>();
  const add = (step: NamedStep, args: Arguments): void => {
    if (plan.has(step)) return;
    const takes = step.takes.filter(({ from }) => named.has(from));
    for (const { from } of takes) add(from, named.get(from) as Arguments);
    plan.set(step, { step, args, place: `${step.name}.`, takes });
  };
  for (const step of goal === undefined ? named.keys() : steps.values()) {
    const args = named.get(step);
    if (args !== undefined) add(step, args);
  }
  return [...plan.values()];
}

function misnamed(name: string, detail: string, code: Mistake['code']): ProblemError {
  const { problem } = badParameter(name, detail);
  const errors: readonly Mistake[] = [{ pointer: memberPointer(name), detail, code }];
  return new ProblemError({ ...problem, members: { ...problem.members, errors } });
}

/** One problem with the mistakes of all: the first of them, at most as many mistakes as an answer has. */
export function joinProblems(problems: readonly ProblemError[]): ProblemError {
  const [first] = problems as [ProblemError];
  const all = problems.flatMap(({ problem }) => (problem.members?.errors ?? []) as readonly Mistake[]);
  return new ProblemError({
    ...first.problem,
    members: { ...first.problem.members, errors: all.slice(0, maxMistakes) },
  });
}

export function refusal(detail: string): ProblemError {
  return new ProblemError({ status: 400, detail });
}

/** Tells a monitor of a run of planned steps; undefined if the monitor follows none. */
export function progressOf(
  { runChanged }: Pick<Monitor, 'runChanged'>,
  { plan, ...run }: Omit<FollowedRun, 'steps'> & { readonly plan: readonly PlannedStep[] },
): ((news: RunNews) => void) | undefined {
  if (runChanged === undefined) return undefined;
  const steps = plan.map(({ step: { name, operation } }) => ({ name, coordinate: operationCoordinate(operation) }));
  const followed = { ...run, steps };
  return (news) => runChanged(followed, news);
}
