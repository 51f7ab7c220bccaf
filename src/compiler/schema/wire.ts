import type { JsonValue } from '../graph/json-value.js';
import { isStructured, standardScalars } from '../graph/standard-scalars.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlInputType, GqlSchema } from './gql-schema.js';
import { inputTypeOf } from './schema-index.js';

/**
 * The encoding of an argument in a query string:
 * - `text`: `name=value`, for a scalar or an enum (a custom scalar is the text itself);
 * - `repeated`: `name=a&name=b`, one pair for each element, for a list of those; `name=` alone is the empty list;
 * - `deepObject`: `name[field]=value`, for an input whose fields are all scalars or enums;
 * - `json`: `name={"a":[1]}`, one pair with JSON text, for everything deeper, and for scalars such as `JSON`.
 *
 * Only `json` can express null, and only `json` a list whose one element is the empty text. In the other styles, a list or
 * an input without any pair is absent.
 */
export type QueryParameterStyle = 'text' | 'repeated' | 'deepObject' | 'json';

/**
 * The encoding of an argument of this type in a query string. The OpenAPI document, the collection and
 * the REST runtime all use this function.
 */
export function queryParameterStyle(schema: GqlSchema, type: TypeRef): QueryParameterStyle {
  const bare = nullable(type);
  if (isJsonScalar(schema, baseName(bare))) return 'json';
  const input = inputTypeOf(schema, baseName(bare));
  if (bare.kind === 'named') return input === undefined ? 'text' : isFlat(schema, input) ? 'deepObject' : 'json';
  return input === undefined && nullable(bare.of).kind === 'named' ? 'repeated' : 'json';
}

/** The pairs of an argument in a query string, not percent-encoded; none if its style cannot express it. */
export function queryPairs(schema: GqlSchema, argument: GqlArgument, value: JsonValue): [string, string][] {
  const { name } = argument;
  switch (queryParameterStyle(schema, argument.type)) {
    case 'text':
      return value === null ? [] : [[name, leafText(value)]];
    case 'repeated': {
      // A query string has no null; examples leave its elements out.
      const elements = (value as readonly JsonValue[]).filter((element) => element !== null);
      return elements.length === 0 ? [[name, '']] : elements.map((element) => [name, leafText(element)]);
    }
    case 'deepObject':
      return Object.entries(value as Record<string, JsonValue>)
        .filter(([, inner]) => inner !== null)
        .map(([field, inner]) => [`${name}[${field}]`, leafText(inner)]);
    case 'json':
      return [[name, JSON.stringify(value)]];
  }
}

/** An input without fields is not flat: `deepObject` could not express its presence. */
function isFlat(schema: GqlSchema, { fields }: GqlInputType): boolean {
  const isText = ({ type }: GqlArgument): boolean => {
    const bare = nullable(type);
    if (bare.kind === 'list' || isJsonScalar(schema, bare.name)) return false;
    return inputTypeOf(schema, bare.name) === undefined;
  };
  return fields.length > 0 && fields.every(isText);
}

/** Whether a name is that of a standard scalar whose values may be objects. */
function isJsonScalar({ scalars }: GqlSchema, name: string): boolean {
  const scalar = standardScalars.get(name);
  if (scalar === undefined || !isStructured(scalar)) return false;
  return scalars.some((type) => type.standard === true && type.name === name);
}

/** A scalar or the name of an enum value as text in a query string. */
export function leafText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
