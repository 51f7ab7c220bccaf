import { placeArguments, restRoute } from '../../compiler/api/rest-routes.js';
import type { ArazzoStep } from '../../compiler/emit/arazzo/format.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { baseName, nullable } from '../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { inputTypeOf, isComposite } from '../../compiler/schema/schema-index.js';
import { queryParameterStyle } from '../../compiler/schema/wire.js';
import { evaluate, type Facts } from './expressions.js';

export type Values = Readonly<Record<string, JsonValue>>;

/** The arguments of an operation in the request of a step: their values, which are expressions or have them inside. */
export function argumentsIn(operation: GqlOperation, step: ArazzoStep): Values {
  const found: Record<string, JsonValue> = { ...(step.requestBody?.payload as Values | undefined) };
  const inPath = [...placeArguments(restRoute(operation)).path];
  for (const { name, in: place, value } of step.parameters ?? []) {
    const [start = '', field] = name.split(/[[\]]/);
    const argument =
      place === 'path'
        ? // Paths of one shape share the names of their parameters.
          inPath.shift()
        : operation.arguments.find((one) => (place === 'header' ? one.header === name : one.name === start));
    if (argument === undefined) continue;
    found[argument.name] =
      field === undefined ? value : { ...(found[argument.name] as Values | undefined), [field]: value };
  }
  return found;
}

/** The values of the arguments in the request of a step. */
export function valuesOf(schema: GqlSchema, operation: GqlOperation, step: ArazzoStep, facts: Facts): Values {
  const values = evaluate(argumentsIn(operation, step), facts) as Values;
  const isBody = (name: string) =>
    step.requestBody !== undefined && Object.hasOwn(step.requestBody.payload as object, name);
  const typed = operation.arguments.flatMap((argument) => {
    const { name, type } = argument;
    if (!Object.hasOwn(values, name)) return [];
    const value = values[name] as JsonValue;
    const isText = !isBody(name) && queryParameterStyle(schema, type) === 'json' && typeof value === 'string';
    return [[name, isText ? (JSON.parse(value) as JsonValue) : value] as const];
  });
  return Object.fromEntries(typed);
}

/** Replaces the values of inputs, and of their fields, that stand in the arguments of a step. */
export type Replace = (argument: GqlArgument, value: JsonValue) => JsonValue;

/** The id of an owner in place of another value, as a number in place of one. */
export function ownerInPlaceOf(value: unknown, owner: string): JsonValue {
  return typeof value === 'number' && !Number.isNaN(Number(owner)) ? Number(owner) : owner;
}

/** Replaces each leaf of a value of an argument. */
export function replaceLeaves(schema: GqlSchema, argument: GqlArgument, value: JsonValue, replace: Replace): JsonValue {
  const bare = nullable(argument.type);
  if (value === null) return value;
  // An expression stands for a whole list.
  if (bare.kind === 'list')
    return Array.isArray(value)
      ? value.map((item: JsonValue) => replaceLeaves(schema, { ...argument, type: bare.of }, item, replace))
      : replace(argument, value);
  if (!isComposite(schema, bare.name) || typeof value !== 'object') return replace(argument, value);
  const { fields = [] } = inputTypeOf(schema, baseName(bare)) ?? {};
  const members = Object.entries(value as Values).map(([name, inner]) => {
    const field = fields.find((one) => one.name === name);
    return [name, field === undefined ? inner : replaceLeaves(schema, field, inner, replace)] as const;
  });
  return Object.fromEntries(members);
}
