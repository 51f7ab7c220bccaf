import { type GraphQLSchema, isInputObjectType } from 'graphql';

/** Makes variables safe to read by name. */
export type VariablesReader = (
  variables: Readonly<Record<string, unknown>> | null | undefined,
) => Readonly<Record<string, unknown>>;

/**
 * graphql-js reads the fields of an input object without asking whether they are its own, so a field that is
 * called `constructor` and left out would find what every object inherits. Where a schema has such a field,
 * variables are copied into objects that inherit nothing; other schemas pay nothing.
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

/** Copies lists and plain objects at any depth, without recursion: the depth is the client's to choose. */
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
