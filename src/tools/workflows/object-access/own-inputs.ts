import { randomOf, seedValue } from '../../../analysis/store/seed-values.js';
import type { ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { freshInputs, type Inputs, inputIn, replaceInputs } from '../fresh-inputs.js';
import { argumentsIn, ownerInPlaceOf, type Values } from '../step-arguments.js';
import { operationsOfSteps } from '../step-operations.js';

/** The inputs of a workflow that make objects of one owner. */
export type OwnInputs = ReturnType<typeof ownInputs>;

/** The purpose of the inputs. */
export interface OwnInputsOptions {
  readonly owner: string;
  /** The names of arguments and fields that hold an owner. */
  readonly names: ReadonlySet<string>;
  /** The inputs that the user has given: they stay. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The seed and the number of a variation; absent for the examples. */
  readonly variation?: string;
}

/** Changes the inputs of a workflow so that the owner stands wherever its requests name one, and unique values are new. */
export function ownInputs(
  schema: GqlSchema,
  workflow: ArazzoWorkflow,
  defaults: Inputs,
  { owner, names, given, variation }: OwnInputsOptions,
) {
  const { workflowId, steps } = workflow;
  const varied = (argument: GqlArgument, value: JsonValue, input: string) =>
    another(schema, argument, value, `${variation} ${workflowId} ${input}`);
  const other = variation === undefined ? defaults : replaceInputs(schema, workflow, defaults, given, varied);
  const fresh = freshInputs(schema, workflow, other, given);
  const inputs: Record<string, unknown> = replaceInputs(schema, workflow, fresh, given, ({ name }, value) =>
    names.has(name) ? ownerInPlaceOf(value, owner) : value,
  );
  const operationOf = operationsOfSteps(schema);
  const requests = new Map(steps.map((step) => [step.stepId, { step, operation: operationOf(step) }]));

  const isOwner = (value: unknown) => String(value) === owner;
  /** Makes an expression the id of the owner, and tells whether that is possible. */
  const claim = (expression: JsonValue | undefined): boolean => {
    const input = inputIn(expression);
    if (input !== undefined) {
      if (['string', 'number'].includes(typeof inputs[input]) && !Object.hasOwn(given, input))
        inputs[input] = ownerInPlaceOf(inputs[input], owner);
      return isOwner(inputs[input]);
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
      if (!Object.hasOwn(given, whole)) inputs[whole] = { ...members, [field]: ownerInPlaceOf(members[field], owner) };
      return isOwner((inputs[whole] as Values)[field]);
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
  /** Whether the owner that a request names is that owner, as far as the workflow decides it. */
  const isOwn = ({ name }: GqlOperation) => own.has(name);
  return { inputs: inputs as Inputs, isOwn };
}

/** Another value within the constraints of an argument; ids stay. */
function another(schema: GqlSchema, argument: GqlArgument, value: JsonValue, seed: string): JsonValue {
  if (baseName(argument.type) === 'ID') return value;
  const random = randomOf(`${seed} ${argument.name}`);
  return seedValue(schema, argument as GqlField, random, { row: 1, attempt: 0 }) ?? value;
}
