import type { TypeRef } from '../../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../../../compiler/schema/gql-schema.js';
import { inputTypeOf, namedType } from '../../../../compiler/schema/schema-index.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The arguments of an operation as a channel gets them: standard scalars in their JSON form. Resolvers receive a `Date`
 * or a `bigint`, which the record of a file has as text.
 */
export function jsonArguments(
  schema: GqlSchema,
  { arguments: declared }: GqlOperation,
  args: Values,
): Values {
  return usesStandard(schema) ? membersOf(schema, declared, args) : args;
}

/** The JSON form of a value of a standard scalar; other values stay as they are. */
export function jsonLeaf(schema: GqlSchema, name: string, value: unknown): unknown {
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

function membersOf(schema: GqlSchema, declared: readonly GqlArgument[], values: Values): Values {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = types.get(name);
      return [name, type === undefined ? value : jsonInput(schema, type, value)];
    }),
  );
}

function jsonInput(schema: GqlSchema, type: TypeRef, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (type.kind === 'nonNull') return jsonInput(schema, type.of, value);
  if (type.kind === 'list') {
    return Array.isArray(value) ? value.map((item) => jsonInput(schema, type.of, item)) : value;
  }
  const input = inputTypeOf(schema, type.name);
  return input === undefined
    ? jsonLeaf(schema, type.name, value)
    : membersOf(schema, input.fields, value as Values);
}
