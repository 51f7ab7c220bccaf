import { randomOf, seedValue } from '../../analysis/store/seed-values.js';
import { uniqueArguments } from '../../analysis/store/unique-arguments.js';
import type { ArazzoWorkflow } from '../../compiler/emit/arazzo/format.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Facts } from './expressions.js';
import { argumentsIn, replaceLeaves } from './step-arguments.js';
import { operationsOfSteps } from './step-operations.js';

export type Inputs = Facts['inputs'];

/**
 * Replaces the values of inputs, and of their fields, wherever the requests of a workflow send them. The inputs that the user
 * has given stay.
 */
export function replaceInputs(
  schema: GqlSchema,
  { steps }: ArazzoWorkflow,
  inputs: Inputs,
  given: Readonly<Record<string, unknown>>,
  replace: (argument: GqlArgument, value: JsonValue, input: string) => JsonValue,
): Inputs {
  const replaced: Record<string, unknown> = { ...inputs };
  const operationOf = operationsOfSteps(schema);
  for (const step of steps) {
    const operation = operationOf(step);
    const values = argumentsIn(operation, step);
    for (const argument of operation.arguments) {
      replaceLeaves(schema, argument, values[argument.name] ?? null, (leaf, expression) => {
        const input = inputIn(expression);
        if (input !== undefined && !Object.hasOwn(given, input))
          replaced[input] = replaceLeaves(schema, leaf, replaced[input] as JsonValue, (one, value) =>
            replace(one, value, input),
          );
        return expression;
      });
    }
  }
  return replaced;
}

/** The input that an expression names. */
export function inputIn(expression: unknown): string | undefined {
  return /^\$inputs\.(\w+)$/.exec(String(expression))?.[1];
}

/**
 * Gives inputs whose values a store keeps unique other values: the examples would be refused from the second run on. Further
 * inputs of the same name and value, such as that of a query for the new row, follow.
 *
 * @param make - Makes another value; undefined keeps the example.
 */
export function freshInputs(
  schema: GqlSchema,
  workflow: ArazzoWorkflow,
  inputs: Inputs,
  given: Readonly<Record<string, unknown>>,
  make: (argument: GqlArgument, value: JsonValue) => JsonValue | undefined = newValue(schema),
): Inputs {
  const unique = uniqueArguments(schema);
  if (unique.size === 0) return inputs;
  const made = new Map<string, JsonValue>();
  const keyOf = ({ name }: GqlArgument, value: JsonValue) => `${name} ${JSON.stringify(value)}`;
  const fresh = replaceInputs(schema, workflow, inputs, given, (argument, value) => {
    const other = unique.has(argument) ? make(argument, value) : undefined;
    if (other !== undefined) made.set(keyOf(argument, value), other);
    return other ?? value;
  });
  return replaceInputs(schema, workflow, fresh, given, (argument, value) => made.get(keyOf(argument, value)) ?? value);
}

/** Makes values within the constraints of arguments, which are unlikely to be there. */
function newValue(schema: GqlSchema): (argument: GqlArgument) => JsonValue | undefined {
  const random = randomOf(crypto.randomUUID());
  return (argument) =>
    baseName(argument.type) === 'ID' && argument.constraints === undefined
      ? crypto.randomUUID()
      : seedValue(schema, argument as GqlField, random, { row: 1, attempt: 1_000_000 });
}
