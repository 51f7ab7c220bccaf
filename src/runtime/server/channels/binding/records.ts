import { readProperty } from '../../../../base/values/read-property.js';
import { baseName, nullable, type TypeRef } from '../../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../../../../compiler/schema/gql-schema.js';
import { indexSchema, inputTypeOf, namedType } from '../../../../compiler/schema/schema-index.js';

type Values = Readonly<Record<string, unknown>>;

export type GivenRecord = ReturnType<typeof recordOf>;

/** The record of a mutation: its only argument if that is an object, and its name; otherwise all arguments. */
export function recordOf(schema: GqlSchema, { arguments: declared }: GqlOperation, args: Values) {
  const [only] = declared;
  if (declared.length === 1 && only !== undefined && only.type.kind !== 'list') {
    const { kind } = namedType(schema, baseName(only.type));
    const value = args[only.name] ?? {};
    if ((kind === 'input' || kind === 'object') && typeof value === 'object' && !Array.isArray(value)) {
      return { record: { ...value }, argument: only.name };
    }
  }
  return { record: { ...args }, argument: undefined };
}

/** The fields that the source of a FOLD edge requires, although its input does not. */
export function requiredBySource(schema: GqlSchema, { arguments: declared }: GqlOperation) {
  const [only] = declared;
  const found = only && declared.length === 1 ? namedType(schema, baseName(only.type)) : undefined;
  const source = found?.kind === 'input' ? found.type.of : undefined;
  const fields = source === undefined ? [] : fieldsOf(schema, source);
  return new Set(fields.flatMap(({ name, type }) => (type.kind === 'nonNull' ? [name] : [])));
}

export function matchOf(schema: GqlSchema, { type }: GqlOperation, args: Values): Values {
  const fields = new Set(fieldsOf(schema, baseName(type)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => fields.has(name) && value !== null && value !== undefined),
  );
}

export function isMany({ type }: GqlOperation): boolean {
  return nullable(type).kind === 'list';
}

/**
 * The arguments of an operation as a channel gets them: standard scalars in their JSON form. Resolvers receive a `Date`
 * or a `bigint`, which the record of a file has as text.
 */
export function jsonArguments(schema: GqlSchema, { arguments: declared }: GqlOperation, args: Values) {
  return usesStandard(schema) ? jsonMembers(schema, declared, args) : args;
}

function jsonMembers(schema: GqlSchema, declared: readonly GqlArgument[], values: Values): Values {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  const jsonOf = (name: string, value: unknown): unknown => {
    const input = inputTypeOf(schema, name);
    return input === undefined ? jsonLeaf(schema, name, value) : jsonMembers(schema, input.fields, value as Values);
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = types.get(name);
      return [name, type === undefined ? value : mapNamed(type, value, jsonOf)];
    }),
  );
}

/**
 * The record of an event: the declared fields of each object, or their constants. Other members of the value of a
 * resolver stay inside the server.
 */
export function eventRecord(schema: GqlSchema, { type }: GqlOperation, event: unknown): unknown {
  const pick = (name: string, value: unknown): unknown => {
    if (namedType(schema, name).kind !== 'object') return jsonLeaf(schema, name, value);
    if (typeof value !== 'object') return value;
    const entries = fieldsOf(schema, name).map((field) => {
      const own = readProperty(value, field.name);
      return [field.name, own === undefined ? field.fallback : mapNamed(field.type, own, pick)] as const;
    });
    return Object.fromEntries(entries.filter(([, field]) => field !== undefined && typeof field !== 'function'));
  };
  return mapNamed(type, event, pick);
}

/** Replaces the values of named types in a value. Null stays, and so does a value that should be a list and is not. */
function mapNamed(type: TypeRef, value: unknown, map: (name: string, value: unknown) => unknown): unknown {
  if (value === null || value === undefined) return value;
  if (type.kind === 'named') return map(type.name, value);
  if (type.kind === 'nonNull') return mapNamed(type.of, value, map);
  return Array.isArray(value) ? value.map((item) => mapNamed(type.of, item, map)) : value;
}

/** The JSON form of a value of a standard scalar; other values stay as they are. */
function jsonLeaf(schema: GqlSchema, name: string, value: unknown): unknown {
  if (!usesStandard(schema)) return value;
  const found = namedType(schema, name);
  if (found.kind !== 'scalar' || found.wire === undefined) return value;
  if (value instanceof Date) return dateForms[name]?.(value) ?? value.toJSON();
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (name === 'USCurrency' && typeof value === 'number') return `$${(value / 100).toFixed(2)}`;
  return value instanceof URL ? value.href : value;
}

const dateForms: Readonly<Record<string, (date: Date) => unknown>> = {
  Date: (date) => date.toISOString().slice(0, 10),
  Time: (date) => date.toISOString().slice(11),
  Timestamp: (date) => date.getTime(),
};

function usesStandard({ scalars }: GqlSchema): boolean {
  return scalars.some(({ standard }) => standard === true);
}

function fieldsOf(schema: GqlSchema, typeName: string): readonly GqlField[] {
  const found = indexSchema(schema).types.get(typeName);
  return found?.kind === 'object' ? found.type.fields : [];
}
