import { GraphQLError } from 'graphql';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { ChannelPlace } from './call-channel.js';

/** An error of an operation that names the node whose channel it is about. */
export function nodeError({ channel, node }: ChannelPlace, finding: Diagnostic): GraphQLError {
  return new GraphQLError(finding.message, {
    extensions: { code: finding.code, node: node.id, transport: channel.transport },
  });
}
