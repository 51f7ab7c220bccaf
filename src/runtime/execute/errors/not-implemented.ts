import { GraphQLError } from 'graphql';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { forOperators } from './error-marks.js';
import { edgesOf } from './origin.js';

/** The error of an operation without a resolver or constants. It names the edge and its place in the topology. */
export function operationNotImplemented(schema: GqlSchema, operation: GqlOperation): GraphQLError {
  const missing = operation.kind === 'subscription' ? 'no resolver' : 'no resolver, and its result has no constant';
  return notImplemented(schema, `${operationCoordinate(operation)} has ${missing}`, operation);
}

/** @param problem - What has which value missing: `User.name has neither a resolver nor a constant`. */
export function notImplemented(schema: GqlSchema, problem: string, operation?: GqlOperation): GraphQLError {
  const edges = operation === undefined ? [] : edgesOf(schema, operation);
  const origin = edges.map(({ edge, source }) => `${edge}, ${source}`).join('; ');
  const error = new GraphQLError(edges.length === 0 ? `${problem}.` : `${problem} (${origin}).`, {
    extensions: { code: 'NOT_IMPLEMENTED', ...(edges.length > 0 && { edges }) },
  });
  return forOperators(error, 'The operation is not implemented.');
}
