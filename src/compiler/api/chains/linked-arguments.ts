import type { JsonObject, JsonValue } from '../../graph/json-value.js';
import { baseName, type TypeRef } from '../../graph/type-ref.js';
import type { GqlInputType, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf } from '../../schema/schema-index.js';
import { exampleArgument, isExemplary } from '../examples.js';
import type { IdLink, IdLinks } from './id-links.js';

/** The arguments of an operation, and the ids among them that other operations give. */
export interface LinkedArguments {
  /** Examples; in the place of each id that another operation gives, what `write` made of it. */
  readonly values: JsonObject;
  /** The ids that are taken, each with the example that it stands for. */
  readonly reads: ReadonlyMap<IdLink, JsonValue>;
  readonly places: readonly LinkPlace[];
}

/** A place in the arguments of an operation that takes an id. */
export interface LinkPlace {
  readonly link: IdLink;
  /** The name of the argument, and the fields in it. Items of lists are not part of it: all of them take the id. */
  readonly path: readonly string[];
}

/**
 * Links the arguments of an operation to the ids that other operations give.
 *
 * @param write - What stands in the values for an id, such as `{{parcelId}}`.
 */
export function linkArguments(
  schema: GqlSchema,
  operation: GqlOperation,
  links: IdLinks,
  write: (link: IdLink) => string,
): LinkedArguments {
  const reads = new Map<IdLink, JsonValue>();
  const places: LinkPlace[] = [];
  const use = (value: JsonValue, path: readonly string[], link: IdLink | undefined): JsonValue => {
    if (link === undefined) return value;
    if (!reads.has(link) || reads.get(link) === unconstrainedId) reads.set(link, [value].flat(9)[0] ?? unconstrainedId);
    places.push({ link, path });
    return putInPlace(value, write(link));
  };
  const visit = (value: JsonValue, path: readonly string[], type: TypeRef): JsonValue => {
    const input = inputTypeOf(schema, baseName(type));
    return input === undefined ? value : visitInput(value, path, input);
  };
  const visitInput = (value: JsonValue, path: readonly string[], input: GqlInputType): JsonValue => {
    if (Array.isArray(value)) return mapChanged(value, (item) => visitInput(item, path, input));
    if (typeof value !== 'object' || value === null) return value;
    const record = value as JsonObject;
    let changed: Record<string, JsonValue> | undefined;
    for (const { name, type, fallback } of input.fields) {
      const before = Object.hasOwn(record, name) ? record[name] : undefined;
      if (before === undefined || fallback !== undefined) continue;
      const at = [...path, name];
      const after = use(visit(before, at, type), at, links.forField(operation, input.name, name, type));
      if (after === before) continue;
      changed ??= { ...record };
      changed[name] = after;
    }
    return changed ?? value;
  };
  const values: Record<string, JsonValue> = {};
  for (const argument of operation.arguments) {
    if (!isExemplary(operation, argument)) continue;
    const { name, type, fallback } = argument;
    const example = exampleArgument(schema, argument);
    values[name] =
      fallback === undefined
        ? use(visit(example, [name], type), [name], links.forArgument(operation, name, type))
        : example;
  }
  return { values, reads, places };
}

/** The example of an id without constraints; one that has them needs its own more. */
export const unconstrainedId = '1';

/** A list keeps its brackets: `["1"]` becomes `["{{parcelId}}"]`. */
function putInPlace(value: JsonValue, text: string): JsonValue {
  return Array.isArray(value) ? value.map((item) => putInPlace(item, text)) : text;
}

function mapChanged(list: readonly JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue {
  const changed = list.map(change);
  return changed.some((item, at) => item !== list[at]) ? changed : list;
}
