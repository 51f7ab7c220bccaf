import { singleType } from '../../../compiler/api/reach/reach.js';
import { appendTo, remember } from '../../../compiler/graph/maps.js';
import type { TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { namedType } from '../../../compiler/schema/schema-index.js';

/**
 * Finds the object types and unions that can be served from the constants of the topology, without a resolver for the
 * operation.
 *
 * @param isGiven - Asks the given resolvers.
 */
export function coverConstants(schema: GqlSchema, isGiven: (type: string, field: string) => boolean) {
  const isKnown = (type: string, field: GqlField): boolean => field.fallback !== undefined || isGiven(type, field.name);
  const some = reachFrom(
    schema.objects.filter((type) => type.fields.some((field) => isKnown(type.name, field))).map(({ name }) => name),
    usersOf(schema, () => true),
  );
  // A type is removed when a non-null field of it has no value; so are the types with a non-null field of a removed type.
  const fallen = reachFrom(
    schema.objects
      .filter((type) =>
        type.fields.some(
          (field) =>
            field.type.kind === 'nonNull' &&
            !isKnown(type.name, field) &&
            !some.has(nestedType(schema, field.type) ?? ''),
        ),
      )
      .map(({ name }) => name),
    usersOf(schema, (owner, field) => field.type.kind === 'nonNull' && !isKnown(owner, field)),
  );
  return {
    /** Types with at least one value: a constant, a field with a resolver, or a nested type of this kind. */
    some,
    /** Those of them in which every non-null field has a value, so that a complete object can be served. */
    whole: new Set([...some].filter((name) => !fallen.has(name))),
  };
}

/**
 * The object type or union of a field; undefined for leaves, and for lists, because constants do not
 * define their length.
 */
export function nestedType(schema: GqlSchema, type: TypeRef): string | undefined {
  const name = singleType(type);
  const kind = name === undefined ? undefined : namedType(schema, name).kind;
  return kind === 'object' || kind === 'union' ? name : undefined;
}

/** For each type, the types with a relevant field of it, and the unions that it is a member of. */
function usersOf(schema: GqlSchema, counts: (owner: string, field: GqlField) => boolean) {
  const users = new Map<string, string[]>();
  for (const type of schema.objects) {
    for (const field of type.fields) {
      const nested = nestedType(schema, field.type);
      if (nested !== undefined && counts(type.name, field)) appendTo(users, nested, type.name);
    }
  }
  for (const union of schema.unions) for (const member of union.members) appendTo(users, member, union.name);
  return users;
}

function reachFrom(start: readonly string[], edges: ReadonlyMap<string, readonly string[]>) {
  const reached = new Set(start);
  for (const name of reached) for (const next of edges.get(name) ?? []) reached.add(next);
  return reached;
}

export type ConstantObjects = ReturnType<typeof createConstantObjects>;

/** Makes the objects that are served from the constants of a topology: one for each type and operation. */
export function createConstantObjects(constantsOf: (typeName: string) => Readonly<Record<string, unknown>>) {
  const objects = new Map<GqlOperation | undefined, Map<string, object>>();
  /** The operation is undefined inside a value of a resolver. */
  type Origin = { readonly typeName: string; readonly operation: GqlOperation | undefined };
  const origins = new WeakMap<object, Origin>();
  return {
    /** An object with the constants of a type, which is the parent of its fields' resolvers. */
    make(typeName: string, operation: GqlOperation | undefined): object {
      const ofOperation = remember(objects, operation, () => new Map<string, object>());
      return remember(ofOperation, typeName, () => {
        const object = Object.freeze({ ...constantsOf(typeName) });
        origins.set(object, { typeName, operation });
        return object;
      });
    },
    originOf: (parent: unknown): Origin | undefined =>
      typeof parent === 'object' && parent !== null ? origins.get(parent) : undefined,
  };
}
