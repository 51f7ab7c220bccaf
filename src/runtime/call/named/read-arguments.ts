import { placeArguments, type RestRoute } from '../../../compiler/api/rest-routes.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { argumentsIn, matchSegment, segmentsOf, textsOf } from '../../../compiler/schema/route-path.js';
import { isJsonObject } from '../../limits/parse-json.js';
import type { Form } from '../../uploads/form.js';
import { type CoercionContext, checkFields, readAll, readMembers, readText, requireNothing } from '../coerce.js';
import { ProblemError } from '../problem.js';
import { createFormReader } from './read-form.js';
import { createQueryReader, decodePart, single, splitQuery, valuesOf } from './read-query.js';

export interface GivenRequest {
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  readonly json: JsonValue | undefined;
  /** The value of a header, by its lower-case name. Events have no arguments in headers. */
  header?(name: string): string | undefined;
  /** In place of the JSON, for a route that takes files. */
  readonly form?: Form | undefined;
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
  const readForm = createFormReader(schema, route);
  const read = (context: CoercionContext, request: GivenRequest): Given => {
    const { path, query, json, form } = request;
    const pairs = splitQuery(query);
    const fields = takesFields ? valuesOf(pairs, 'fields') : undefined;
    const ids = takesAfter ? valuesOf(pairs, 'after') : undefined;
    const after = ids && single(context, 'after', ids);
    const inPath = readPath?.(context, path);
    const args = readQuery(context, pairs);
    const rest =
      places.body === undefined
        ? args
        : form === undefined || readForm === undefined
          ? readMembers(context, places.body, asArguments(json), undefined)
          : readForm(context, form);
    const outside = readHeaders === undefined ? inPath : { ...inPath, ...readHeaders(context, request) };
    if (fields !== undefined) checkFields(context, fields);
    const given = { args: outside === undefined ? rest : { ...outside, ...rest }, fields };
    return after === undefined ? given : { ...given, after };
  };
  return (context: CoercionContext, request: GivenRequest) =>
    readAll(
      context,
      (one) => read(one, request),
      ({ args }) => args,
    );
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

/** Makes the reader of the arguments in a path, if any; `%2F` is a slash in one (RFC 3986, section 2.4). */
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
