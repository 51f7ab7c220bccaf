import { defined } from '../../base/values/defined.js';
import { exampleArgument } from '../../compiler/api/examples.js';
import { isRequired } from '../../compiler/api/is-required.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { remember } from '../../compiler/graph/maps.js';
import { didYouMean } from '../../compiler/graph/suggest.js';
import { baseName, nullable } from '../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { inputTypeOf } from '../../compiler/schema/schema-index.js';
import { wireView } from '../../compiler/schema/wire-view.js';
import type { ContextSource } from '../auth/caller.js';
import type { Calls } from '../call/calls.js';
import { type CoercionContext, readAll, readMembers } from '../call/coerce.js';
import { contextOf, type Environment } from '../call/environment.js';
import { compileNamedOperation, type NamedCaller, type NamedOperation } from '../call/named/operation.js';
import { type Problem, ProblemError } from '../call/problem.js';
import type { Connection } from '../execute/resolvers/pages.js';
import { isJsonObject } from '../limits/parse-json.js';
import { reportFault } from '../logs/monitor.js';
import type { Tool } from './toolset/agent-tool.js';
import { deepestDeclaration, type TakenId, type ToolStep } from './toolset/steps.js';

/** The results of the steps of a call, by their names, in the order in which they ran. */
export type StepResults = { readonly [step: string]: JsonValue };

export interface ToolOutcome {
  readonly done: StepResults;
  /** The id of the last event that they have published; absent without one. */
  readonly receipt?: string;
  readonly failure?: {
    /** The step that failed; absent if the call failed as a whole. */
    readonly step?: string;
    readonly problem: Problem;
    /** Whether any step was started, perhaps the one that failed. */
    readonly isStarted: boolean;
  };
}

/** The caller of a tool: its HTTP request or the stdio equivalent. */
export type ToolCaller = ContextSource & NamedCaller & { readonly key?: string | undefined };

/** Makes the runner of the tools of a server. The documents of operations are compiled on first use. */
export function createToolRunner(environment: Environment, tools: readonly Tool[]) {
  const { schema, limits, monitor } = environment;
  const steps = new Map(tools.flatMap((tool) => tool.steps.map((step) => [step.name, { step, tool }])));
  const compiled = new Map<ToolStep, NamedOperation>();
  const compile = (execution: Calls, step: ToolStep): NamedOperation =>
    remember(compiled, step, () => compileNamedOperation(schema, step.operation, execution, true, 'mcp'));
  const mask = (error: unknown, caller: ToolCaller): Problem => {
    if (error instanceof ProblemError) return error.problem;
    const { masking } = limits;
    const reference = reportFault({ monitor, masking }, error, undefined, caller.tracked);
    if (!masking && error instanceof Error) return { status: 500, detail: error.message };
    const members = { code: 'INTERNAL_SERVER_ERROR', ...reference };
    return { status: 500, detail: 'Unexpected error.', members };
  };

  return async (tool: Tool, given: unknown, caller: ToolCaller): Promise<ToolOutcome> => {
    const done: Record<string, JsonValue> = {};
    let current: PlannedStep | undefined;
    let isStarted = false;
    let receipt: string | undefined;
    try {
      const execution = await environment.execution();
      const coercion = { schema, tellsNames: true, executable: execution.schema };
      const plan = planCall(tool, given, steps, limits.rootFields);
      // Mistakes and refusals are found before anything runs.
      const known: (Arguments | undefined)[] = [];
      for (current of plan) {
        let isKnown = true;
        const { step, place } = current;
        const mistakesIn = (all: Readonly<Record<string, unknown>>) =>
          isKnown ? execution.mistakesIn(step.operation, all, place) : [];
        const args = readArguments({ ...coercion, mistakesIn }, current, (_, isList) => {
          isKnown = false;
          return isList ? [placeholder] : placeholder;
        });
        // The ids of other steps are judged when they are known.
        known.push(isKnown ? args : undefined);
      }
      for (const [at, planned] of plan.entries()) {
        current = planned;
        await compile(execution, planned.step).admit(caller, known[at]);
      }
      current = undefined;
      const context = await contextOf(environment, execution, caller);
      for (const [at, planned] of plan.entries()) {
        current = planned;
        const args = readArguments(coercion, current, (taken, isList) => {
          const ids = idsAt(done[taken.from.name] ?? null, taken.result);
          return isList ? [...ids] : onlyId(ids, `${current?.place}${taken.path.join('.')}`, taken.from.name);
        });
        const { step } = current;
        isStarted = true;
        const value = await compile(execution, step).value(args, undefined, context, caller, {
          admitted: known[at] === undefined ? 'caller' : 'all',
          name: step.name,
          onReceipt: (id) => {
            receipt = id;
          },
        });
        done[step.name] = resultOf(step, value);
      }
      return defined({ done, receipt });
    } catch (error) {
      const failure = defined({ step: current?.step.name, problem: mask(error, caller), isStarted });
      return defined({ done, receipt, failure });
    }
  };
}

interface PlannedStep {
  readonly step: ToolStep;
  readonly args: Arguments;
  /** Precedes the names of arguments in messages. */
  readonly place: string;
  readonly isOneStep: boolean;
  readonly takes: ToolStep['takes'];
}

/** Stands for an id that an earlier step of the call will give. */
const placeholder = '1';

/** The steps of a call in the order of the call, each after the steps whose ids it takes. */
function planCall(
  tool: Tool,
  given: unknown,
  steps: ReadonlyMap<string, { readonly step: ToolStep; readonly tool: Tool }>,
  most: number,
): readonly PlannedStep[] {
  const args = given ?? {};
  if (!isJsonObject(args)) throw refusal('The arguments must be an object.');
  const [only] = tool.steps;
  if (tool.isOneStep && only !== undefined)
    return [{ step: only, args, place: '', isOneStep: true, takes: [] }];
  const own = new Map(tool.steps.map((step) => [step.name, step]));
  const named = new Map<ToolStep, Arguments>();
  for (const [name, members] of Object.entries(args)) {
    const known = steps.get(name);
    const step = known?.step;
    const mayRun = step !== undefined && (own.has(name) || step.operation.kind === 'query');
    if (!mayRun) throw refusal(explainUnknown(name, known?.tool, tool, own));
    if (!isJsonObject(members))
      throw refusal(`“${name}” must be an object with the arguments of ${name}: {} for none.`);
    named.set(step, members);
  }
  if (named.size === 0) {
    const names = [...own.keys()];
    const example = names[0] === undefined ? '' : ` Example: {${JSON.stringify(names[0])}: {…}}`;
    throw refusal(`Name at least one operation: ${names.join(', ')}.${example}`);
  }
  if (named.size > most) throw refusal(`A call may run ${most} operations, not ${named.size}.`);
  const plan = new Map<ToolStep, PlannedStep>();
  const add = (step: ToolStep, members: Arguments): void => {
    if (plan.has(step)) return;
    const takes = step.takes.filter(({ from }) => named.has(from));
    for (const { from } of takes) add(from, named.get(from) as Arguments);
    plan.set(step, { step, args: members, place: `${step.name}.`, isOneStep: false, takes });
  };
  for (const [step, members] of named) add(step, members);
  return [...plan.values()];
}

function explainUnknown(
  name: string,
  other: Tool | undefined,
  { definition }: Tool,
  own: ReadonlyMap<string, ToolStep>,
): string {
  if (other !== undefined)
    return `The tool ${definition.name} does not run “${name}”: call the tool ${other.definition.name}.`;
  const hint = didYouMean(name, own.keys(), (near) => `“${near}”`);
  return `The tool ${definition.name} has no operation “${name}”.${hint}`;
}

/**
 * Reads the arguments of a step with the ids that it takes. A problem has an example of what is wrong.
 *
 * @param idsOf - The ids for a place: for a list all of them, else the only one.
 */
function readArguments(
  context: CoercionContext,
  { step: { operation }, args, takes, isOneStep, place }: PlannedStep,
  idsOf: (taken: TakenId, isList: boolean) => JsonValue,
): Arguments {
  const { schema } = context;
  const complete = takes.reduce(
    (given, taken) => put(schema, operation.arguments, given, taken.path, (isList) => idsOf(taken, isList)),
    args,
  );
  try {
    const path = isOneStep ? undefined : place.slice(0, -1);
    return readAll(
      context,
      (one) => readMembers(one, operation.arguments, complete, path),
      (all) => all,
    );
  } catch (error) {
    const parameter = error instanceof ProblemError ? error.problem.members?.parameter : undefined;
    if (!(error instanceof ProblemError) || typeof parameter !== 'string') throw error;
    const path = parameter.slice(isOneStep ? 0 : place.length).split('.');
    const declaration = deepestDeclaration(schema, operation.arguments, path);
    if (declaration === undefined) throw error;
    const example = JSON.stringify(exampleArgument(wireView(schema), declaration));
    const { problem } = error;
    throw new ProblemError({
      ...problem,
      detail: `${problem.detail} Example of ${declaration.name}: ${example}`,
    });
  }
}

function onlyId(ids: readonly JsonValue[], place: string, from: string): JsonValue {
  const [id, ...others] = ids;
  if (id !== undefined && others.length === 0) return id;
  const listed = ids.slice(0, 10).map((one) => JSON.stringify(one));
  const found =
    id === undefined ? 'no id' : `${ids.length} ids: ${listed.join(', ')}${ids.length > 10 ? ', …' : ''}`;
  throw refusal(`${from} gave ${found}. Pass “${place}” itself.`);
}

/** The result of a step as REST gives it; a connection as its items, the cursor of the next page and the number of all items. */
function resultOf({ operation }: ToolStep, value: JsonValue): JsonValue {
  if (operation.nullStatus !== undefined && value === null)
    throw new ProblemError({ status: operation.nullStatus, detail: 'There is no result.' });
  if (operation.page === undefined || !isJsonObject(value)) return value;
  const { edges, pageInfo, totalCount } = value as unknown as Connection<JsonValue>;
  const items = edges.map(({ node }) => node);
  const { hasNextPage, endCursor } = pageInfo;
  return {
    items,
    ...(hasNextPage && endCursor !== null && { after: endCursor }),
    ...(typeof totalCount === 'number' && { totalCount }),
  };
}

function refusal(detail: string): ProblemError {
  return new ProblemError({ status: 400, detail });
}

type Arguments = { readonly [name: string]: JsonValue };

/** Puts an id into the arguments that a call leaves out. An optional input that it leaves out stays out, with all its ids. */
function put(
  schema: GqlSchema,
  declarations: readonly GqlArgument[],
  into: Arguments,
  [name, ...rest]: readonly string[],
  idsOf: (isList: boolean) => JsonValue,
): Arguments {
  const declaration = declarations.find((one) => one.name === name);
  if (name === undefined || declaration === undefined) return into;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  const isList = nullable(declaration.type).kind === 'list';
  if (rest.length === 0) return before === undefined ? { ...into, [name]: idsOf(isList) } : into;
  const fields = inputTypeOf(schema, baseName(declaration.type))?.fields ?? [];
  const inside = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inside);
    return isJsonObject(value) ? put(schema, fields, value, rest, idsOf) : value;
  };
  if (before !== undefined) return { ...into, [name]: inside(before) };
  return isRequired(declaration) && !isList ? { ...into, [name]: inside({}) } : into;
}

/** The values at a path in a result; lists on the way give those of all items. Each value once. */
function idsAt(result: JsonValue, path: readonly string[]): readonly JsonValue[] {
  const [name, ...rest] = path;
  if (Array.isArray(result)) return [...new Set(result.flatMap((item) => idsAt(item, path)))];
  if (name === undefined) return result === null ? [] : [result];
  return isJsonObject(result) && Object.hasOwn(result, name) ? idsAt(result[name] as JsonValue, rest) : [];
}
