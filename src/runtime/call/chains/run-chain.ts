import { randomUUID } from 'node:crypto';
import { defined } from '../../../base/values/defined.js';
import type { NamedStep, TakenId } from '../../../compiler/api/chains/named-steps.js';
import { pagedResult } from '../../../compiler/api/chains/paged-result.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { remember } from '../../../compiler/graph/maps.js';
import type { ContextSource } from '../../auth/caller.js';
import type { Connection } from '../../execute/resolvers/pages.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { reportFault } from '../../logs/monitor.js';
import { keyRequired } from '../../repeats/repeat-refused.js';
import type { CallArgs } from '../call.js';
import type { Calls } from '../calls.js';
import { contextOf, type Environment } from '../environment.js';
import {
  type ChainStep,
  compileNamedOperation,
  type NamedCaller,
  type NamedOperation,
  type OwnDocument,
} from '../named/operation.js';
import { type Problem, ProblemError } from '../problem.js';
import {
  type Arguments,
  joinProblems,
  type PlannedStep,
  planChain,
  progressOf,
  type RunnableChain,
} from './plan-chain.js';
import { idsAt, onlyId, readInputs } from './read-inputs.js';

/** The results of the steps of a run, by their names, in the order in which they ran. */
export type StepResults = { readonly [step: string]: JsonValue };

export interface ChainOutcome {
  readonly done: StepResults;
  /** The id of the last event that they have published; absent without one. */
  readonly receipt?: string;
  readonly failure?: {
    /** The step that failed; absent if the run failed as a whole. */
    readonly step?: string;
    readonly problem: Problem;
    /** Whether any step was started, perhaps the one that failed. */
    readonly isStarted: boolean;
  };
}

/** The caller of a chain: its HTTP request, the stdio equivalent, or the program. */
export type ChainCaller = ContextSource & NamedCaller & { readonly key?: string | undefined };

/** The fields of the results of steps, by their names: paths as in `?fields=`. Other results have the default fields. */
export type StepFields = Readonly<Record<string, readonly string[]>>;

/** The documents of steps over GraphQL, by their names: a result has the form of its document. */
export type StepDocuments = Readonly<Record<string, StepDocument>>;

export interface StepDocument extends OwnDocument {
  /** Where the result has an id that a later step takes. */
  pathOf(id: TakenId['result']): readonly string[];
}

interface StepWay extends Omit<ChainStep, 'name'>, Partial<Pick<ChainStep, 'name'>> {
  readonly context: unknown;
  readonly fields?: StepFields | StepDocuments | undefined;
  readonly enter?: () => void;
}

/** How the runner tells of names of the schema, and what its calls are recorded as. */
interface ChainWay {
  readonly protocol: CallArgs['protocol'];
  readonly tellsNames: boolean;
  /** Whether a value may stand for the list of it alone, as in GraphQL. */
  readonly takesItems?: boolean;
}

/**
 * Makes the only runner of chains: for requests to `/api/chains`, GraphQL, the program, and the tools of agents. Each
 * step is a call. Before the first one runs, the arguments of all are read, and the caller is compared with all that they demand.
 * The documents of operations are compiled on first use.
 */
export function createChainRunner(environment: Environment, { protocol, tellsNames, takesItems = false }: ChainWay) {
  const { schema, limits, monitor } = environment;
  const compiled = new Map<NamedStep, NamedOperation>();
  const compile = (execution: Calls, step: NamedStep): NamedOperation =>
    remember(compiled, step, () => compileNamedOperation(schema, step.operation, execution, tellsNames, protocol));
  const mask = (error: unknown, caller: ChainCaller): Problem => {
    if (error instanceof ProblemError) return error.problem;
    const { masking } = limits;
    const reference = reportFault({ monitor, masking }, error, undefined, caller.tracked);
    if (!masking && error instanceof Error) return { status: 500, detail: error.message };
    const members = { code: 'INTERNAL_SERVER_ERROR', ...reference };
    return { status: 500, detail: 'Unexpected error.', members };
  };

  /** Reads the arguments of all steps; those of a step that takes ids of others are undefined. */
  const readKnown = (execution: Calls, plan: readonly PlannedStep[], problems: ProblemError[]) => {
    let failed: string | undefined;
    const known = plan.map((planned) => {
      const { step, place } = planned;
      let isKnown = true;
      const mistakesIn = (all: Readonly<Record<string, unknown>>) =>
        isKnown ? execution.mistakesIn(step.operation, all, place) : [];
      const context = { schema, tellsNames, takesItems, executable: execution.schema, mistakesIn };
      try {
        const args = readInputs(context, planned, (_, isList) => {
          isKnown = false;
          return isList ? [placeholder] : placeholder;
        });
        // The ids of other steps are judged when they are known.
        return isKnown ? args : undefined;
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        if (problems.length === 0) failed = step.name;
        problems.push(error);
        return undefined;
      }
    });
    return { known, failed };
  };

  /**
   * Plans a run, and compares its caller with everything that its steps demand, before anything runs.
   *
   * @param enter - Hears the step that is compared; undefined for the run as a whole.
   * @throws {ProblemError} If the caller is refused, or an input is wrong.
   */
  const admit = async (
    chain: RunnableChain,
    inputs: unknown,
    caller: ChainCaller,
    fields: StepFields | StepDocuments = {},
    enter: (step: string | undefined) => void = () => undefined,
  ) => {
    const execution = await environment.execution();
    const problems: ProblemError[] = [];
    const plan = planChain(chain, inputs, limits.rootFields, problems);
    // Refusals and mistakes are found before anything runs; a caller without access learns of no mistakes.
    for (const { step } of plan) {
      const named = compile(execution, step);
      enter(step.name);
      const own = ownDocument(fields[step.name]);
      if (!named.isOpenTo(caller, own)) await named.admit(caller, undefined, own);
    }
    const { known, failed } = readKnown(execution, plan, problems);
    enter(failed);
    if (problems.length > 0) throw joinProblems(problems);
    for (const [at, { step }] of plan.entries()) {
      enter(step.name);
      await compile(execution, step).admit(caller, known[at], fields[step.name]);
    }
    requireKey(plan, caller);
    return { plan, known };
  };

  /**
   * Runs a step with the ids that earlier ones gave, and returns its result.
   *
   * @throws {ProblemError} If the step fails.
   */
  const take = async (
    planned: PlannedStep,
    done: StepResults,
    caller: ChainCaller,
    { context, fields = {}, enter, ...how }: StepWay,
  ): Promise<JsonValue> => {
    const { step, place } = planned;
    const execution = await environment.execution();
    const coercion = { schema, tellsNames, takesItems, executable: execution.schema };
    const args: Arguments = readInputs(coercion, planned, (taken, isList) => {
      const { name: from } = taken.from;
      const own = ownDocument(fields[from]);
      const ids = idsAt(done[from] ?? null, own?.pathOf(taken.result) ?? taken.result);
      return isList ? [...ids] : onlyId(ids, `${place}${taken.path.join('.')}`, from);
    });
    enter?.();
    const asked = fields[step.name];
    const named = { name: step.name, ...how };
    return resultOf(step, await compile(execution, step).value(args, asked, context, caller, named), asked);
  };

  const run = async (
    chain: RunnableChain,
    inputs: unknown,
    caller: ChainCaller,
    fields: StepFields | StepDocuments = {},
  ): Promise<ChainOutcome> => {
    const done: Record<string, JsonValue> = {};
    let current: string | undefined;
    let isStarted = false;
    let receipt: string | undefined;
    let tell: ReturnType<typeof progressOf>;
    try {
      const { plan, known } = await admit(chain, inputs, caller, fields, (step) => {
        current = step;
      });
      current = undefined;
      const context = await contextOf(environment, await environment.execution(), caller);
      const id = randomUUID();
      // A tool of agents that has one operation is an ordinary call.
      const goal = chain.only === undefined ? (chain.goal ?? plan.at(-1)?.step) : undefined;
      tell = goal && progressOf(monitor, { id, chain: goal.name, isDurable: false, plan });
      for (const [at, planned] of plan.entries()) {
        const { name } = planned.step;
        current = name;
        tell?.({ step: name, state: 'running' });
        done[name] = await take(planned, done, caller, {
          context,
          fields,
          run: tell && id,
          admitted: known[at] === undefined ? 'caller' : 'all',
          enter: () => {
            isStarted = true;
          },
          onReceipt: (id) => {
            receipt = id;
          },
        });
        tell?.({ step: name, state: 'done' });
      }
      tell?.({ state: 'completed' });
      return defined({ done, receipt });
    } catch (error) {
      const failure = defined({ step: current, problem: mask(error, caller), isStarted });
      const { detail } = failure.problem;
      if (current !== undefined) tell?.({ step: current, state: 'failed', detail });
      tell?.({ state: 'failed', detail });
      return defined({ done, receipt, failure });
    }
  };
  const isOpenTo = async (caller: ChainCaller, step: NamedStep, fields?: readonly string[]): Promise<boolean> =>
    compile(await environment.execution(), step).isOpenTo(caller, fields);
  return { run, isOpenTo, admit, take, mask };
}

function ownDocument(asked: StepFields[string] | StepDocument | undefined): StepDocument | undefined {
  return asked !== undefined && 'document' in asked ? asked : undefined;
}

/** Stands for an id that an earlier step of the run will give. */
const placeholder = '1';

/** A mutation that takes a key only is found before the steps in front of it run. */
function requireKey(plan: readonly PlannedStep[], caller: ChainCaller): void {
  if ((caller.key ?? caller.header('idempotency-key')) !== undefined) return;
  const keyed = plan.find(({ step }) => step.operation.idempotent !== undefined);
  if (keyed === undefined) return;
  const { status, detail, code } = keyRequired(keyed.step.operation.name);
  throw new ProblemError({ status, detail, members: { code } });
}

/** The result of a step as its own document gives it, or as REST does; a connection as its items, the cursor of the next page and the number of all items. */
function resultOf(
  { operation }: NamedStep,
  value: JsonValue,
  asked: StepFields[string] | StepDocument | undefined,
): JsonValue {
  if (operation.nullStatus !== undefined && value === null)
    throw new ProblemError({ status: operation.nullStatus, detail: 'There is no result.' });
  if (ownDocument(asked) !== undefined || operation.page === undefined || !isJsonObject(value)) return value;
  const { edges, pageInfo, totalCount } = value as unknown as Connection<JsonValue>;
  const { hasNextPage, endCursor } = pageInfo;
  return pagedResult<JsonValue>(operation, {
    items: edges.map(({ node }) => node),
    after: hasNextPage ? (endCursor ?? undefined) : undefined,
    totalCount: typeof totalCount === 'number' ? totalCount : undefined,
  });
}
