import type { JsonValue } from '../../graph/json-value.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument } from '../../schema/gql-schema.js';
import { inputTypeOf } from '../../schema/schema-index.js';
import { queryParameterStyle } from '../../schema/wire.js';
import { type CoercionContext, readJson, readText, requireNothing, unknownParameter } from './coerce.js';
import { type JsonRefusal, parseJson } from './parse-json.js';
import { badParameter, ProblemError } from './problem.js';

/** The pairs of a query string: the values of each name, in order. */
export type QueryPairs = ReadonlyMap<string, readonly string[]>;

/**
 * Takes a query string apart. Text that is not percent-encoded UTF-8 is refused, where a lenient reader would
 * make replacement characters of it that nobody sent.
 *
 * @param search - With its question mark, or empty.
 * @throws {ProblemError} When it is not encoded rightly.
 */
export function splitQuery(search: string): QueryPairs {
  try {
    decodeURIComponent(search);
  } catch {
    throw new ProblemError({ status: 400, detail: 'The query string is not percent-encoded UTF-8.' });
  }
  const pairs = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const values = pairs.get(name);
    if (values === undefined) pairs.set(name, [value]);
    else values.push(value);
  }
  return pairs;
}

/**
 * Reads the arguments of an operation out of a query string, each in the style that `schema/wire.ts` lays
 * down for its type. Arguments that are left out are left out: the schema knows their defaults.
 *
 * @throws {ProblemError} When an argument is unknown, lacking, repeated or of another type.
 */
export function readQueryArguments(
  context: CoercionContext,
  declarations: readonly GqlArgument[],
  pairs: QueryPairs,
): Record<string, JsonValue> {
  const known = new Set<string>();
  const read: [string, JsonValue][] = [];
  for (const argument of declarations) {
    const value = readArgument(context, argument, pairs, known);
    if (value !== undefined) read.push([argument.name, value]);
  }
  for (const name of pairs.keys()) if (!known.has(name)) throw unknownParameter(name, known);
  // Only now, so that a mistyped name is called unknown, and not the right one missing.
  for (const { name, type, fallback } of declarations) {
    if (!read.some(([given]) => given === name)) requireNothing(name, type, fallback);
  }
  return Object.fromEntries(read);
}

function readArgument(
  context: CoercionContext,
  { name, type }: GqlArgument,
  pairs: QueryPairs,
  known: Set<string>,
): JsonValue | undefined {
  const style = queryParameterStyle(context.schema, type);
  if (style === 'deepObject') return readDeepObject(context, name, baseName(type), pairs, known);
  known.add(name);
  const values = pairs.get(name);
  if (values === undefined) return undefined;
  switch (style) {
    case 'text':
      return readText(context, baseName(type), single(name, values), name);
    case 'repeated':
      return values.map((value, at) => readText(context, baseName(type), value, `${name}[${at}]`));
    case 'json':
      return readJson(context, type, readJsonText(name, single(name, values)), name);
  }
}

function readDeepObject(
  context: CoercionContext,
  name: string,
  type: string,
  pairs: QueryPairs,
  known: Set<string>,
): JsonValue | undefined {
  const fields = inputTypeOf(context.schema, type)?.fields ?? [];
  const keyOf = (field: GqlArgument) => `${name}[${field.name}]`;
  for (const field of fields) known.add(keyOf(field));
  if (!fields.some((field) => pairs.has(keyOf(field)))) return undefined;
  const read: [string, JsonValue][] = [];
  for (const field of fields) {
    const key = keyOf(field);
    const values = pairs.get(key);
    if (values !== undefined) {
      read.push([field.name, readText(context, baseName(field.type), single(key, values), key)]);
    } else requireNothing(key, field.type, field.fallback);
  }
  return Object.fromEntries(read);
}

function single(parameter: string, values: readonly string[]): string {
  if (values.length > 1) throw badParameter(parameter, `“${parameter}” is given ${values.length} times.`);
  return values[0] as string;
}

function readJsonText(parameter: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw badParameter(parameter, `“${parameter}” ${(error as JsonRefusal).message}`);
  }
}
