import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FetchCompatibleGraphQLServer } from '../../server/options.js';
import { answerDirectly, type DirectExchange } from './node-direct.js';
import { type NodeHost, openRequest } from './node-request.js';
import { endWith, fail, sendDirect, sendResponse } from './node-response.js';

/**
 * Makes a listener for Node's `http.createServer` out of anything that answers fetch requests. Bodies are
 * streamed both ways at the speed of the slower side, and a client that goes away aborts its request.
 * `createServer(createNodeListener(server)).listen(4000)` puts a server on a port.
 */
export function createNodeListener(
  server: FetchCompatibleGraphQLServer,
  host: NodeHost = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const passWhole = (outgoing: ServerResponse, body?: Uint8Array): void => {
    answer(server, host, outgoing.req, outgoing, body).catch((error: unknown) => fail(outgoing, error));
  };
  const ways: DirectExchange<ServerResponse> = { send: sendDirect, passWhole, fail };
  return (incoming, outgoing) => {
    if (!answerDirectly(server, host, incoming, outgoing, ways, outgoing)) passWhole(outgoing);
  };
}

async function answer(
  server: FetchCompatibleGraphQLServer,
  host: NodeHost,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: Uint8Array | undefined,
): Promise<void> {
  const request = openRequest(incoming, outgoing, host, body);
  if (typeof request === 'number') return endWith(outgoing, request);
  const response = await server.fetch(request);
  await sendResponse(response, incoming, outgoing);
}
