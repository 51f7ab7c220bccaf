import { placeArguments, type RestRoute } from '../../../compiler/api/rest-routes.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { argumentsIn, matchSegment, segmentsOf, textsOf } from '../../../compiler/schema/route-path.js';
import { inputTypeOf } from '../../../compiler/schema/schema-index.js';
import { queryParameterStyle } from '../../../compiler/schema/wire.js';
import { isJsonObject, JsonRefusal, parseJson } from '../../limits/parse-json.js';
import { ProblemError } from '../problem.js';
import {
  type CoercionContext,
  readAll,
  readJson,
  readMembers,
  readText,
  refuse,
  refuseUnknown,
  requireNothing,
  requireOne,
} from './coerce.js';

export interface GivenRequest {
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  readonly json: JsonValue | undefined;
  /** The value of a header, by its lower-case name. Events have no arguments in headers. */
  header?(name: string): string | undefined;
}

export interface Given {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** The values of `?fields=`; undefined for the default selection. */
  readonly fields: readonly string[] | undefined;
  readonly after?: string | undefined;
}

/**
 * Makes the reader of the requests of a route: its path, its query string, its headers and its JSON body. `fields`, and `after` of a
 * stream, are in the query string unless an argument there has the name.
 *
 * @throws {ProblemError} The reader throws if an argument is unknown, missing, repeated or of another type.
 */
export function createGivenReader(schema: GqlSchema, route: RestRoute) {
  const places = placeArguments(route);
  const isFree = (name: string): boolean => !places.query.some((argument) => argument.name === name);
  const takesFields = isFree('fields');
  const takesAfter = route.operation.kind === 'subscription' && isFree('after');
  // Without arguments, the query string may only have `fields`.
  const own = [...(takesFields ? ['fields'] : []), ...(takesAfter ? ['after'] : [])];
  const readQuery = createQueryReader(schema, places.query, own);
  const readPath = createPathReader(route.path, places.path);
  const readHeaders = createHeaderReader(places.header);
  const read = (context: CoercionContext, request: GivenRequest): Given => {
    const { path, query, json } = request;
    const pairs = splitQuery(query);
    const fields = takesFields ? valuesOf(pairs, 'fields') : undefined;
    const ids = takesAfter ? valuesOf(pairs, 'after') : undefined;
    const after = ids && single(context, 'after', ids);
    const inPath = readPath?.(context, path);
    const args = readQuery(context, pairs);
    const rest =
      places.body === undefined ? args : readMembers(context, places.body, asArguments(json), undefined);
    const outside = readHeaders === undefined ? inPath : { ...inPath, ...readHeaders(context, request) };
    const given = { args: outside === undefined ? rest : { ...outside, ...rest }, fields };
    return after === undefined ? given : { ...given, after };
  };
  return (context: CoercionContext, request: GivenRequest) => readAll(context, (one) => read(one, request));
}

/** The pairs of a query string: each name, followed by its value. A request has few, so a map would cost more. */
type QueryPairs = readonly string[];

/**
 * Splits a query string into pairs, as `URLSearchParams` does. Text that is not percent-encoded UTF-8 is refused;
 * `URLSearchParams` would insert replacement characters.
 *
 * @param query - Without its question mark.
 * @throws {ProblemError} 400 if it is not encoded correctly.
 */
function splitQuery(query: string): QueryPairs {
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
function valuesOf(pairs: QueryPairs, name: string): readonly string[] | undefined {
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
function createQueryReader(schema: GqlSchema, declarations: readonly GqlArgument[], own: readonly string[]) {
  const readers = declarations.map((argument) => ({ argument, ...createArgumentReader(schema, argument) }));
  const known = new Set(readers.flatMap(({ keys }) => keys));
  return (context: CoercionContext, pairs: QueryPairs): Record<string, JsonValue> => {
    const args: Record<string, JsonValue> = {};
    for (const { argument, read } of readers) {
      const value = read(context, pairs);
      if (value !== undefined) args[argument.name] = value;
    }
    for (let at = 0; at < pairs.length; at += 2) {
      const name = pairs[at] as string;
      if (!known.has(name) && !own.includes(name)) refuseUnknown(context, name, known);
    }
    // Last, so that a mistyped name is reported as unknown rather than the correct one as missing.
    for (const { argument } of readers)
      if (!Object.hasOwn(args, argument.name))
        requireNothing(context, argument.name, argument.type, argument.fallback);
    return args;
  };
}

interface ArgumentReader {
  /** The names in the query string that belong to the argument. */
  readonly keys: readonly string[];
  read(context: CoercionContext, pairs: QueryPairs): JsonValue | undefined;
}

function createArgumentReader(schema: GqlSchema, argument: GqlArgument): ArgumentReader {
  const { name, type } = argument;
  const style = queryParameterStyle(schema, type);
  const base = baseName(type);
  if (style === 'deepObject') return createObjectReader(schema, name, base);
  const readValues = (context: CoercionContext, values: readonly string[]): JsonValue => {
    if (style === 'text') return readText(context, base, single(context, name, values), name);
    if (style === 'json') return readJsonText(context, argument, name, single(context, name, values));
    if (values.length === 1 && values[0] === '') return [];
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

function createObjectReader(schema: GqlSchema, name: string, type: string): ArgumentReader {
  const { fields = [], oneOf } = inputTypeOf(schema, type) ?? {};
  const keyOf = (field: GqlArgument) => `${name}[${field.name}]`;
  const keys = fields.map(keyOf);
  return {
    keys,
    read(context, pairs) {
      if (keys.every((key) => valuesOf(pairs, key) === undefined)) return undefined;
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

function single(context: CoercionContext, parameter: string, values: readonly string[]): string {
  if (values.length > 1)
    refuse(context, parameter, `“${parameter}” must be given once, not ${values.length} times.`);
  return values[0] as string;
}

function readJsonText(
  context: CoercionContext,
  argument: GqlArgument,
  parameter: string,
  text: string,
): JsonValue {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal) return refuse(context, parameter, `“${parameter}” ${error.message}`);
    throw error;
  }
  return readJson(context, argument, value, parameter);
}

function asIs(text: string): string {
  return text;
}

function decodeStrictly(text: string): string {
  return decodePart('query string', text.replaceAll('+', ' '));
}

function decodePart(part: 'query string' | 'path', text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError({ status: 400, detail: `The ${part} is not percent-encoded UTF-8.` });
  }
}

function asArguments(value: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw new ProblemError({ status: 400, detail: 'The body must be a JSON object of the arguments.' });
}

/** Makes the reader of the arguments in headers, which problems call by the names of the headers; undefined without any. */
function createHeaderReader(declarations: readonly GqlArgument[]) {
  if (declarations.length === 0) return undefined;
  return (context: CoercionContext, request: GivenRequest): Record<string, JsonValue> => {
    const args: Record<string, JsonValue> = {};
    for (const { name, header = '', type, fallback } of declarations) {
      const text = request.header?.(header.toLowerCase());
      if (text === undefined) requireNothing(context, header, type, fallback);
      else args[name] = readText(context, baseName(type), text, header);
    }
    return args;
  };
}

/**
 * Makes the reader of the arguments in a path; undefined if it has none. A segment is percent-decoded after the path is
 * split, so that `%2F` is a slash in an argument (RFC 3986, section 2.4).
 */
function createPathReader(template: string, declarations: readonly GqlArgument[]) {
  if (declarations.length === 0) return undefined;
  const types = new Map(declarations.map(({ name, type }) => [name, baseName(type)]));
  const places = segmentsOf(template).flatMap((segment, at) => {
    const args = argumentsIn(segment).map((name) => ({ name, type: types.get(name) as string }));
    return args.length === 0 ? [] : [{ at, texts: textsOf(segment), args }];
  });
  return (context: CoercionContext, path: string): Record<string, JsonValue> => {
    const args: Record<string, JsonValue> = {};
    const segments = segmentsOf(path);
    for (const { at, texts, args: inSegment } of places) {
      const values = matchSegment(texts, segments[at] as string) ?? [];
      inSegment.forEach(({ name, type }, index) => {
        args[name] = readText(context, type, decodePart('path', values[index] as string), name);
      });
    }
    return args;
  };
}
