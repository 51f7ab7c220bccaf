import type { JsonValue } from '../graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf, namedType } from '../schema/schema-index.js';
import { isRequired } from './is-required.js';
import { boundedDepth, defaultDepth, hasSmallValue, isComposite } from './nesting.js';
import type { Selection } from './selection.js';

/**
 * An example value for an argument of this type: the example of the scalar table, an enum's first
 * value, a list of one, an input with all its fields to three levels (deeper fields are left out,
 * unless they are required), or with the first one if callers give exactly one of them. Never null,
 * so that a reader sees a valid value.
 */
export function exampleOf(schema: GqlSchema, type: TypeRef): JsonValue {
  const name = baseName(type);
  return wrap(type, exampleNamed(schema, name, boundedDepth(schema, 'input', name, defaultDepth)));
}

/** The example of one argument: its default if it has one, else an example of its type. */
export function exampleArgument(schema: GqlSchema, argument: GqlArgument): JsonValue {
  return argument.fallback ?? exampleOf(schema, argument.type);
}

/** Example values for all arguments, including optional ones. */
export function exampleArguments(
  schema: GqlSchema,
  args: readonly GqlArgument[],
): { readonly [name: string]: JsonValue } {
  return Object.fromEntries(args.map((argument) => [argument.name, exampleArgument(schema, argument)]));
}

/**
 * An example of the result of an operation for a selection (undefined for a scalar or an enum): the
 * constants of the fields that have one, else examples of their types; for a union its first member.
 */
export function exampleResult(schema: GqlSchema, type: TypeRef, selection: Selection | undefined): JsonValue {
  return wrap(
    type,
    selection === undefined ? exampleLeaf(schema, baseName(type)) : exampleSelected(schema, selection),
  );
}

// Frozen, because documents share the examples.
const inputExamples = new WeakMap<GqlSchema, Map<string, JsonValue>>();
const selectedExamples = new WeakMap<Selection, JsonValue>();

function exampleNamed(schema: GqlSchema, name: string, depth: number): JsonValue {
  const input = inputTypeOf(schema, name);
  if (input === undefined) return exampleLeaf(schema, name);
  let memo = inputExamples.get(schema);
  if (memo === undefined) {
    memo = new Map();
    inputExamples.set(schema, memo);
  }
  const key = `${depth} ${name}`;
  let example = memo.get(key);
  if (example === undefined) {
    const fields = input.oneOf ? input.fields.slice(0, 1) : input.fields;
    const values: Record<string, JsonValue> = {};
    for (const field of fields) {
      const isNested = isComposite(schema, baseName(field.type));
      if (depth > (isNested ? 1 : 0)) values[field.name] = exampleField(schema, field, depth);
      else if (input.oneOf || isRequired(field)) values[field.name] = smallestField(schema, field);
    }
    example = Object.freeze(values);
    memo.set(key, example);
  }
  return example;
}

function exampleField(schema: GqlSchema, field: GqlArgument, depth: number): JsonValue {
  return field.fallback ?? wrap(field.type, exampleNamed(schema, baseName(field.type), depth - 1));
}

/** A required field below the last level: an empty list, or an input with no more than its required fields. */
function smallestField(schema: GqlSchema, { type }: GqlArgument): JsonValue {
  if (nullable(type).kind === 'list') return [];
  const name = baseName(type);
  return isComposite(schema, name) && !hasSmallValue(schema, name) ? {} : exampleNamed(schema, name, 0);
}

function exampleSelected(schema: GqlSchema, selection: Selection): JsonValue {
  let example = selectedExamples.get(selection);
  if (example === undefined) {
    example = buildSelected(schema, selection);
    selectedExamples.set(selection, example);
  }
  return example;
}

function buildSelected(schema: GqlSchema, selection: Selection): JsonValue {
  const [first] = selection.members;
  const example: Record<string, JsonValue> = {};
  if (selection.typename) example.__typename = first?.selection.type ?? selection.type;
  if (first !== undefined) {
    return Object.freeze(Object.assign(example, exampleSelected(schema, first.selection)));
  }
  const fields = objectFields(schema, selection.type);
  let at = 0;
  for (const { name, selection: inner } of selection.fields) {
    // A selection keeps the order of the fields.
    while (fields[at]?.name !== name) at++;
    const { type, fallback } = fields[at] as GqlField;
    example[name] = fallback ?? exampleResult(schema, type, inner);
  }
  return Object.freeze(example);
}

function objectFields(schema: GqlSchema, name: string): readonly GqlField[] {
  const found = namedType(schema, name);
  return found.kind === 'object' ? found.type.fields : [];
}

function exampleLeaf(schema: GqlSchema, name: string): JsonValue {
  const found = namedType(schema, name);
  if (found.kind === 'builtin') return found.wire.example;
  if (found.kind === 'scalar' && found.wire !== undefined) return found.wire.example;
  return found.kind === 'enum' ? (found.type.values[0] ?? null) : 'text';
}

function wrap(type: TypeRef, value: JsonValue): JsonValue {
  if (type.kind === 'named') return value;
  return type.kind === 'list' ? [wrap(type.of, value)] : wrap(type.of, value);
}
