import type { GqlSchema } from '../../schema/gql-schema.js';
import { globalNames } from './global-names.js';

/** What the emitted module calls things of its own; a type of a topology may not have such a name either. */
const ownNames: readonly string[] = [
  'Arguments',
  'CompleteResolvers',
  'Context',
  'Field',
  'FieldResolver',
  'FieldResolvers',
  'Given',
  'GraphQLResolveInfo',
  'GraphQLScalarType',
  'Lacking',
  'Member',
  'MutationArguments',
  'MutationResolvers',
  'MutationResults',
  'Name',
  'NeededMutations',
  'NeededQueries',
  'NoArguments',
  'ObjectTypes',
  'Parent',
  'Paths',
  'Payload',
  'QueryArguments',
  'QueryResolvers',
  'QueryResults',
  'Resolver',
  'Resolvers',
  'Rest',
  'Result',
  'RowNames',
  'RowResolvers',
  'Rows',
  'SubscriptionArguments',
  'SubscriptionPayloads',
  'SubscriptionResolver',
  'SubscriptionResolvers',
  'Type',
  'TypeResolver',
  'UnionTypes',
  'Value',
];

/**
 * The names that the types of a schema have in TypeScript: their own, except where TypeScript, the platform
 * or the emitted module has that name already. Such a type gets `Type` behind its name, and as many `_` as
 * it takes to be alone.
 *
 * @returns A function from the name of a type of the schema to its name in TypeScript.
 */
export function typeNames(schema: GqlSchema): (name: string) => string {
  const lists = [schema.objects, schema.inputs, schema.enums, schema.scalars, schema.unions];
  const all = lists.flatMap((list) => list.map(({ name }) => name));
  const taken = new Set(all);
  const renamed = new Map<string, string>();
  for (const name of all) {
    if (!globalNames.has(name) && !ownNames.includes(name)) continue;
    let free = `${name}Type`;
    while (taken.has(free) || globalNames.has(free) || ownNames.includes(free)) free += '_';
    taken.add(free);
    renamed.set(name, free);
  }
  return (name) => renamed.get(name) ?? name;
}
