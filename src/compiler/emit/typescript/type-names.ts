import { takeName } from '../../graph/names.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { globalNames } from './global-names.js';

/** The names that the emitted module declares itself. */
const ownNames: ReadonlySet<string> = new Set(
  `
Arguments ArgumentsOf BatchKeys BatchResolver BatchResolverOf CompleteResolvers Context Element ElementKey
Field FieldArguments FieldResolver FieldResolvers Given GraphQLResolveInfo GraphQLScalarType Key Keys KeysOf
Lacking Member MutationArguments MutationResolvers MutationResults Name NeededMutations NeededQueries
NoArguments ObjectTypes Paged Parent Paths Payload QueryArguments QueryResolvers QueryResults Resolver
Resolvers Rest Result RowNames RowResolvers Rows Streams SubscriptionArguments SubscriptionPayloads
SubscriptionResolver SubscriptionResolvers Type TypeResolver UnionTypes Value
`
    .trim()
    .split(/\s+/),
);

/**
 * Gives each type of a schema its TypeScript name: its own, unless TypeScript, the platform or the emitted module
 * uses that name. Then the suffix is `Type`, followed by `_` until the name is unique.
 *
 * @returns A function from the name of a type in the schema to its name in TypeScript.
 */
export function typeNames(schema: GqlSchema): (name: string) => string {
  const { objects, interfaces = [], inputs, enums, scalars, unions, problems = [] } = schema;
  const types = [objects, interfaces, inputs, enums, scalars, unions, problems].flat();
  const all = types.map(({ name }) => name);
  const taken = new Set([...all, ...globalNames, ...ownNames]);
  const renamed = new Map<string, string>();
  for (const name of all) {
    if (globalNames.has(name) || ownNames.has(name)) renamed.set(name, takeName(taken, `${name}Type`));
  }
  return (name) => renamed.get(name) ?? name;
}
