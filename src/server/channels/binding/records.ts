import { baseName, type TypeRef } from '../../../graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../../schema/gql-schema.js';
import { indexSchema, namedType } from '../../../schema/schema-index.js';
import { jsonLeaf } from './json-form.js';

type Args = Readonly<Record<string, unknown>>;

/** The record that a mutation passes to a channel: its only argument if that is an object, otherwise all arguments. */
export function recordOf(schema: GqlSchema, { arguments: declared }: GqlOperation, args: Args): unknown {
  const [only] = declared;
  if (declared.length !== 1 || only === undefined) return { ...args };
  const { kind } = namedType(schema, baseName(only.type));
  const value = args[only.name];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && (kind === 'input' || kind === 'object') ? { ...value } : { ...args };
}

/** The arguments that select records: not null, and named like a field of the result. */
export function matchOf(schema: GqlSchema, { type }: GqlOperation, args: Args): Args {
  const fields = new Set(fieldsOf(schema, baseName(type)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => fields.has(name) && value !== null && value !== undefined),
  );
}

/** Whether an operation returns a list. */
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

/**
 * Why a value does not fit the type of an operation on the outside: not a list, or not an object. Undefined if it fits.
 */
export function misfitOf(
  schema: GqlSchema,
  { type }: Pick<GqlOperation, 'type'>,
  value: unknown,
): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (type.kind === 'nonNull') return misfitOf(schema, { type: type.of }, value);
  if (type.kind === 'list') {
    if (!Array.isArray(value)) return `${describe(value)} instead of a list`;
    for (const item of value) {
      const misfit = misfitOf(schema, { type: type.of }, item);
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  }
  const { kind } = namedType(schema, type.name);
  const needsObject = kind === 'object' || kind === 'union';
  if (!needsObject || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  return `${describe(value)} instead of an object`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string'
    ? 'a string'
    : typeof value === 'object'
      ? 'an object'
      : `a ${typeof value}`;
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
