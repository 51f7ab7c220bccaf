import type { JsonObject, JsonValue } from '../graph/json-value.js';
import { perObject } from '../graph/maps.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlEnumType, GqlField, GqlOperation, GqlSchema } from './gql-schema.js';
import { memberNames, namedType } from './schema-index.js';

/** Changes the values of enums in a JSON value of a type. */
export type Respelling = (value: JsonValue) => JsonValue;

interface Place extends Pick<GqlField, 'name' | 'type'> {}

/** The schema as GraphQL sees it: the values of enums have their names. */
export function withEnumNames(schema: GqlSchema): GqlSchema {
  return { ...schema, enums: schema.enums.map(({ spellings: _, ...type }) => type) };
}

/**
 * The schema as REST and agents see it: the values of enums, and the defaults, constants and examples with them, are
 * spelt as `@value` says. It is the schema itself if no value has another spelling.
 */
export const wireView = perObject((schema: GqlSchema): GqlSchema => {
  if (reachOf(schema).size === 0) return schema;
  const spell = (type: TypeRef, value: JsonValue): JsonValue => toWire(schema, type)?.(value) ?? value;
  const place = <Item extends GqlArgument | GqlField>(item: Item): Item => {
    const { type, fallback, examples } = item;
    return {
      ...item,
      ...(fallback !== undefined && { fallback: spell(type, fallback) }),
      ...(examples && { examples: examples.map((example) => spell(type, example)) }),
      ...('arguments' in item && { arguments: item.arguments?.map(place) }),
    };
  };
  const types = <Type extends { readonly fields: readonly (GqlArgument | GqlField)[] }>(all: readonly Type[]) =>
    all.map((type) => ({ ...type, fields: type.fields.map(place) }));
  const operations = (all: readonly GqlOperation[]) =>
    all.map((one) => ({ ...one, arguments: one.arguments.map(place) }));
  const { objects, inputs, interfaces, problems, enums, queries, mutations, subscriptions } = schema;
  return {
    ...schema,
    objects: types(objects),
    inputs: types(inputs),
    ...(interfaces && { interfaces: types(interfaces) }),
    ...(problems && { problems: types(problems) }),
    enums: enums.map(spelt),
    queries: operations(queries),
    mutations: operations(mutations),
    subscriptions: operations(subscriptions),
  };
});

function spelt({ spellings, ...type }: GqlEnumType): GqlEnumType {
  return spellings === undefined ? type : { ...type, values: spellings, names: type.values };
}

/** Spells the values of enums as `@value` says; undefined for a type whose values have none with another spelling. */
export function toWire(schema: GqlSchema, type: TypeRef): Respelling | undefined {
  if (!reachOf(schema).has(baseName(type))) return undefined;
  return (value) => respell(schema, type, value, ({ values, spellings = values }) => [values, spellings]);
}

/** The opposite of {@link toWire}: gives the values of enums their names. */
export function fromWire(schema: GqlSchema, type: TypeRef): Respelling | undefined {
  if (!reachOf(schema).has(baseName(type))) return undefined;
  return (value) => respell(schema, type, value, ({ values, spellings = values }) => [spellings, values]);
}

/** Spells the values of enums in the fields of a declared error. */
export function fieldsToWire(
  schema: GqlSchema,
  fields: readonly Place[],
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const made = { ...value };
  for (const { name, type } of fields) {
    const given = made[name];
    if (given !== undefined) made[name] = toWire(schema, type)?.(given as JsonValue) ?? given;
  }
  return made;
}

/** The names of the types that have a value with another spelling in them. */
const reachOf = perObject((schema: GqlSchema): ReadonlySet<string> => {
  const { enums, objects, inputs, interfaces = [], unions } = schema;
  const found = new Set(enums.flatMap(({ name, spellings }) => (spellings === undefined ? [] : [name])));
  if (found.size === 0) return found;
  const holders = [
    ...[...objects, ...inputs].map(({ name, fields }) => ({ name, parts: fields.map(({ type }) => baseName(type)) })),
    ...[...interfaces, ...unions].map(({ name }) => ({ name, parts: memberNames(namedType(schema, name)) })),
  ];
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const { name, parts } of holders) if (parts.some((part) => found.has(part))) found.add(name);
  }
  return found;
});

/** @param pairOf - The values of an enum as they are, and as they shall be. */
function respell(
  schema: GqlSchema,
  given: TypeRef,
  value: JsonValue,
  pairOf: (type: GqlEnumType) => readonly [from: readonly string[], to: readonly string[]],
): JsonValue {
  const type = nullable(given);
  if (type.kind === 'list')
    return Array.isArray(value) ? value.map((item) => respell(schema, type.of, item, pairOf)) : value;
  if (!reachOf(schema).has(type.name)) return value;
  const found = namedType(schema, type.name);
  if (found.kind === 'enum') {
    const [from, to] = pairOf(found.type);
    return to[from.indexOf(value as string)] ?? value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  const { __typename: member } = object;
  const concrete = memberNames(found).length > 0 && typeof member === 'string' ? namedType(schema, member) : found;
  const fields = 'type' in concrete && 'fields' in concrete.type ? concrete.type.fields : [];
  const made = { ...object };
  for (const { name, type } of fields) {
    const before = made[name];
    if (before !== undefined) made[name] = respell(schema, type, before, pairOf);
  }
  return made;
}
