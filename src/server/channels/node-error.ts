import { GraphQLError } from 'graphql';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';

/** An error of an operation that names the node whose channel it is about. */
export function nodeError({ message, code }: Diagnostic, node: string, transport: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, node, transport } });
}
