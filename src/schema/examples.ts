import type { JsonValue } from '../graph/json-value.js';
import { baseName, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlSchema } from './gql-schema.js';
import { boundedDepth, defaultDepth, isComposite } from './nesting.js';
import { inputTypeOf, namedType } from './schema-index.js';
import type { Selection } from './selection.js';

/**
 * An example value for an argument of this type: the example of the scalar table, an enum's first
 * value, a list of one, an input with all its fields to three levels (what is nested deeper is left
 * out). Always a value, never null, so that a reader sees what belongs there.
 */
export function exampleOf(schema: GqlSchema, type: TypeRef): JsonValue {
  const name = baseName(type);
  return wrap(type, exampleNamed(schema, name, boundedDepth(schema, 'input', name, defaultDepth)));
}

/** The example of one argument: its default where one is declared, else an example of its type. */
export function exampleArgument(schema: GqlSchema, argument: GqlArgument): JsonValue {
  return declared(schema, argument.type, argument.fallback) ?? exampleOf(schema, argument.type);
}

/** Example values for all arguments, optional ones too: a call that shows everything one can say. */
export function exampleArguments(
  schema: GqlSchema,
  args: readonly GqlArgument[],
): { readonly [name: string]: JsonValue } {
  return Object.fromEntries(args.map((argument) => [argument.name, exampleArgument(schema, argument)]));
}

/**
 * An example of what an operation answers for a selection (undefined for a scalar or an enum): the
 * constants of the fields where they have one, else examples of their types; of a union its first member.
 */
export function exampleResult(schema: GqlSchema, type: TypeRef, selection: Selection | undefined): JsonValue {
  return wrap(
    type,
    selection === undefined ? exampleLeaf(schema, baseName(type)) : exampleSelected(schema, selection),
  );
}

/**
 * A declared default or constant as JSON of its type: an ID as text, one value for a list as a list of
 * one. Undefined when nothing (or null) is declared or the value doesn't fit, which GraphQL would refuse.
 */
export function declared(
  schema: GqlSchema,
  type: TypeRef,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  if (type.kind === 'nonNull') return declared(schema, type.of, value);
  if (type.kind === 'list') {
    const given: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    const read = given.map((element) => (element === null ? null : declared(schema, type.of, element)));
    return read.every((element) => element !== undefined) ? read : undefined;
  }
  const found = namedType(schema, type.name);
  if (found.kind === 'builtin') return found.wire.fromJson(value);
  if (found.kind === 'enum') return found.type.values.includes(value as string) ? value : undefined;
  return value;
}

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
    example = Object.fromEntries(
      input.fields
        .filter((field) => depth > 1 || !isComposite(schema, baseName(field.type)))
        .map((field) => [field.name, exampleField(schema, field, depth)]),
    );
    memo.set(key, example);
  }
  return example;
}

function exampleField(schema: GqlSchema, field: GqlArgument, depth: number): JsonValue {
  return (
    declared(schema, field.type, field.fallback) ??
    wrap(field.type, exampleNamed(schema, baseName(field.type), depth - 1))
  );
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
  const typename = { __typename: first?.selection.type ?? selection.type };
  if (first !== undefined) {
    return { ...typename, ...(exampleSelected(schema, first.selection) as Record<string, JsonValue>) };
  }
  const found = namedType(schema, selection.type);
  const fields = new Map<string, GqlField>();
  if (found.kind === 'object') for (const field of found.type.fields) fields.set(field.name, field);
  const values: Record<string, JsonValue> = selection.typename ? { ...typename } : {};
  for (const { name, selection: inner } of selection.fields) {
    const field = fields.get(name) as GqlField;
    values[name] = declared(schema, field.type, field.constant) ?? exampleResult(schema, field.type, inner);
  }
  return values;
}

function exampleLeaf(schema: GqlSchema, name: string): JsonValue {
  const found = namedType(schema, name);
  if (found.kind === 'builtin') return found.wire.example;
  return found.kind === 'enum' ? (found.type.values[0] ?? null) : 'text';
}

function wrap(type: TypeRef, value: JsonValue): JsonValue {
  if (type.kind === 'named') return value;
  return type.kind === 'list' ? [wrap(type.of, value)] : wrap(type.of, value);
}
