import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, isComposite, memberNames, namedType, objectFields } from '../../schema/schema-index.js';

/** The objects, unions and inputs that operations and declared errors have, directly or nested in others. */
export function reachableTypes(schema: GqlSchema, operations: readonly GqlOperation[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const add = (name: string): void => {
    if (isComposite(schema, name)) reached.add(name);
  };
  const addTaken = ({ type }: GqlArgument): void => {
    const input = inputTypeOf(schema, baseName(type));
    if (input !== undefined) reached.add(input.name);
  };
  const addReturned = ({ type, arguments: args }: Pick<GqlField, 'type' | 'arguments'>): void => {
    add(baseName(type));
    args?.forEach(addTaken);
  };
  operations.forEach(addReturned);
  for (const { fields } of schema.problems ?? []) for (const { type } of fields) add(baseName(type));
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const name of reached) {
    const found = namedType(schema, name);
    if (found.kind === 'input') found.type.fields.forEach(addTaken);
    memberNames(found).forEach(add);
    objectFields(schema, name).forEach(addReturned);
  }
  return reached;
}
