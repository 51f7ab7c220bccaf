import { baseName } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { memberNames, namedType } from '../../schema/schema-index.js';
import type { GivenResolvers } from '../resolvers/given-resolvers.js';

/**
 * Whether a resolver of the user or of a layer can be called for a value of a type: for one of its fields, of nested
 * types, or of unions and interfaces between them. If not, the result depends only on the value.
 */
export function reachesResolvers(schema: GqlSchema, typeName: string, given: GivenResolvers): boolean {
  const seen = new Set<string>();
  const rest = [typeName];
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const found = namedType(schema, name);
    if (found.kind === 'object') {
      const { fields } = found.type;
      if ([...fields.map((field) => field.name), '__isTypeOf'].some((field) => given.has(name, field))) {
        return true;
      }
      rest.push(...fields.map(({ type }) => baseName(type)));
    } else if (found.kind === 'union' || found.kind === 'interface') {
      // A race that a field starts runs the queries of its members.
      const members = memberNames(found);
      const isRaced = schema.queries.some(
        (query) => members.includes(baseName(query.type)) && given.has('Query', query.name),
      );
      if (isRaced || given.has(name, '__resolveType')) return true;
      rest.push(...members);
    }
  }
  return false;
}
