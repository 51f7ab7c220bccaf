import type { ApolloServer, BaseContext, HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLHandler } from '../engine.js';
import { loadPeer } from '../load-peer.js';
import { withScope } from './alpha-context.js';

/**
 * Answers GraphQL over HTTP with an Apollo Server that was started, which brings the protocol: GET and POST,
 * content types, statuses.
 *
 * @param contextFor - Makes the context; what it throws is shown as it is.
 */
export async function createAlphaHandler<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
  contextFor: (request: Request) => unknown,
): Promise<GraphQLHandler> {
  const { HeaderMap } = await loadPeer(['@apollo/server', 'graphql'], () => import('@apollo/server'));
  return async ({ body }, request) => {
    const headers = new HeaderMap();
    for (const [name, value] of request.headers) headers.set(name, value);
    const { search } = new URL(request.url);
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method, headers, search, body },
      context: async () => withScope(await contextFor(request), request) as TContext,
    });
    return toResponse(answer);
  };
}

function toResponse({ status, headers, body }: HTTPGraphQLResponse): Response {
  const given = new Headers([...headers]);
  if (given.get('content-type') === 'text/html') given.set('content-type', 'text/html; charset=utf-8');
  // A length that Apollo has counted holds for a whole answer only.
  if (body.kind === 'chunked') given.delete('content-length');
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
