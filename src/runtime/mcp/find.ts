import { describeAccess } from '../../compiler/api/access.js';
import { stepsTo } from '../../compiler/api/chains/api-chains.js';
import { findSteps, type NamedStep } from '../../compiler/api/chains/named-steps.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { didYouMean } from '../../compiler/graph/suggest.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import type { GqlOperation } from '../../compiler/schema/gql-schema.js';
import { wireView } from '../../compiler/schema/wire-view.js';
import { runnableTo } from '../call/chains/named-chains.js';
import { type ChainCaller, type ChainOutcome, createChainRunner, type StepFields } from '../call/chains/run-chain.js';
import type { Environment } from '../call/environment.js';
import type { Problem } from '../call/problem.js';
import { isJsonObject } from '../limits/parse-json.js';
import type { Tool } from './toolset/agent-tool.js';
import { inputsSchema } from './toolset/chain-tools.js';
import { ownDescription } from './toolset/compact-schemas.js';
import { mostCandidates } from './toolset/find-tools.js';

/** About the most characters of the input schema of a chain in an answer; a longer one has the goal alone. */
const mostOfSchema = 8_000;

/** The words of a goal that are compared: a text may have a million. */
const mostWords = 100;

/** Makes the functions that call the tools `find` and `run`. A caller finds only what it may call. */
export function createFinder(environment: Environment) {
  const { limits } = environment;
  const schema = wireView(environment.schema);
  const all = findSteps(schema);
  const byName = new Map(all.map((step) => [step.name, step]));
  const index = all.map((step) => ({ step, words: wordsOf(step.operation) }));
  const { run: runChain, isOpenTo } = createChainRunner(environment, { protocol: 'mcp', tellsNames: true });

  const openSteps = async (goal: NamedStep, caller: ChainCaller): Promise<readonly NamedStep[]> => {
    const found: NamedStep[] = [];
    for (const step of stepsTo(goal, all)) if (await isOpenTo(caller, step)) found.push(step);
    return found;
  };
  const schemaFor = (goal: NamedStep, steps: readonly NamedStep[]): JsonValue => {
    const whole = inputsSchema(schema, steps, limits.pageSize);
    const isShort = steps.length === 1 || JSON.stringify(whole).length <= mostOfSchema;
    return (isShort ? whole : inputsSchema(schema, [goal], limits.pageSize)) as JsonValue;
  };
  const describe = async (goal: NamedStep, caller: ChainCaller): Promise<JsonValue> => {
    const { name, operation } = goal;
    const steps = await openSteps(goal, caller);
    const text = [ownDescription(operation), describeAccess(operation)].filter(Boolean).join(' ');
    return {
      name,
      kind: operation.kind,
      ...(text !== '' && { description: text }),
      ...(steps.length > 1 && { steps: steps.map((step) => step.name) }),
      returns: baseName(operation.type),
      inputSchema: schemaFor(goal, steps),
    };
  };
  const search = async (text: string, type: string | undefined, caller: ChainCaller) => {
    const asked = split(text).slice(0, mostWords);
    const ranked = index
      .map(({ step, words }) => ({ step, rank: rankOf(words, asked), length: step.name.length }))
      .filter(({ step, rank }) => rank > 0 && (type === undefined || isAbout(step.operation, type)))
      .sort((one, other) => other.rank - one.rank || one.length - other.length);
    const found: NamedStep[] = [];
    for (const { step } of ranked) {
      if (await isOpenTo(caller, step)) found.push(step);
      if (found.length === mostCandidates) break;
    }
    return found;
  };
  const find = async (given: unknown, caller: ChainCaller): Promise<ChainOutcome> => {
    const { words, type, ...others } = membersOf(given);
    if (typeof words !== 'string' || !['string', 'undefined'].includes(typeof type) || Object.keys(others).length > 0)
      return refused('find takes {"words": "what to do"}, and a “type” by its name if only one matters.');
    const found = await search(words, type as string | undefined, caller);
    const candidates = await Promise.all(found.map((step) => describe(step, caller)));
    const about = type === undefined ? '' : ` and returns or takes the type “${type}”`;
    const hint = `No operation has these words${about}: use others, such as the names of things.`;
    return { done: { candidates, ...(candidates.length === 0 && { hint }) } };
  };
  const run = async (given: unknown, caller: ChainCaller): Promise<ChainOutcome> => {
    const { name, inputs, fields = {}, ...others } = membersOf(given);
    if (typeof name !== 'string' || !isStepFields(fields) || Object.keys(others).length > 0)
      return refused(
        'run takes {"name": "operation", "inputs": {"operation": {…}}}, and “fields” as lists of paths by step.',
      );
    const goal = byName.get(name);
    if (goal === undefined) {
      const near = await search(name, undefined, caller);
      const hint =
        near.length === 0
          ? ' Call find.'
          : didYouMean(
              name,
              near.map((step) => step.name),
            );
      const candidates = await Promise.all(near.slice(0, 2).map((step) => describe(step, caller)));
      return refused(`There is no operation “${name}”.${hint}`, near.length === 0 ? {} : { candidates });
    }
    const steps = stepsTo(goal, all);
    const chain = runnableTo(goal, steps, true);
    const unknown = Object.keys(fields).find((step) => !chain.steps.has(step));
    const outcome =
      unknown !== undefined && (await isOpenTo(caller, goal))
        ? refused(`fields: ${chain.explainUnknown(unknown)}`)
        : await runChain(chain, inputs, caller, withTaken(fields, steps));
    const { failure } = outcome;
    if (failure === undefined || failure.isStarted) return outcome;
    return { ...outcome, failure: { ...failure, problem: await teach(name, failure.problem, caller) } };
  };
  /** A refused call teaches the right one: adds the schema of the inputs to the problem. */
  const teach = async (name: string, problem: Problem, caller: ChainCaller): Promise<Problem> => {
    const goal = byName.get(name);
    if (goal === undefined || problem.status !== 400 || !(await isOpenTo(caller, goal))) return problem;
    const inputSchema = schemaFor(goal, await openSteps(goal, caller));
    return { ...problem, members: { ...problem.members, inputSchema } };
  };
  const call = ({ definition }: Tool, given: unknown, caller: ChainCaller): Promise<ChainOutcome> =>
    definition.name === 'find' ? find(given, caller) : run(given, caller);
  return { call, teach };
}

/** The members of the arguments of a tool. A member that is null counts as absent. */
function membersOf(given: unknown): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries(isJsonObject(given) ? given : {}).filter(([, value]) => value !== null));
}

function refused(detail: string, members: Readonly<Record<string, unknown>> = {}): ChainOutcome {
  return { done: {}, failure: { problem: { status: 400, detail, members }, isStarted: false } };
}

function isStepFields(value: unknown): value is StepFields {
  return (
    isJsonObject(value) &&
    Object.values(value).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'))
  );
}

/** The fields that a caller asks for, and the ids that later steps take. */
function withTaken(fields: StepFields, steps: readonly NamedStep[]): StepFields {
  const takes = steps.flatMap((step) => step.takes);
  return Object.fromEntries(
    Object.entries(fields).map(([name, asked]) => {
      const taken = takes.filter(({ from }) => from.name === name);
      const paths = taken.map(({ from, result }) =>
        (from.operation.page === undefined ? result : result.slice(1)).join('.'),
      );
      return [name, [...new Set([...asked, ...paths])]];
    }),
  );
}

/** The words of an operation, each with its weight: that of its name is the largest. */
function wordsOf(operation: GqlOperation): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of split(text)) words.set(word, Math.max(weight, words.get(word) ?? 0));
  };
  const { name, type, arguments: args, tags = [] } = operation;
  add(ownDescription(operation) ?? '', 2);
  for (const argument of args) add(`${argument.name} ${baseName(argument.type)}`, 2);
  add(tags.join(' '), 3);
  add(baseName(type), 4);
  add(name, 6);
  return words;
}

/** Words in lower case, without the endings of plurals. */
function split(text: string): readonly string[] {
  const words = text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|[\p{Lo}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.toLowerCase().replace(/(?<=\w{2})(?:ies|y|s)$/, '')))];
}

/** A word that begins another one counts for half of it. */
function rankOf(words: ReadonlyMap<string, number>, asked: readonly string[]): number {
  let rank = 0;
  for (const word of asked) {
    let best = words.get(word) ?? 0;
    if (best === 0 && word.length > 2)
      for (const [own, weight] of words)
        if (own.length > 2 && (own.startsWith(word) || word.startsWith(own))) best = Math.max(best, weight / 2);
    rank += best;
  }
  return rank;
}

function isAbout({ type, arguments: args }: GqlOperation, wanted: string): boolean {
  const names = [baseName(type), ...args.map((argument) => baseName(argument.type))];
  return names.some((name) => name.toLowerCase() === wanted.toLowerCase());
}
