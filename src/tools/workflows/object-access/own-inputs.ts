import { randomOf, seedValue } from '../../../analysis/store/seed-values.js';
import type { ArazzoStep, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { Facts } from '../expressions.js';
import { argumentsIn, type Replace, replaceLeaves, type Values } from './step-arguments.js';

export type Inputs = Facts['inputs'];

/** The inputs of a workflow that make objects of one owner. */
export interface OwnInputs {
  readonly inputs: Inputs;
  /** Whether the owner that a request names is that owner, as far as the workflow decides it. */
  readonly isOwn: (operation: GqlOperation) => boolean;
}

/** What the inputs are made for. */
export interface OwnInputsOptions {
  readonly owner: string;
  /** The names of arguments and fields that hold an owner. */
  readonly names: ReadonlySet<string>;
  /** The inputs that the user has given: they stay. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly operationOf: (step: ArazzoStep) => GqlOperation;
  /** The seed and the number of a variation; absent for the examples. */
  readonly variation?: string;
}

/** Changes the inputs of a workflow so that the owner stands wherever its requests name one. */
export function ownInputs(
  schema: GqlSchema,
  { workflowId, steps }: ArazzoWorkflow,
  defaults: Inputs,
  { owner, names, given, operationOf, variation }: OwnInputsOptions,
): OwnInputs {
  const inputs: Record<string, unknown> = { ...defaults };
  const change = (input: string, argument: GqlArgument, replace: Replace): void => {
    if (!Object.hasOwn(given, input))
      inputs[input] = replaceLeaves(schema, argument, inputs[input] as JsonValue, replace);
  };
  const requests = new Map(steps.map((step) => [step.stepId, { step, operation: operationOf(step) }]));
  for (const { step, operation } of requests.values()) {
    const values = argumentsIn(operation, step);
    for (const argument of operation.arguments) {
      replaceLeaves(schema, argument, values[argument.name] ?? null, (leaf, expression) => {
        const input = inputIn(expression);
        if (input === undefined) return expression;
        if (variation !== undefined)
          change(input, leaf, (one, value) => another(schema, one, value, `${variation} ${workflowId} ${input}`));
        change(input, leaf, ({ name }, value) => (names.has(name) ? owner : value));
        return expression;
      });
    }
  }

  /** Makes an expression the id of the owner, and tells whether that is possible. */
  const claim = (expression: JsonValue | undefined): boolean => {
    const input = inputIn(expression);
    if (input !== undefined) {
      if (typeof inputs[input] === 'string' && !Object.hasOwn(given, input)) inputs[input] = owner;
      return inputs[input] === owner;
    }
    const [, stepId = '', output = ''] = /^\$steps\.(\w+)\.outputs\.(\w+)$/.exec(String(expression)) ?? [];
    const made = requests.get(stepId);
    const field = made?.step.outputs?.[output]?.split('/').at(-1);
    if (made === undefined || field === undefined || made.operation.kind !== 'mutation') return false;
    const values = argumentsIn(made.operation, made.step);
    if (Object.hasOwn(values, field)) return claim(values[field]);
    return Object.values(values).some((value) => {
      const whole = inputIn(value);
      const members = (whole === undefined ? value : inputs[whole]) as Values | null;
      if (typeof members !== 'object' || members === null || !Object.hasOwn(members, field)) return false;
      if (whole === undefined) return claim(members[field]);
      if (!Object.hasOwn(given, whole)) inputs[whole] = { ...members, [field]: owner };
      return (inputs[whole] as Values)[field] === owner;
    });
  };
  const own = new Set<string>();
  for (const { step, operation } of requests.values()) {
    const { owner: name } = operation;
    if (name === undefined) continue;
    const isArgument = operation.arguments.some((argument) => argument.name === name);
    if (!isArgument || claim(argumentsIn(operation, step)[name])) own.add(operation.name);
    for (const event of step['x-events'] ?? [])
      for (const { name: filter, value } of event.parameters ?? [])
        if (names.has(filter) && claim(value as JsonValue)) own.add(event.subscription);
  }
  return { inputs, isOwn: (operation) => own.has(operation.name) };
}

/** The input that an expression names. */
function inputIn(expression: unknown): string | undefined {
  return /^\$inputs\.(\w+)$/.exec(String(expression))?.[1];
}

/** Another value within the constraints of an argument; ids stay. */
function another(schema: GqlSchema, argument: GqlArgument, value: JsonValue, seed: string): JsonValue {
  if (baseName(argument.type) === 'ID') return value;
  const random = randomOf(`${seed} ${argument.name}`);
  return seedValue(schema, argument as GqlField, random, { row: 1, attempt: 0 }) ?? value;
}
