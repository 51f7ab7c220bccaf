import { GraphQLError } from 'graphql';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';

/** A GraphQL error with the node of the failed channel. */
export function nodeError({ message, code }: Diagnostic, node: string, transport: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, node, transport } });
}
