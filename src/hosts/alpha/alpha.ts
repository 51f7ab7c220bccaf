import type { ApolloServer, BaseContext, HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import { Answer } from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { loadPeer } from '../../load/load-peer.js';
import { withScope } from './alpha-context.js';

/**
 * Answers GraphQL over HTTP with an Apollo Server that was started, which brings the protocol: GET and POST,
 * content types, statuses.
 *
 * @param contextFor - Makes the context; what it throws is shown as it is.
 * @param isOurs - Whether the server was made from a topology, and answers like all of them; any other answers as
 * Apollo does.
 */
export async function createAlphaHandler<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
  contextFor: (exchange: Exchange) => unknown,
  isOurs: boolean,
): Promise<(exchange: Exchange) => Promise<Answer>> {
  const { HeaderMap } = await loadPeer(['@apollo/server', 'graphql'], () => import('@apollo/server'));
  return async (exchange) => {
    const headers = new HeaderMap();
    for (const name of exchange.headerNames()) headers.set(name, exchange.header(name) ?? '');
    // The step `checkOrigin` has judged this before, the same for every engine.
    if (isOurs) headers.set('apollo-require-preflight', '1');
    const { method, query, json } = exchange;
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method, headers, search: query === '' ? '' : `?${query}`, body: json },
      context: async () => withScope(await contextFor(exchange), exchange) as TContext,
    });
    return toAnswer(isOurs ? withSpecifiedStatus(answer) : answer);
  };
}

/** The codes of errors that come of an operation before it is run. */
const refusals: readonly unknown[] = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'];

/**
 * GraphQL over HTTP answers a well-formed request with 200 to a client that takes `application/json` only, even if the
 * operation is refused. Apollo answers 400 to every media type.
 */
function withSpecifiedStatus(answer: HTTPGraphQLResponse): HTTPGraphQLResponse {
  const { status, headers, body } = answer;
  if (status !== 400 || body.kind !== 'complete') return answer;
  if (headers.get('content-type')?.startsWith('application/json') !== true) return answer;
  const { errors = [] } = JSON.parse(body.string) as { errors?: readonly GraphQLFormattedError[] };
  return errors.every(({ extensions }) => refusals.includes(extensions?.code))
    ? { ...answer, status: 200 }
    : answer;
}

function toAnswer({ status = 200, headers, body }: HTTPGraphQLResponse): Answer {
  const answer = new Answer(
    status,
    [...headers].flat(),
    body.kind === 'complete' ? body.string : toStream(body.asyncIterator),
  );
  if (headers.get('content-type') === 'text/html') answer.set('content-type', 'text/html; charset=utf-8');
  return answer;
}

function toStream(chunks: AsyncIterableIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
