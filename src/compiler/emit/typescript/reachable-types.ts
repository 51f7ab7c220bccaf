import { baseName } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, memberNames, namedType } from '../../schema/schema-index.js';

/** The objects, unions and inputs that operations and declared errors have, directly or nested in others. */
export function reachableTypes(schema: GqlSchema, operations: readonly GqlOperation[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const returned = (name: string): void => {
    if (reached.has(name)) return;
    const found = namedType(schema, name);
    if (found.kind !== 'object' && found.kind !== 'union' && found.kind !== 'interface') return;
    reached.add(name);
    rest.push(() => {
      if (found.kind !== 'object') for (const member of memberNames(found)) returned(member);
      else {
        for (const { type, arguments: args = [] } of found.type.fields) {
          returned(baseName(type));
          for (const argument of args) taken(baseName(argument.type));
        }
      }
    });
  };
  const taken = (name: string): void => {
    const input = inputTypeOf(schema, name);
    if (input === undefined || reached.has(input.name)) return;
    reached.add(input.name);
    rest.push(() => {
      for (const { type } of input.fields) taken(baseName(type));
    });
  };
  // A list in place of recursion: types may be nested as deep as a topology is large.
  const rest: (() => void)[] = [];
  for (const { type, arguments: args } of operations) {
    returned(baseName(type));
    for (const argument of args) taken(baseName(argument.type));
  }
  for (const { fields } of schema.problems ?? []) for (const { type } of fields) returned(baseName(type));
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) next();
  return reached;
}
