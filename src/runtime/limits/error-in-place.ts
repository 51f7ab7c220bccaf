import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';

/** An error at the nodes and the path of another one. */
export function errorInPlaceOf(
  error: GraphQLError | undefined,
  message: string,
  extensions: GraphQLErrorExtensions,
  originalError?: Error,
): GraphQLError {
  return new GraphQLError(message, {
    nodes: error?.nodes ?? null,
    source: error?.source ?? null,
    positions: error?.positions ?? null,
    path: error?.path ?? null,
    originalError: originalError ?? null,
    extensions,
  });
}
