import type { GqlSchema } from '../../schema/gql-schema.js';
import { globalNames } from './global-names.js';

/** The names that the emitted module declares itself. */
const ownNames: readonly string[] = [
  'Arguments',
  'ArgumentsOf',
  'BatchKeys',
  'BatchResolver',
  'BatchResolverOf',
  'CompleteResolvers',
  'Context',
  'Element',
  'ElementKey',
  'Field',
  'FieldArguments',
  'FieldResolver',
  'FieldResolvers',
  'Given',
  'GraphQLResolveInfo',
  'GraphQLScalarType',
  'Key',
  'Keys',
  'KeysOf',
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
  'Paged',
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
  'Streams',
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
 * Gives each type of a schema its TypeScript name: its own, unless TypeScript, the platform or the emitted module
 * uses that name. Then the suffix is `Type`, followed by `_` until the name is unique.
 *
 * @returns A function from the name of a type in the schema to its name in TypeScript.
 */
export function typeNames(schema: GqlSchema): (name: string) => string {
  const lists = [
    schema.objects,
    schema.interfaces ?? [],
    schema.inputs,
    schema.enums,
    schema.scalars,
    schema.unions,
    schema.problems ?? [],
  ];
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
