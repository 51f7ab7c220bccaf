import { GraphQLError } from 'graphql';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';

/** A GraphQL error with the node of the failed channel. */
export function nodeError({ message, code }: Diagnostic, node: string, transport: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, node, transport } });
}

/** The GraphQL error of a value of the client; REST answers it with 400. */
export function inputError(
  message: string,
  parameter: string,
  node: string,
  transport: string,
): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', parameter, node, transport } });
}
