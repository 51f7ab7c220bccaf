import { appendTo } from '../../../compiler/graph/maps.js';
import type { TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { namedType } from '../../../compiler/schema/schema-index.js';

/** The object types and unions of a schema that can be served without a resolver for the operation. */
export interface ConstantCoverage {
  /** Types with at least one value: a constant, a field with a resolver, or a nested type of this kind. */
  readonly some: ReadonlySet<string>;
  /** Those of them in which every non-null field has a value, so that a complete object can be served. */
  readonly whole: ReadonlySet<string>;
}

/** Finds the types that can be served from the constants of the topology. `isGiven` asks the given resolvers. */
export function coverConstants(
  schema: GqlSchema,
  isGiven: (type: string, field: string) => boolean,
): ConstantCoverage {
  const isKnown = (type: string, field: GqlField): boolean =>
    field.fallback !== undefined || isGiven(type, field.name);
  const some = reachFrom(
    schema.objects
      .filter((type) => type.fields.some((field) => isKnown(type.name, field)))
      .map(({ name }) => name),
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
  return { some, whole: new Set([...some].filter((name) => !fallen.has(name))) };
}

/**
 * The object type or union of a field; undefined for leaves, and for lists, because constants do not
 * define their length.
 */
export function nestedType(schema: GqlSchema, type: TypeRef): string | undefined {
  const bare = type.kind === 'nonNull' ? type.of : type;
  if (bare.kind === 'list') return undefined;
  const { kind } = namedType(schema, bare.name);
  return kind === 'object' || kind === 'union' ? bare.name : undefined;
}

/** For each type, the types with a relevant field of it, and the unions that it is a member of. */
function usersOf(
  schema: GqlSchema,
  counts: (owner: string, field: GqlField) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  const note = (used: string, user: string): void => {
    appendTo(users, used, user);
  };
  for (const type of schema.objects) {
    for (const field of type.fields) {
      const nested = nestedType(schema, field.type);
      if (nested !== undefined && counts(type.name, field)) note(nested, type.name);
    }
  }
  for (const union of schema.unions) for (const member of union.members) note(member, union.name);
  return users;
}

function reachFrom(
  start: readonly string[],
  edges: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set(start);
  for (const name of reached) for (const next of edges.get(name) ?? []) reached.add(next);
  return reached;
}
