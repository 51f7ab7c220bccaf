import { singleType } from '../../api/reach/reach.js';
import type { TypeRef } from '../../graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { namedType, withInternal } from '../../schema/schema-index.js';

export type LeftOut = ReturnType<typeof findLeftOut>;

/**
 * Finds the results of the constants and the races of a schema.
 *
 * @param strictNulls - Whether objects must have their nullable fields, as null.
 */
export function findLeftOut(publicSchema: GqlSchema, strictNulls = false) {
  const schema = withInternal(publicSchema);
  const raceOf = new Map(schema.internal?.races.map(({ target, name }) => [target, name]));
  const whole = wholeTypes(schema);
  const queried = new Set(schema.queries.map(({ type }) => singleType(type)));
  const isRaced = (union: string): boolean => {
    const found = namedType(schema, union);
    return found.kind === 'union' && found.type.members.some((member) => whole.has(member) || queried.has(member));
  };
  const isServed = (type: TypeRef): boolean => {
    const name = singleType(type);
    return name !== undefined && (whole.has(name) || isRaced(raceOf.get(name) ?? name));
  };
  return {
    /**
     * Whether an object that a resolver returns may lack the field: null, a constant or a race is the fallback. A field
     * with arguments usually has its own resolver.
     */
    field: ({ type, fallback, arguments: args }: GqlField) =>
      (type.kind !== 'nonNull' && !strictNulls) || fallback !== undefined || args !== undefined || isServed(type),
    /** Whether an operation works without a resolver. */
    operation: ({ type }: GqlOperation) => isServed(type),
  };
}

/** The types whose values constants give. They do not define the length of a list. */
function wholeTypes(schema: GqlSchema): ReadonlySet<string> {
  const whole = new Set<string>();
  let before = -1;
  // A type is added only after the types of its fields, so types that refer to each other never are.
  while (before < whole.size) {
    before = whole.size;
    for (const { name, fields } of schema.objects) {
      const isKnown = ({ type, fallback }: GqlField): boolean =>
        fallback !== undefined || whole.has(singleType(type) ?? '');
      const mayLack = (field: GqlField): boolean => field.type.kind !== 'nonNull' || isKnown(field);
      if (fields.some(isKnown) && fields.every(mayLack)) whole.add(name);
    }
  }
  return whole;
}
