import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import { answerOf } from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { createForeignSite } from '../../http/foreign-site.js';
import { type AnswerWriter, answerExchange } from '../../http/steps.js';
import type { FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import { answeringService } from '../../server/gql-service.js';
import { NodeExchange, type NodeHost } from './node-exchange.js';
import { writeAnswer } from './write-answer.js';

/** Answers an exchange. Never throws. */
export type Answerer = <Host extends Exchange>(exchange: Host, write: AnswerWriter<Host>) => void;

/**
 * Creates a listener for Node's `http.createServer` from anything with `fetch`. Bodies are streamed both ways at the
 * speed of the slower side, and a client that disconnects aborts its request. Usage:
 * `createServer(createNodeListener(server)).listen(4000)`.
 */
export function createNodeListener(
  server: FetchCompatibleGraphQLServer,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return createCurrentListener(() => server);
}

/** Makes the same listener for a server that is replaced while requests arrive: each goes to the current one. */
export function createCurrentListener(
  current: () => FetchCompatibleGraphQLServer,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const foreign = answererOf((request) => current().fetch(request));
  return createListener((exchange, write) => {
    const service = answeringService(current());
    if (service === undefined) foreign(exchange, write);
    else service.answer(exchange, write);
  });
}

export type PeerFetch = (request: Request, peer: string | undefined) => MaybePromise<Response>;

/** Makes a listener from a function that answers requests. */
export function createFetchListener(
  fetch: PeerFetch,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return createListener(answererOf(fetch));
}

function answererOf(fetch: PeerFetch): Answerer {
  const site = createForeignSite({
    run: async (exchange) => answerOf(await fetch(exchange.request(), exchange.peer)),
  });
  return (exchange, write) => answerExchange(exchange, site, write);
}

export function createListener(
  answer: Answerer,
  host?: NodeHost,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const exchange = new NodeExchange(incoming, outgoing, host);
    if (exchange.begin()) answer(exchange, writeAnswer);
  };
}
