import { named, nonNull } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation } from '../schema/gql-schema.js';

const text = named('String');

/**
 * The header that makes a REST call of an operation with `etag` conditional (RFC 9110, section 13.1), described as an
 * argument: a read is not answered again, and a write does not overwrite another one.
 */
export function conditionalHeader({ kind, etag }: GqlOperation): GqlArgument {
  const isRead = kind === 'query';
  const header = isRead ? 'If-None-Match' : 'If-Match';
  return {
    name: header,
    header,
    description: isRead
      ? 'The ETag of an earlier response. If the response would be the same, its status is 304, without content.'
      : 'The ETag that the GET of this path had. If it has another one now, the operation does not run.',
    type: etag === 'required' ? nonNull(text) : text,
    examples: [isRead ? '"0"' : '*'],
    fallback: undefined,
    span: undefined,
  };
}
