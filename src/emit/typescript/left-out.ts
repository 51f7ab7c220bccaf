import { baseName, type TypeRef } from '../../graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

/** What a topology answers by itself, so that resolvers may leave it out. */
export interface LeftOut {
  /** Whether an object that a resolver gives may lack the field: null, a constant or a race stands in. */
  field(field: GqlField): boolean;
  /** Whether an operation answers without a resolver of its own. */
  operation(operation: GqlOperation): boolean;
}

/** Finds out what the constants and the races of a schema answer. */
export function findLeftOut(schema: GqlSchema): LeftOut {
  const whole = wholeTypes(schema);
  const queried = new Set(schema.queries.map(({ type }) => single(type)));
  const isRaced = (union: string): boolean => {
    const found = namedType(schema, union);
    return (
      found.kind === 'union' && found.type.members.some((member) => whole.has(member) || queried.has(member))
    );
  };
  const isServed = (type: TypeRef): boolean => {
    const name = single(type);
    return name !== undefined && (whole.has(name) || isRaced(name));
  };
  return {
    field: ({ type, constant }) => type.kind !== 'nonNull' || constant !== undefined || isServed(type),
    operation: ({ type }) => isServed(type),
  };
}

/** The object types that are constants all through: each field that must have a value has one. */
function wholeTypes(schema: GqlSchema): ReadonlySet<string> {
  const whole = new Set<string>();
  let before = -1;
  // A type counts only when all that it holds was counted before, so types that hold each other never do.
  while (before < whole.size) {
    before = whole.size;
    for (const { name, fields } of schema.objects) {
      const isKnown = ({ type, constant }: GqlField): boolean =>
        constant !== undefined || whole.has(single(type) ?? '');
      const mayLack = (field: GqlField): boolean => field.type.kind !== 'nonNull' || isKnown(field);
      if (fields.some(isKnown) && fields.every(mayLack)) whole.add(name);
    }
  }
  return whole;
}

/** The type that one value is of; undefined for a list, whose length no constant says. */
function single(type: TypeRef): string | undefined {
  const bare = type.kind === 'nonNull' ? type.of : type;
  return bare.kind === 'list' ? undefined : baseName(bare);
}
