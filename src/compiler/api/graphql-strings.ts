import { builtinScalarNames } from '../graph/builtin-scalars.js';
import type { JsonObject, JsonValue } from '../graph/json-value.js';
import { nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf, namedType } from '../schema/schema-index.js';

/** Writes a text as a GraphQL string literal (October 2021, section 2.9.4). */
export function printString(text: string): string {
  return `"${escapeString(text)}"`;
}

/** The inside of a string literal. A lone surrogate, which GraphQL rejects, becomes U+FFFD. */
export function escapeString(text: string): string {
  return needsEscape.test(text) ? text.replace(loneSurrogate, '\ufffd').replace(escaped, escapeOf) : text;
}

/**
 * Writes a description, each line behind `indent`, with a final line break; empty when there is none. A short text is
 * on one line between triple quotes, a longer one is a block. A text that a block string would change (indented or
 * blank at its ends, control characters) is a quoted string. The layout is the one that graphql-js prints, so that
 * formatting the SDL changes nothing.
 */
export function printDescription(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  if (text.length <= 70 && plain.test(text)) return `${indent}"""${text}"""\n`;
  if (!fitsBlock(text)) return `${indent}${printString(text)}\n`;
  const lines = text.replace(/"""/g, '\\"""').replace(/\n/g, `\n${indent}`);
  const short = text.length <= 70 && !text.includes('\n') && !/["\\]$/.test(text);
  return short ? `${indent}"""${lines}"""\n` : `${indent}"""\n${indent}${lines}\n${indent}"""\n`;
}

/** Texts that need no escaping: printable ASCII without quotes and backslashes, no blank at either end. */
const plain = /^[!#-[\]-~](?:[ !#-[\]-~]*[!#-[\]-~])?$/;

const escaped = /[\x00-\x1f"\\\x7f-\x9f]/g;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const needsEscape = /[\x00-\x1f"\\\x7f-\x9f\ud800-\udfff]/;

/** The short escapes are those of JSON, such as `\n`. */
function escapeOf(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  return short.length === 2 ? short : `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether a block string preserves this text exactly, in spite of dedenting and trimming. */
function fitsBlock(text: string): boolean {
  if (/[\x00-\x08\x0b-\x1f\x7f-\x9f]|^[ \t\n]|\n[ \t]*$/.test(text)) return false;
  return text.search(loneSurrogate) === -1;
}

/** Writes a default as a GraphQL literal of its type: enum values bare, numbers with all their digits. */
export function printValue(schema: GqlSchema, type: TypeRef, value: JsonValue): string {
  if (value === null) return 'null';
  const bare = nullable(type);
  if (bare.kind === 'list') {
    const items = value as readonly JsonValue[];
    return `[${items.map((item) => printValue(schema, bare.of, item)).join(', ')}]`;
  }
  if (builtinScalarNames.has(bare.name)) return printUntyped(value);
  const input = inputTypeOf(schema, bare.name);
  if (input === undefined) return namedType(schema, bare.name).kind === 'enum' ? String(value) : printUntyped(value);
  const given = value as JsonObject;
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
