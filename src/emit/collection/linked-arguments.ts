import { exampleArgument, isExemplary } from '../../api/examples.js';
import { isComposite } from '../../api/nesting.js';
import type { JsonValue } from '../../graph/json-value.js';
import { baseName, type TypeRef } from '../../graph/type-ref.js';
import type { GqlInputType, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf } from '../../schema/schema-index.js';
import type { IdLink, IdLinks } from './id-links.js';

/** The arguments of a request, and the ids that they need. */
export interface LinkedArguments {
  /** Examples, with `{{variable}}` for ids that come from the response of another request. */
  readonly values: { readonly [name: string]: JsonValue };
  /** Each with the example that it stands for. */
  readonly reads: ReadonlyMap<IdLink, JsonValue>;
}

/** The arguments of the requests for an operation: the same over REST and GraphQL. */
export function linkArguments(schema: GqlSchema, operation: GqlOperation, links: IdLinks): LinkedArguments {
  const reads = new Map<IdLink, JsonValue>();
  const use = (value: JsonValue, link: IdLink | undefined): JsonValue => {
    if (link === undefined) return value;
    if (!reads.has(link) || reads.get(link) === unconstrainedId)
      reads.set(link, [value].flat(9)[0] ?? unconstrainedId);
    return putInPlace(value, `{{${link.variable}}}`);
  };
  const visit = (value: JsonValue, type: TypeRef): JsonValue => {
    const name = baseName(type);
    const input = isComposite(schema, name) ? inputTypeOf(schema, name) : undefined;
    return input === undefined ? value : visitInput(value, input);
  };
  const visitInput = (value: JsonValue, input: GqlInputType): JsonValue => {
    if (Array.isArray(value)) return mapChanged(value, (item) => visitInput(item, input));
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Readonly<Record<string, JsonValue>>;
    let changed: Record<string, JsonValue> | undefined;
    for (const { name, type, fallback } of input.fields) {
      const before = Object.hasOwn(record, name) ? record[name] : undefined;
      if (before === undefined || fallback !== undefined) continue;
      const after = use(visit(before, type), links.forField(operation, input.name, name, type));
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
      fallback === undefined ? use(visit(example, type), links.forArgument(operation, name, type)) : example;
  }
  return { values, reads };
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
