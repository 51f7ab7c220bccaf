import { type GraphQLSchema, isInputObjectType } from 'graphql';

export type VariablesReader = (
  variables: Readonly<Record<string, unknown>> | null | undefined,
) => Readonly<Record<string, unknown>>;

/**
 * graphql-js reads the fields of an input object without checking that they are own properties, so an omitted field
 * named `constructor` would find the inherited one. If a schema has such a field, variables are copied into objects
 * without a prototype; other schemas have no extra cost.
 */
export function createVariablesReader(schema: GraphQLSchema): VariablesReader {
  const isRisky = Object.values(schema.getTypeMap()).some(
    (type) =>
      isInputObjectType(type) && Object.keys(type.getFields()).some((name) => name in Object.prototype),
  );
  return isRisky
    ? (variables) => copyBare(variables ?? {}) as Readonly<Record<string, unknown>>
    : (variables) => variables ?? {};
}

/** Copies lists and plain objects at any depth, without recursion, because the client determines the depth. */
function copyBare(root: unknown): unknown {
  const rest: (readonly [from: object, to: object])[] = [];
  const copy = (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    const target = Array.isArray(value) ? [] : Object.create(null);
    rest.push([value, target]);
    return target;
  };
  const result = copy(root);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [from, to] = next;
    for (const [key, value] of Object.entries(from)) (to as Record<string, unknown>)[key] = copy(value);
  }
  return result;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
