import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName, nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { inputTypeOf } from '../../../compiler/schema/schema-index.js';
import { queryParameterStyle } from '../../../compiler/schema/wire.js';
import { JsonRefusal, parseJson } from '../../limits/parse-json.js';
import {
  type CoercionContext,
  readJson,
  readText,
  refuse,
  refuseUnknown,
  requireNothing,
  requireOne,
} from '../coerce.js';
import { ProblemError } from '../problem.js';

/** The pairs of a query string: each name, followed by its value. A request has few, so a map would cost more. */
type QueryPairs = readonly string[];

/**
 * Splits a query string into pairs, as `URLSearchParams` does. Text that is not percent-encoded UTF-8 is refused;
 * `URLSearchParams` would insert replacement characters.
 *
 * @param query - Without its question mark.
 * @throws {ProblemError} 400 if it is not encoded correctly.
 */
export function splitQuery(query: string): QueryPairs {
  let pairs: string[] = noPairs;
  const decode = /[%+]/.test(query) ? decodeStrictly : asIs;
  for (let at = 0; at < query.length; ) {
    const next = query.indexOf('&', at);
    const end = next === -1 ? query.length : next;
    if (end > at) {
      const equals = query.indexOf('=', at);
      const isBare = equals === -1 || equals > end;
      const name = decode(query.slice(at, isBare ? end : equals));
      const value = isBare ? '' : decode(query.slice(equals + 1, end));
      // A list that begins with its first members takes a tenth of the memory of one that grows from nothing.
      if (pairs === noPairs) pairs = [name, value];
      else pairs.push(name, value);
    }
    at = end + 1;
  }
  return pairs;
}

const noPairs: string[] = [];

/** The values of a name, in order; undefined if there are none. */
export function valuesOf(pairs: QueryPairs, name: string): readonly string[] | undefined {
  let values: string[] | undefined;
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at] !== name) continue;
    const value = pairs[at + 1] as string;
    if (values === undefined) values = [value];
    else values.push(value);
  }
  return values;
}

/**
 * Makes the reader of the arguments of an operation. `schema/wire.ts` defines the style of each argument. The reader
 * does not add omitted arguments: the schema has their defaults.
 *
 * @param own - The names of the route's own parameters, which are not arguments.
 * @throws {ProblemError} If an argument is unknown, missing, repeated or of another type.
 */
export function createQueryReader(schema: GqlSchema, declarations: readonly GqlArgument[], own: readonly string[]) {
  const readers = declarations.map((argument) => ({ argument, ...createArgumentReader(schema, argument) }));
  const known = new Set([...readers.flatMap(({ keys }) => keys), ...own]);
  return (context: CoercionContext, pairs: QueryPairs): Record<string, JsonValue> => {
    const args: Record<string, JsonValue> = {};
    for (const { argument, read } of readers) {
      const value = read(context, pairs);
      if (value !== undefined) args[argument.name] = value;
    }
    for (let at = 0; at < pairs.length; at += 2) {
      const name = pairs[at] as string;
      if (!known.has(name)) refuseUnknown(context, name, known);
    }
    // Last, so that a mistyped name is reported as unknown rather than the correct one as missing.
    for (const { argument } of readers)
      if (!Object.hasOwn(args, argument.name)) requireNothing(context, argument.name, argument.type, argument.fallback);
    return args;
  };
}

interface ArgumentReader {
  /** The names in the query string that belong to the argument. */
  readonly keys: readonly string[];
  read(context: CoercionContext, pairs: QueryPairs): JsonValue | undefined;
}

export function createArgumentReader(
  schema: GqlSchema,
  argument: GqlArgument,
  style = queryParameterStyle(schema, argument.type),
): ArgumentReader {
  const { name, type } = argument;
  const base = baseName(type);
  const isList = nullable(type).kind === 'list';
  if (style === 'deepObject') return createObjectReader(schema, argument);
  const readValues = (context: CoercionContext, values: readonly string[]): JsonValue => {
    if (style === 'text') return readText(context, base, single(context, name, values), name);
    if (isList && values.length === 1 && values[0] === '') return [];
    if (style === 'json') return readJsonText(context, argument, name, single(context, name, values));
    return values.map((value, at) => readText(context, base, value, `${name}[${at}]`));
  };
  return {
    keys: [name],
    read(context, pairs) {
      const values = valuesOf(pairs, name);
      return values && readValues(context, values);
    },
  };
}

/** Reads an input whose fields are texts. Clients that do not know its fields send JSON. */
function createObjectReader(schema: GqlSchema, argument: GqlArgument): ArgumentReader {
  const { name } = argument;
  const { fields = [], oneOf } = inputTypeOf(schema, baseName(argument.type)) ?? {};
  const keyOf = (field: GqlArgument) => `${name}[${field.name}]`;
  const keys = fields.map(keyOf);
  return {
    keys: [...keys, name],
    read(context, pairs) {
      const json = valuesOf(pairs, name);
      if (keys.every((key) => valuesOf(pairs, key) === undefined))
        return json && readJsonText(context, argument, name, single(context, name, json));
      if (json !== undefined) refuse(context, name, `“${name}” must be given once: as JSON, or by its fields.`);
      const read: [string, JsonValue][] = [];
      for (const field of fields) {
        const key = keyOf(field);
        const values = valuesOf(pairs, key);
        if (values === undefined) requireNothing(context, key, field.type, field.fallback);
        else {
          const text = single(context, key, values);
          read.push([field.name, readText(context, baseName(field.type), text, key)]);
        }
      }
      // Texts are never null: mistakes are collected as null.
      if (oneOf) requireOne(context, Object.fromEntries(read.map(([field]) => [field, ''])), name);
      return Object.fromEntries(read);
    },
  };
}

export function single(context: CoercionContext, parameter: string, values: readonly string[]): string {
  if (values.length > 1) refuse(context, parameter, `“${parameter}” must be given once, not ${values.length} times.`);
  return values[0] as string;
}

function readJsonText(context: CoercionContext, argument: GqlArgument, parameter: string, text: string): JsonValue {
  const value = parseText(context, parameter, text);
  return value === undefined ? null : readJson(context, argument, value, parameter);
}

/** Parses the JSON text of an argument; undefined if it is refused. */
export function parseText(context: CoercionContext, parameter: string, text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    refuse(context, parameter, `“${parameter}” ${error.message}`);
    return undefined;
  }
}

function asIs(text: string): string {
  return text;
}

function decodeStrictly(text: string): string {
  return decodePart('query string', text.replaceAll('+', ' '));
}

export function decodePart(part: 'query string' | 'path', text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError({ status: 400, detail: `The ${part} is not percent-encoded UTF-8.` });
  }
}
