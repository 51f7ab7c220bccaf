import { resumeArgument } from '../graph/names.js';
import { named } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation } from '../schema/gql-schema.js';

/** Whether a subscription has the argument `after` in GraphQL: those to FORK edges, unless a filter has this name. */
export function isResumable(operation: Pick<GqlOperation, 'kind' | 'edges' | 'arguments'>): boolean {
  const isTaken = operation.arguments.some(({ name }) => name === resumeArgument);
  return operation.kind === 'subscription' && operation.edges.length > 0 && !isTaken;
}

/** The arguments of an operation in GraphQL: `after` is no filter, so the model does not list it. */
export function graphqlArguments(operation: GqlOperation): readonly GqlArgument[] {
  return isResumable(operation) ? [...operation.arguments, after] : operation.arguments;
}

const after: GqlArgument = {
  name: resumeArgument,
  description: undefined,
  type: named('String'),
  fallback: undefined,
  span: undefined,
};
