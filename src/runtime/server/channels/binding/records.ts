import { baseName, type TypeRef } from '../../../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../../../compiler/schema/gql-schema.js';
import { indexSchema, namedType } from '../../../../compiler/schema/schema-index.js';
import { jsonLeaf } from './json-form.js';

type Args = Readonly<Record<string, unknown>>;

export interface GivenRecord {
  readonly record: Readonly<Record<string, unknown>>;
  /** The name of the argument that it is the value of; undefined for the object of all arguments. */
  readonly argument: string | undefined;
}

/** The record of a mutation: its only argument if that is an object, otherwise all arguments. */
export function recordOf(schema: GqlSchema, { arguments: declared }: GqlOperation, args: Args): GivenRecord {
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
export function requiredBySource(
  schema: GqlSchema,
  { arguments: declared }: GqlOperation,
): ReadonlySet<string> {
  const [only] = declared;
  const found = only && declared.length === 1 ? namedType(schema, baseName(only.type)) : undefined;
  const source = found?.kind === 'input' ? found.type.of : undefined;
  const fields = source === undefined ? [] : fieldsOf(schema, source);
  return new Set(fields.flatMap(({ name, type }) => (type.kind === 'nonNull' ? [name] : [])));
}

export function matchOf(schema: GqlSchema, { type }: GqlOperation, args: Args): Args {
  const fields = new Set(fieldsOf(schema, baseName(type)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => fields.has(name) && value !== null && value !== undefined),
  );
}

export function isMany({ type }: GqlOperation): boolean {
  return type.kind === 'list' || (type.kind === 'nonNull' && type.of.kind === 'list');
}

/**
 * The record of an event: the declared fields of each object, or their constants. Other members of the value of a
 * resolver stay inside the server.
 */
export function eventRecord(schema: GqlSchema, { type }: GqlOperation, event: unknown): unknown {
  return pick(schema, type, event);
}

function pick(schema: GqlSchema, type: TypeRef, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (type.kind === 'nonNull') return pick(schema, type.of, value);
  if (type.kind === 'list') {
    return Array.isArray(value) ? value.map((item) => pick(schema, type.of, item)) : value;
  }
  if (namedType(schema, type.name).kind !== 'object') return jsonLeaf(schema, type.name, value);
  if (typeof value !== 'object') return value;
  const entries = fieldsOf(schema, type.name).map(({ name, type: of, fallback }): [string, unknown] => {
    // Members of Object.prototype are not fields, whatever their name.
    const isOwn = Object.hasOwn(value, name) || !(name in Object.prototype);
    const own = isOwn ? (value as Record<string, unknown>)[name] : undefined;
    return [name, own === undefined ? fallback : pick(schema, of, own)];
  });
  return Object.fromEntries(
    entries.filter(([, field]) => field !== undefined && typeof field !== 'function'),
  );
}

function fieldsOf(schema: GqlSchema, typeName: string): readonly GqlField[] {
  const found = indexSchema(schema).types.get(typeName);
  return found?.kind === 'object' ? found.type.fields : [];
}
