import { withoutAccess } from '../graph/access.js';
import { baseName } from '../graph/type-ref.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../schema/gql-schema.js';
import { namedType, withInternal } from '../schema/schema-index.js';
import { rootTypeOf } from './operation-coordinate.js';

/**
 * Makes the function that finds the queries which may run in place of a field, by its coordinate `Type.field`: a race
 * runs the first query of each of its members, and such a query may race again.
 */
export function reachedOperations(schema: GqlSchema): (coordinate: string) => readonly GqlOperation[] {
  const whole = withInternal(schema);
  const queries = new Map<string, GqlOperation>();
  for (const query of whole.queries) {
    const type = baseName(query.type);
    if (!queries.has(type)) queries.set(type, query);
  }
  const raceOf = new Map(whole.internal?.races.map(({ target, name }) => [target, name]));
  const collect = (typeName: string, found: Map<string, GqlOperation>, isOpen: boolean): void => {
    const race = namedType(whole, raceOf.get(typeName) ?? typeName);
    if (race.kind !== 'union') return;
    for (const member of race.type.members) {
      const query = queries.get(member);
      if (query === undefined || found.has(query.name)) continue;
      // The topology says why callers may reach it all the same.
      const isFree = isOpen || race.type.open?.[member] !== undefined;
      found.set(query.name, isFree ? (withoutAccess(query) as GqlOperation) : query);
      collect(member, found, isFree);
    }
  };
  const reached = new Map<string, readonly GqlOperation[]>();
  const add = (coordinate: string, typeName: string, isOpen: boolean): void => {
    const found = new Map<string, GqlOperation>();
    collect(typeName, found, isOpen);
    if (found.size > 0) reached.set(coordinate, [...found.values()]);
  };
  for (const { kind, name, type, open } of allOperations(schema)) {
    // Mutations and subscriptions race constants only.
    if (kind === 'query') add(`${rootTypeOf(kind)}.${name}`, baseName(type), open !== undefined);
  }
  for (const { name, fields } of schema.objects)
    for (const field of fields) add(`${name}.${field.name}`, baseName(field.type), field.open !== undefined);
  return (coordinate) => reached.get(coordinate) ?? [];
}
