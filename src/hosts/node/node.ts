import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise } from '../../execute/values/maybe-promise.js';
import { type Answer, answerOf } from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { createForeignSite } from '../../http/foreign-site.js';
import { answerExchange } from '../../http/steps.js';
import type { FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import { answeringService } from '../../server/gql-service.js';
import { NodeExchange, type NodeHost } from './node-exchange.js';
import { writeAnswer } from './write-answer.js';

/** Answers an exchange. Never throws and never rejects. */
export type Answerer = (exchange: Exchange) => MaybePromise<Answer>;

/**
 * Makes a listener for Node's `http.createServer` out of anything that answers fetch requests. Bodies are
 * streamed both ways at the speed of the slower side, and a client that disconnects aborts its request.
 * `createServer(createNodeListener(server)).listen(4000)` puts a server on a port.
 */
export function createNodeListener(
  server: FetchCompatibleGraphQLServer,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const foreign = createForeignSite({
    run: async (exchange) => answerOf(await server.fetch(exchange.request())),
  });
  return createListener((exchange) => {
    const service = answeringService(server);
    return service === undefined ? answerExchange(exchange, foreign) : service.answer(exchange);
  });
}

/** Makes a listener for Node's `http.createServer`. */
export function createListener(
  answer: Answerer,
  host?: NodeHost,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const exchange = new NodeExchange(incoming, outgoing, host);
    if (!exchange.begin()) return;
    const answered = answer(exchange);
    if (answered instanceof Promise) void answered.then((later) => writeAnswer(later, exchange));
    else writeAnswer(answered, exchange);
  };
}
