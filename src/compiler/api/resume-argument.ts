import { named } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation } from '../schema/gql-schema.js';

/** The name of the argument with the id of the event after which a subscription begins. */
export const resumeArgument = 'after';

/** Whether a subscription has the argument `after` in GraphQL: those to FORK edges, unless a filter has this name. */
export function isResumable({
  kind,
  edges,
  arguments: args,
}: Pick<GqlOperation, 'kind' | 'edges' | 'arguments'>): boolean {
  return kind === 'subscription' && edges.length > 0 && !args.some(({ name }) => name === resumeArgument);
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
