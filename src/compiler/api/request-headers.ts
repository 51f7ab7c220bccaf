import type { JsonObject, JsonValue } from '../graph/json-value.js';
import { named, nonNull } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation } from '../schema/gql-schema.js';
import { leafText } from '../schema/wire.js';
import { placeArguments, type RestRoute } from './rest-routes.js';

export interface RestHeader {
  readonly name: string;
  readonly value: string;
  readonly description?: string | undefined;
}

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

/** The headers of a request: those with arguments, and the precondition that a write requires. */
export function headersWith(route: RestRoute, values: JsonObject): readonly RestHeader[] {
  const headers = placeArguments(route).header.flatMap(({ name, header = '', description }): RestHeader[] => {
    const value = Object.hasOwn(values, name) ? (values[name] as JsonValue) : null;
    return value === null ? [] : [{ name: header, value: leafText(value), description }];
  });
  if (route.operation.etag !== 'required') return headers;
  const { name, examples = [] } = conditionalHeader(route.operation);
  return [...headers, { name, value: String(examples[0]) }];
}
