import type { JsonValue } from '../../graph/json-value.js';
import { nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, namedType } from '../../schema/schema-index.js';
import { printString } from './strings.js';

/**
 * Writes a default as a GraphQL literal of its type: the values of enums bare, texts quoted, numbers
 * with all their digits.
 */
export function printValue(schema: GqlSchema, type: TypeRef, value: JsonValue): string {
  if (value === null) return 'null';
  const bare = nullable(type);
  if (bare.kind === 'list') {
    if (!Array.isArray(value)) return printValue(schema, bare.of, value);
    return `[${value.map((element: JsonValue) => printValue(schema, bare.of, element)).join(', ')}]`;
  }
  const input = inputTypeOf(schema, bare.name);
  if (input === undefined) {
    const isEnum = namedType(schema, bare.name).kind === 'enum';
    return isEnum && typeof value === 'string' ? value : printUntyped(value);
  }
  const types = new Map(input.fields.map((field) => [field.name, field.type]));
  const fields = Object.entries(value as Record<string, JsonValue>).map(([name, inner]) => {
    const of = types.get(name);
    return `${name}: ${of === undefined ? printUntyped(inner) : printValue(schema, of, inner)}`;
  });
  return `{${fields.join(', ')}}`;
}

/** Writes a value by its own shape, as for a custom scalar, which takes any literal. */
function printUntyped(value: JsonValue): string {
  if (typeof value === 'string') return printString(value);
  // JSON numbers are GraphQL numbers, exponents included; only negative zero loses its sign.
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(printUntyped).join(', ')}]`;
  const fields = Object.entries(value as Record<string, JsonValue>);
  return `{${fields.map(([name, inner]) => `${name}: ${printUntyped(inner)}`).join(', ')}}`;
}
