import { isRequired } from '../api/is-required.js';
import type { JsonValue } from '../graph/json-value.js';
import { baseName, nullable } from '../graph/type-ref.js';
import { isJsonObject } from '../limits/parse-json.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf } from '../schema/schema-index.js';
import type { TakenId } from './toolset/steps.js';

/** Arguments of a step. */
export type Arguments = { readonly [name: string]: JsonValue };

/**
 * Puts ids into the arguments that a call leaves out. An optional input that it leaves out stays out, with all its ids.
 *
 * @param idsOf - The ids for a place: for a list all of them, else the only one.
 */
export function handOn(
  schema: GqlSchema,
  operation: GqlOperation,
  given: Arguments,
  takes: readonly TakenId[],
  idsOf: (taken: TakenId, isList: boolean) => JsonValue,
): Arguments {
  return takes.reduce(
    (args, taken) => put(schema, operation.arguments, args, taken.path, (isList) => idsOf(taken, isList)),
    given,
  );
}

function put(
  schema: GqlSchema,
  declarations: readonly GqlArgument[],
  into: Arguments,
  [name, ...rest]: readonly string[],
  idsOf: (isList: boolean) => JsonValue,
): Arguments {
  const declaration = declarations.find((one) => one.name === name);
  if (name === undefined || declaration === undefined) return into;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  const isList = nullable(declaration.type).kind === 'list';
  if (rest.length === 0) return before === undefined ? { ...into, [name]: idsOf(isList) } : into;
  const fields = inputTypeOf(schema, baseName(declaration.type))?.fields ?? [];
  const inside = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inside);
    return isJsonObject(value) ? put(schema, fields, value, rest, idsOf) : value;
  };
  if (before !== undefined) return { ...into, [name]: inside(before) };
  return isRequired(declaration) && !isList ? { ...into, [name]: inside({}) } : into;
}

/** The values at a path in a result; lists on the way give those of all items. Each value once. */
export function idsAt(result: JsonValue, path: readonly string[]): readonly JsonValue[] {
  const [name, ...rest] = path;
  if (Array.isArray(result)) return [...new Set(result.flatMap((item) => idsAt(item, path)))];
  if (name === undefined) return result === null ? [] : [result];
  return isJsonObject(result) && Object.hasOwn(result, name) ? idsAt(result[name] as JsonValue, rest) : [];
}
