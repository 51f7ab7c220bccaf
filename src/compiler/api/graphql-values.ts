import type { JsonValue } from '../graph/json-value.js';
import { nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { builtinScalars } from '../schema/scalars.js';
import { inputTypeOf, namedType } from '../schema/schema-index.js';
import { printString } from './graphql-strings.js';

/** Writes a default as a GraphQL literal of its type: enum values bare, numbers with all their digits. */
export function printValue(schema: GqlSchema, type: TypeRef, value: JsonValue): string {
  if (value === null) return 'null';
  const bare = nullable(type);
  if (bare.kind === 'list') {
    const items = value as readonly JsonValue[];
    return `[${items.map((item) => printValue(schema, bare.of, item)).join(', ')}]`;
  }
  if (builtinScalars.has(bare.name)) return printUntyped(value);
  const input = inputTypeOf(schema, bare.name);
  if (input === undefined) {
    return namedType(schema, bare.name).kind === 'enum' ? String(value) : printUntyped(value);
  }
  const given = value as { readonly [name: string]: JsonValue };
  const fields = input.fields.filter(({ name }) => Object.hasOwn(given, name));
  const printed = fields.map(
    (field) => `${field.name}: ${printValue(schema, field.type, given[field.name] as JsonValue)}`,
  );
  return `{${printed.join(', ')}}`;
}

/** Writes a value by its own type, for a custom scalar, which accepts any literal. */
function printUntyped(value: JsonValue): string {
  if (typeof value === 'string') return printString(value);
  // JSON numbers are GraphQL numbers, exponents included; only negative zero loses its sign.
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(printUntyped).join(', ')}]`;
  const fields = Object.entries(value as Record<string, JsonValue>);
  return `{${fields.map(([name, inner]) => `${name}: ${printUntyped(inner)}`).join(', ')}}`;
}
