import { baseName } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, isComposite, memberNames, namedType, objectFields } from '../../schema/schema-index.js';

/** The objects, unions and inputs that operations and declared errors have, directly or nested in others. */
export function reachableTypes(schema: GqlSchema, operations: readonly GqlOperation[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const returned = (name: string): void => {
    if (reached.has(name)) return;
    if (!isComposite(schema, name)) return;
    reached.add(name);
    rest.push(() => {
      for (const member of memberNames(namedType(schema, name))) returned(member);
      for (const { type, arguments: args = [] } of objectFields(schema, name)) {
        returned(baseName(type));
        for (const argument of args) taken(baseName(argument.type));
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
