import type { RequestListener } from 'node:http';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import { answerOf } from '../../http/answer.js';
import type { Exchange, Resource, Route } from '../../http/exchange.js';
import { type AnswerWriter, answerExchange, type Site } from '../../http/steps.js';
import { consoleMonitor } from '../../logs/monitor.js';
import { answeringService, type FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import { createTraffic } from '../../traffic/create-traffic.js';
import { NodeExchange, type NodeHost } from './node-exchange.js';
import { writeAnswer } from './write-answer.js';

/** Answers an exchange. Never throws. */
export type Answerer = <Host extends Exchange>(exchange: Host, write: AnswerWriter<Host>) => void;

/** Creates a listener for `http.createServer` from anything with `fetch`. */
export function createNodeListener(server: FetchCompatibleGraphQLServer): RequestListener {
  return createCurrentListener(() => server);
}

/** Makes the same listener for a server that is replaced while requests arrive: each goes to the current one. */
export function createCurrentListener(current: () => FetchCompatibleGraphQLServer): RequestListener {
  const foreign = fetchAnswerer((request) => current().fetch(request));
  return createListener((exchange, write) => {
    const service = answeringService(current());
    if (service === undefined) foreign(exchange, write);
    else service.answer(exchange, write);
  });
}

type PeerFetch = (request: Request, peer: string | undefined) => MaybePromise<Response>;

/** Makes a listener from a function that answers requests. */
export function createFetchListener(fetch: PeerFetch): RequestListener {
  return createListener(fetchAnswerer(fetch));
}

function fetchAnswerer(fetch: PeerFetch): Answerer {
  return foreignAnswerer({
    run: async (exchange) => answerOf(await fetch(exchange.request(), exchange.peer)),
  });
}

/**
 * Makes the answerer of a server of another package: one route for every path and method. The steps still check requests
 * and mask errors.
 */
export function foreignAnswerer(route: Route): Answerer {
  const resource: Resource = { allow: '', routes: { get: () => route } };
  const site: Site = {
    ...createTraffic({}, consoleMonitor),
    health: new Map(),
    resources: { get: () => resource },
    loading: Promise.resolve(),
    explainMissing: () => '',
    preventsCsrf: false,
    masksErrors: true,
    isDraining: false,
    monitor: consoleMonitor,
  };
  return (exchange, write) => answerExchange(exchange, site, write);
}

export function createListener(answer: Answerer, host?: NodeHost): RequestListener {
  return (incoming, outgoing) => {
    const exchange = new NodeExchange(incoming, outgoing, host);
    if (exchange.begin()) answer(exchange, writeAnswer);
  };
}
