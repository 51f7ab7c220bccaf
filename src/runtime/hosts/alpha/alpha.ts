import { TextEncoderStream, ReadableStream as WebStream } from 'node:stream/web';
import type { ApolloServer, BaseContext, HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import { Answer, checkedHeaders, lengthOf } from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { completePage } from '../../http/graphql/graphiql.js';
import { loadPeer } from '../../load/load-peer.js';
import { withScope } from './alpha-context.js';

/** Answers GraphQL over HTTP with a started Apollo Server. One without a topology behaves as Apollo does. */
export async function createAlphaHandler<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
  contextFor: (exchange: Exchange) => unknown,
  isOurs: boolean,
): Promise<(exchange: Exchange) => Promise<Answer>> {
  const { HeaderMap } = await loadPeer(['@apollo/server', 'graphql'], () => import('@apollo/server'));
  return async (exchange) => {
    const headers = new HeaderMap();
    for (const name of exchange.headerNames()) headers.set(name, exchange.header(name) ?? '');
    // The step `checkOrigin` has checked this before, the same for every engine.
    if (isOurs) headers.set('apollo-require-preflight', '1');
    const { method, query, json } = exchange;
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method, headers, search: query === '' ? '' : `?${query}`, body: json },
      context: async () => withScope(await contextFor(exchange), exchange) as TContext,
    });
    return toAnswer(isOurs ? withSpecifiedStatus(answer) : answer);
  };
}

/** The codes of errors that occur before an operation runs. */
const refusals: readonly unknown[] = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'];

/**
 * In GraphQL over HTTP, the status of a well-formed request is 200 for `application/json`, even if the operation is
 * refused. Apollo uses 400 for every media type.
 */
function withSpecifiedStatus(answer: HTTPGraphQLResponse): HTTPGraphQLResponse {
  const { status, headers, body } = answer;
  if (body.kind === 'complete' && body.string.startsWith('[')) {
    // Apollo gives a batch the status and the headers of its refused operations.
    headers.delete('www-authenticate');
    return { ...answer, status: 200 };
  }
  if (status !== 400 || body.kind !== 'complete') return answer;
  if (headers.get('content-type')?.startsWith('application/json') !== true) return answer;
  const { errors = [] } = JSON.parse(body.string) as { errors?: readonly GraphQLFormattedError[] };
  return errors.every(({ extensions }) => refusals.includes(extensions?.code)) ? { ...answer, status: 200 } : answer;
}

function toAnswer({ status = 200, headers, body }: HTTPGraphQLResponse): Answer {
  const answer = new Answer(
    status,
    [...checkedHeaders([...headers].flat())],
    body.kind === 'complete'
      ? body.string
      : (WebStream.from(body.asyncIterator).pipeThrough(new TextEncoderStream()) as ReadableStream<Uint8Array>),
  );
  if (body.kind !== 'complete') return answer;
  answer.set('content-length', lengthOf(body.string));
  if (headers.get('content-type') === 'text/html') completePage(answer, body.string);
  return answer;
}
