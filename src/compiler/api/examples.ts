import type { JsonObject, JsonValue } from '../graph/json-value.js';
import { perObject, remember } from '../graph/maps.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { indexSchema, inputTypeOf, isComposite, isStored, namedType, objectFields } from '../schema/schema-index.js';
import { type ExamplePlace, exampleId, exampleNumber, exampleScalar, exampleText } from './example-values.js';
import { isRequired } from './is-required.js';
import { boundedDepth, hasSmallValue } from './nesting.js';
import type { Selection } from './selection.js';

/**
 * The example of one argument: its `@example`, else its default, else a value by its type and its name, within its
 * constraints: an enum's first value, a list of one, an input with all its fields to three levels (deeper fields are
 * left out, unless they are required), or with the first one if callers give exactly one of them. Never null, so that a
 * reader sees a valid value. A stored object within an input has no `id`, unless it is required: a store inserts it, and an
 * example that is sent twice must not insert the same row twice.
 */
export function exampleArgument(schema: GqlSchema, argument: GqlArgument): JsonValue {
  const name = baseName(argument.type);
  return exampleField(schema, argument, 1 + boundedDepth(schema, 'input', name));
}

/** Whether an example of the operation passes the argument: of those of a page, only `first`. */
export function isExemplary({ page }: GqlOperation, { name }: GqlArgument): boolean {
  return page === undefined || !['after', 'last', 'before'].includes(name);
}

/** Example values for all arguments, including optional ones. */
export function exampleArguments(schema: GqlSchema, args: readonly GqlArgument[]): JsonObject {
  return Object.fromEntries(args.map((argument) => [argument.name, exampleArgument(schema, argument)]));
}

/**
 * An example of the result of an operation for a selection (undefined for a scalar or an enum): the examples and the
 * constants of the fields that have one, else values by their types and names; for a union its first member.
 */
export function exampleResult(
  schema: GqlSchema,
  type: TypeRef,
  selection: Selection | undefined,
  place: ExamplePlace = unnamed,
): JsonValue {
  const value =
    selection === undefined ? exampleLeaf(schema, baseName(type), place) : exampleSelected(schema, selection);
  return wrap(type, value, place);
}

/** The place of a result, which has no name of its own. */
const unnamed: ExamplePlace = { name: '' };

// Frozen, because documents share the examples.
const inputExamples = perObject((_: GqlSchema) => new Map<string, JsonValue>());
const selectedExamples = new WeakMap<Selection, JsonValue>();

function exampleNamed(schema: GqlSchema, name: string, depth: number, place: ExamplePlace, isInner = false): JsonValue {
  const input = inputTypeOf(schema, name);
  if (input === undefined) return exampleLeaf(schema, name, place);
  return remember(inputExamples(schema), `${depth} ${isInner} ${name}`, () => {
    const values: Record<string, JsonValue> = {};
    const mirrored = isInner && !input.oneOf ? indexSchema(schema).types.get(input.of ?? '') : undefined;
    const isInserted = mirrored?.kind === 'object' && isStored(mirrored.type);
    for (const field of input.oneOf ? input.fields.slice(0, 1) : input.fields) {
      if (isInserted && field.name === 'id' && !isRequired(field)) continue;
      const isNested = isComposite(schema, baseName(field.type));
      if (depth > (isNested ? 1 : 0)) values[field.name] = exampleField(schema, field, depth, true);
      else if (input.oneOf || isRequired(field)) values[field.name] = smallestField(schema, field);
    }
    return Object.freeze(values);
  });
}

function exampleField(schema: GqlSchema, field: GqlArgument, depth: number, isInner = false): JsonValue {
  const { type, fallback, examples } = field;
  const given = examples?.[0] ?? fallback;
  return given ?? wrap(type, exampleNamed(schema, baseName(type), depth - 1, field, isInner), field);
}

/** A required field below the last level: an empty list, or an input with no more than its required fields. */
function smallestField(schema: GqlSchema, field: GqlArgument): JsonValue {
  const { type, constraints } = field;
  if (nullable(type).kind === 'list' && constraints?.minItems === undefined) return [];
  const name = baseName(type);
  return isComposite(schema, name) && !hasSmallValue(schema, name)
    ? {}
    : wrap(type, exampleNamed(schema, name, 0, field), field);
}

function exampleSelected(schema: GqlSchema, selection: Selection): JsonValue {
  return remember(selectedExamples, selection, () => {
    const [first] = selection.members;
    const example: Record<string, JsonValue> = {};
    if (selection.typename) example.__typename = first?.selection.type ?? selection.type;
    if (first !== undefined) return Object.freeze(Object.assign(example, exampleSelected(schema, first.selection)));
    const fields = objectFields(schema, selection.type);
    let at = 0;
    for (const { name, selection: inner } of selection.fields) {
      // A selection keeps the order of the fields.
      while (fields[at]?.name !== name) at++;
      const field = fields[at] as GqlField;
      const given = field.examples?.[0] ?? field.fallback;
      example[name] = given ?? exampleResult(schema, field.type, inner, field);
    }
    return Object.freeze(example);
  });
}

function exampleLeaf(schema: GqlSchema, name: string, place: ExamplePlace): JsonValue {
  const found = namedType(schema, name);
  if (found.kind === 'enum') return found.type.values[0] ?? null;
  if (found.kind === 'scalar') return found.wire?.example ?? exampleScalar(name, place);
  if (name === 'Boolean') return true;
  if (name === 'ID') return exampleId(place);
  return name === 'String' ? exampleText(place) : exampleNumber(place, name === 'Int');
}

/** A list has one element, or as many as its constraints say. */
function wrap(type: TypeRef, value: JsonValue, { constraints }: ExamplePlace): JsonValue {
  const bare = nullable(type);
  if (bare.kind === 'named') return value;
  const { minItems = 0, maxItems = 1 } = constraints ?? {};
  const length = Math.min(Math.max(minItems, Math.min(maxItems, 1)), mostItems);
  return Array.from({ length }, () => wrap(bare.of, value, unnamed));
}

/** A longer list of equal values would not make a better example. */
const mostItems = 20;
