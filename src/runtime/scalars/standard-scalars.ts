import { type GraphQLScalarType, Kind, print, type ValueNode } from 'graphql';
import { shownValue } from '../../base/diagnostics/shown-value.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import {
  fileScalar,
  isStandardValue,
  type StandardScalar,
  standardScalars,
} from '../../compiler/graph/standard-scalars.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { UploadedFile } from '../uploads/uploaded-file.js';

export interface ScalarImplementation {
  readonly serialize: (value: unknown) => unknown;
  readonly parseValue: (value: unknown) => unknown;
  readonly parseLiteral: (...args: never) => unknown;
  /** In place of `parseLiteral` in graphql-js 17. */
  readonly coerceInputLiteral?: (...args: never) => unknown;
  /** Whether its conversions are those of a standard scalar, which have no side effects. */
  readonly isStandard?: true;
}

/** The conversions of a standard scalar at run time. They throw for a value that is not valid. */
interface Conversions {
  /** The value that resolvers receive. The JSON form was checked by the table. */
  readonly parse: (json: JsonValue) => unknown;
  /** The JSON form of a value that a resolver returned. */
  readonly serialize: (value: unknown) => unknown;
}

/**
 * The implementations of the standard scalars that a schema uses, as the last map of resolvers: a scalar that users or
 * layers give wins. The package `graphql-scalars` is loaded for the first schema that uses one.
 *
 * The table of the compiler is checked in front of the package, which accepts values that the OpenAPI document does
 * not describe, such as the text `"12"` for a PositiveInt. The JSON form is the same over GraphQL and REST.
 */
export async function loadStandardScalars({ scalars }: GqlSchema) {
  const used = scalars.filter(({ standard }) => standard === true);
  if (used.length === 0) return [];
  const { resolvers: library } = await import('graphql-scalars');
  const implement = (name: string): readonly [string, ScalarImplementation] => {
    if (name === fileScalar) return [name, fileImplementation];
    const scalar = standardScalars.get(name) as StandardScalar;
    const conversions = own[name] ?? (library as Readonly<Record<string, GraphQLScalarType>>)[name];
    if (conversions === undefined) throw new Error(`invariant: the scalar ${name} has no implementation`);
    return [name, implementation(name, scalar, 'parse' in conversions ? conversions : fromLibrary(conversions))];
  };
  return [Object.fromEntries(used.map(({ name }) => implement(name)))];
}

/** A file is a part of a request. No JSON value is one, and no resolver returns one. */
const fileImplementation: ScalarImplementation = {
  isStandard: true,
  serialize: refuseFile,
  parseValue: (value) => (value instanceof UploadedFile ? value : refuseFile()),
  parseLiteral: refuseFile,
  coerceInputLiteral: refuseFile,
};

function refuseFile(): never {
  throw new TypeError('A File is a part of multipart/form-data, not a value of JSON.');
}

function fromLibrary(scalar: GraphQLScalarType): Conversions {
  // The package turns a Date or a Time into a moment, which depends on the time zone and the day of the server.
  const isText = standardScalars.get(scalar.name)?.given === 'string';
  return {
    parse(json) {
      const value = scalar.parseValue(json);
      return isText ? json : value;
    },
    serialize: (value) => scalar.serialize(value),
  };
}

function implementation(name: string, scalar: StandardScalar, { parse, serialize }: Conversions): ScalarImplementation {
  // The errors of the package are those of graphql-js, whose messages are not masked and quote the value.
  const convert = (value: unknown, work: () => unknown): unknown => {
    try {
      return work();
    } catch (cause) {
      const example = JSON.stringify(scalar.example);
      const message = `${name} cannot represent ${shownValue(value)}. A valid value is ${example}.`;
      throw new TypeError(message, { cause });
    }
  };
  const read = (value: unknown): unknown =>
    convert(value, () => {
      const json = jsonOf(value);
      if (!isStandardValue(scalar, json)) throw new TypeError(`not a ${name}`);
      return parse(json);
    });
  return {
    isStandard: true,
    serialize: (value) => convert(value, () => serialize(value)),
    parseValue: read,
    parseLiteral: (node: ValueNode, variables?: Readonly<Record<string, unknown>> | null) =>
      read(literalJson(scalar, node, variables ?? {})),
    coerceInputLiteral: (node: ValueNode) => read(literalJson(scalar, node, {})),
  };
}

/** In a variable of `executeOperation`, a value may be what a resolver returns rather than its JSON form. */
function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'bigint') return String(value);
  return (value instanceof Date || value instanceof URL ? value.toJSON() : value) as JsonValue;
}

/** A literal as JSON. A number keeps all its digits if the JSON form is text. */
function literalJson(scalar: StandardScalar, node: ValueNode, variables: Readonly<Record<string, unknown>>): JsonValue {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return scalar.isDigits === true ? node.value : Number(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((item) => literalJson(scalar, item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, literalJson(scalar, value, variables)]),
      );
    case Kind.VARIABLE:
      return (variables[node.name.value] ?? null) as JsonValue;
    default:
      throw new TypeError(`${print(node)} is not a value.`);
  }
}

const integerText = /^-?\d+$/;

const largeInteger: Conversions = {
  parse: (json) => BigInt(json as string | number),
  serialize(value) {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string' && integerText.test(value)) return value;
    throw new TypeError('not an integer with all its digits');
  },
};

/** The scalars whose JSON form the package does not have, or does not keep. */
const own: Readonly<Record<string, Conversions>> = {
  BigInt: largeInteger,
  Long: largeInteger,
  Byte: {
    parse: (json) => Buffer.from(json as string, 'base64'),
    serialize: checked('Byte', 'neither bytes nor base64', (value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  },
  Decimal: { parse: (json) => json, serialize: checked('Decimal', 'not a decimal number', decimalText) },
  Timestamp: {
    parse: (json) => json,
    serialize: checked('Timestamp', 'not a number of milliseconds', (value) =>
      value instanceof Date ? value.getTime() : value,
    ),
  },
  USCurrency: {
    parse: (json) => Math.round(Number((json as string).slice(1)) * 100),
    serialize: checked('USCurrency', 'not a number of cents', (value) =>
      typeof value === 'number' ? `$${(value / 100).toFixed(2)}` : value,
    ),
  },
};

/** The serialization of a scalar whose JSON form the table of the compiler checks. */
function checked(name: string, problem: string, toJson: (value: unknown) => unknown) {
  return (value: unknown): unknown => {
    const json = toJson(value);
    if (isStandardValue(standardScalars.get(name) as StandardScalar, json as JsonValue)) return json;
    throw new TypeError(problem);
  };
}

/** Objects of libraries for decimal numbers have `toFixed`, which writes no exponent. */
function decimalText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const { toFixed } = value as { readonly toFixed?: unknown };
  return typeof toFixed === 'function' ? toFixed.call(value) : String(value);
}
