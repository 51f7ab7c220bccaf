import type { JsonObject, JsonValue } from './json-value.js';

/** The form of a built-in or standard scalar outside GraphQL, for the OpenAPI document and REST coercion alike. */
export interface ScalarWire {
  /** The JSON Schema (2020-12) of a non-null value. */
  readonly jsonSchema: JsonObject;
  /** The JSON Schema of a value in a JSON body, if more is accepted than `jsonSchema` describes. */
  readonly inputJsonSchema?: JsonObject;
  /** A valid value, for examples. */
  readonly example: JsonValue;
  /** Reads a value from a query string; undefined if the text is invalid. */
  readonly fromText: (text: string) => JsonValue | undefined;
  /** Reads a value from a JSON body; undefined if it is invalid. Coerces like GraphQL input. */
  readonly fromJson: (value: JsonValue) => JsonValue | undefined;
  /** The expected type, for messages: `a 32-bit integer`. */
  readonly expected: string;
}

/** The five scalars of GraphQL (October 2021, section 3.5), by name. */
export const builtinScalars: ReadonlyMap<string, ScalarWire> = new Map(
  Object.entries<ScalarWire>({
    ID: {
      jsonSchema: { type: 'string' },
      inputJsonSchema: { type: ['string', 'integer'] },
      example: '1',
      fromText: (text) => text,
      fromJson: (value) =>
        typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined,
      expected: 'an ID: a string or an integer',
    },
    String: {
      jsonSchema: { type: 'string' },
      example: 'text',
      fromText: (text) => text,
      fromJson: (value) => (typeof value === 'string' ? value : undefined),
      expected: 'a string',
    },
    Int: {
      jsonSchema: { type: 'integer', format: 'int32' },
      example: 1,
      fromText: (text) => (/^[+-]?\d+$/.test(text) ? int32(Number(text)) : undefined),
      fromJson: (value) => (typeof value === 'number' ? int32(value) : undefined),
      expected: 'a 32-bit integer',
    },
    Float: {
      jsonSchema: { type: 'number', format: 'double' },
      example: 1.5,
      fromText: (text) => (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? finite(Number(text)) : undefined),
      fromJson: (value) => (typeof value === 'number' ? finite(value) : undefined),
      expected: 'a number',
    },
    Boolean: {
      jsonSchema: { type: 'boolean' },
      example: true,
      fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
      fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
      expected: 'true or false',
    },
  }),
);

/** The names of the five scalars that GraphQL has by itself (October 2021, section 3.5). */
export const builtinScalarNames: ReadonlySet<string> = new Set(builtinScalars.keys());

function int32(value: number): number | undefined {
  return (value | 0) === value ? value | 0 : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
