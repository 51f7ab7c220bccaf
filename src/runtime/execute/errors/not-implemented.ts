import { GraphQLError } from 'graphql';
import { rootTypeOf } from '../../../compiler/api/operation-coordinate.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { forOperators } from './operator-error.js';
import { edgesOf } from './origin.js';

/** The error of an operation without a resolver or constants. It names the edge and its place in the topology. */
export function operationNotImplemented(schema: GqlSchema, operation: GqlOperation): GraphQLError {
  const coordinate = `${rootTypeOf(operation.kind)}.${operation.name}`;
  const missing =
    operation.kind === 'subscription' ? 'no resolver' : 'no resolver, and its result has no constant';
  return notImplemented(schema, `${coordinate} has ${missing}`, operation);
}

export function fieldNotImplemented(
  schema: GqlSchema,
  coordinate: string,
  operation: GqlOperation | undefined,
): GraphQLError {
  return notImplemented(schema, `${coordinate} has neither a resolver nor a constant`, operation);
}

export function memberNotImplemented(schema: GqlSchema, member: string): GraphQLError {
  return notImplemented(schema, `${member} has neither a query nor a constant`, undefined);
}

function notImplemented(
  schema: GqlSchema,
  message: string,
  operation: GqlOperation | undefined,
): GraphQLError {
  const edges = operation === undefined ? [] : edgesOf(schema, operation);
  const code = 'NOT_IMPLEMENTED';
  const origin = edges.map(({ edge, source }) => `${edge}, ${source}`).join('; ');
  const error =
    edges.length === 0
      ? new GraphQLError(`${message}.`, { extensions: { code } })
      : new GraphQLError(`${message} (${origin}).`, { extensions: { code, edges } });
  return forOperators(error, 'The operation is not implemented.');
}
