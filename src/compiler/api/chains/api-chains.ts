import { readDuration } from '../../graph/duration.js';
import type { JsonObject, JsonValue } from '../../graph/json-value.js';
import { perObject } from '../../graph/maps.js';
import { baseName, nullable, printTypeRef } from '../../graph/type-ref.js';
import type { GqlArgument, GqlInputType, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf } from '../../schema/schema-index.js';
import { restPrefix } from '../../schema/server-paths.js';
import { exampleArguments, isExemplary } from '../examples.js';
import { findSteps, type NamedStep } from './named-steps.js';
import { waitsOf } from './waits.js';

/** A chain that a client runs with one request: the goal has `chain: true`. */
export interface ApiChain {
  /** The name of its goal among the steps. */
  readonly name: string;
  readonly path: string;
  readonly goal: NamedStep;
  /** The goal and the steps that lead to it, in an order in which they can run. */
  readonly steps: readonly NamedStep[];
}

/** The states of a run of a durable chain; the last three are final. */
export const runStates = ['running', 'waiting', 'undoing', 'completed', 'failed', 'cancelled'] as const;

/** How often a run tries a step again whose edge has no `retries`. */
export const usualRetries = 3;

/** The chains of a schema that clients run, in the order in which their goals can run. */
export const apiChains = perObject((schema: GqlSchema): readonly ApiChain[] => {
  const steps = hasChains(schema) ? findSteps(schema) : [];
  const goals = steps.filter(({ operation }) => operation.chain);
  return goals.map((goal) => {
    return { name: goal.name, path: `${restPrefix}chains/${goal.name}`, goal, steps: stepsTo(goal, steps) };
  });
});

/** Nearly no schema has one, so this calls no function for each operation. */
export function hasChains({ queries, mutations }: GqlSchema): boolean {
  for (const list of [queries, mutations])
    for (const { chain, durable, undo, retries, awaits, within, pause } of list)
      if (chain ?? durable ?? undo ?? awaits ?? within ?? pause ?? retries !== undefined) return true;
  return false;
}

/** The durable chains of a schema: their runs go on after the request. */
export function durableChains(schema: GqlSchema): readonly ApiChain[] {
  return apiChains(schema).filter(({ goal }) => goal.operation.durable);
}

/**
 * The dependencies of a run of a chain: its steps, their arguments and results, the ids that they hand on, and their
 * waits.
 */
export function chainSignature(schema: GqlSchema, chain: ApiChain): string {
  const { steps } = chain;
  const ofStep = ({ name, takes, operation }: NamedStep) => [
    name,
    operation.kind,
    printTypeRef(operation.type),
    operation.arguments.map((one) => `${one.name}: ${printTypeRef(one.type)}`),
    takes.map(({ from, path, result }) => [from.name, result, path]),
  ];
  const waits = waitsOf(schema, chain).waits.map(({ of, event, field, from, result, argument }) => [
    of.name,
    [event.name, field, from.name, result, argument],
  ]);
  const pauses = steps.flatMap(({ name, operation: { pause } }) => (pause === undefined ? [] : [[name, pause]]));
  // Chains without waits keep the signature that their open runs have.
  return JSON.stringify([...steps.map(ofStep), ...waits, ...pauses]);
}

/** The times of a step in milliseconds; undefined without one. */
export function stepTimes({ within, pause }: GqlOperation) {
  const read = (text: string | undefined) => (text === undefined ? undefined : readDuration(text));
  return { within: read(within), pause: read(pause) };
}

/** Whether a step of a chain can be undone. */
export function hasUndo({ steps }: ApiChain): boolean {
  return steps.some(({ operation: { undo } }) => undo !== undefined);
}

/** Whether a step of a chain waits for an event or for time. */
export function hasWaits({ steps }: ApiChain): boolean {
  return steps.some(({ operation: { awaits, pause } }) => (awaits ?? pause) !== undefined);
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

/**
 * The values that steps take of an argument or a field of an input: its own value (`id`), or fields of its input, with
 * their paths. Undefined if it is given whole, as lists and one-of inputs are.  @param paths - The paths among the
 * declarations at which steps take ids.
 */
export function takenOf(
  schema: GqlSchema,
  { name, type }: GqlArgument,
  paths: readonly (readonly string[])[],
): 'id' | { readonly input: GqlInputType; readonly paths: readonly (readonly string[])[] } | undefined {
  const inner = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
  if (inner.length === 0) return undefined;
  const input = inputTypeOf(schema, baseName(type));
  if (input === undefined) return 'id';
  return nullable(type).kind === 'list' || input.oneOf ? undefined : { input, paths: inner };
}

/** Examples of the inputs of all steps of a chain, without the ids that steps hand on. */
export function exampleInputs(schema: GqlSchema, { steps }: ApiChain): JsonObject {
  const ofStep = ({ operation, takes }: NamedStep): JsonValue => {
    const args = operation.arguments.filter((argument) => isExemplary(operation, argument));
    return takes.reduce<JsonValue>((values, { path }) => omit(values, path), exampleArguments(schema, args));
  };
  return Object.fromEntries(steps.map((step) => [step.name, ofStep(step)]));
}

/** A value without what is at a path; in lists, without that of each item. */
export function omit(value: JsonValue, [name = '', ...rest]: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => omit(item, [name, ...rest]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value as JsonObject;
  return rest.length === 0 ? others : { ...value, [name]: omit(inner as JsonValue, rest) };
}
