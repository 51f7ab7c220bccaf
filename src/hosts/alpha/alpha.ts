import type { ApolloServer, BaseContext, HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { GuardedRequest } from '../../http/graphql/request-guard.js';
import { loadPeer } from '../../load/load-peer.js';
import { withScope } from './alpha-context.js';

/**
 * Answers GraphQL over HTTP with an Apollo Server that was started, which brings the protocol: GET and POST,
 * content types, statuses.
 *
 * @param contextFor - Makes the context; what it throws is shown as it is.
 * @param isGuarded - Whether the server is one of ours, and answers like all of them; any other answers as
 * Apollo does.
 */
export async function createAlphaHandler<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
  contextFor: (request: Request) => unknown,
  isGuarded: boolean,
): Promise<(guarded: Pick<GuardedRequest, 'body'>, request: Request) => Promise<Response>> {
  const { HeaderMap } = await loadPeer(['@apollo/server', 'graphql'], () => import('@apollo/server'));
  return async ({ body }, request) => {
    const headers = new HeaderMap();
    for (const [name, value] of request.headers) headers.set(name, value);
    // Whether a page of another site could have sent this was judged before, the same for every engine.
    if (isGuarded) headers.set('apollo-require-preflight', '1');
    const { search } = new URL(request.url);
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method, headers, search, body },
      context: async () => withScope(await contextFor(request), request) as TContext,
    });
    return toResponse(isGuarded ? withSpecifiedStatus(answer) : answer);
  };
}

/** The codes of errors that come of an operation before it is run. */
const refusals: readonly unknown[] = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'];

/**
 * To a client that takes `application/json` alone, GraphQL over HTTP answers a well-formed request with 200,
 * whatever comes of its operation; Apollo answers 400 to every media type.
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

function toResponse({ status, headers, body }: HTTPGraphQLResponse): Response {
  const given = new Headers([...headers]);
  if (given.get('content-type') === 'text/html') given.set('content-type', 'text/html; charset=utf-8');
  if (body.kind === 'complete') given.set('content-length', String(Buffer.byteLength(body.string)));
  return new Response(body.kind === 'complete' ? body.string : toStream(body.asyncIterator), {
    status: status ?? 200,
    headers: given,
  });
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
