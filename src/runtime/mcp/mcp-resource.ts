import type { ServerEvent } from '@modelcontextprotocol/server';
import { parseUrl } from '../../base/source/parse-url.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { type Problem, ProblemError } from '../call/problem.js';
import { type Answer, answerOf, jsonAnswer } from '../http/answer.js';
import { isForeign } from '../http/csrf.js';
import type { Exchange, Resource, Route } from '../http/exchange.js';
import { checkBatch, decodeBody, readJsonText, receiveBody } from '../http/read-body.js';
import { cuttable } from '../http/sse/stream-cut.js';
import { isJsonObject } from '../limits/parse-json.js';
import { loadPeer } from '../load/load-peer.js';
import { isLocalName } from '../traffic/forwarded.js';
import { noticeOf } from './events.js';
import { type Mcp, mcpPackage } from './mcp.js';
import { type CallContext, createSdkServer } from './sdk-server.js';
import { createTasks } from './tasks.js';

/** Streamable HTTP of MCP 2026-07-28, and of 2025-03-26 and later without sessions: it answers POST only. */
export function createMcpResource(mcp: Mcp): Resource {
  const { limits } = mcp.environment;
  const load = () => loadPeer([mcpPackage], () => import('@modelcontextprotocol/server'));
  const run = async (exchange: Exchange): Promise<Answer> => {
    const sdk = await load();
    const uris = listenedUris(exchange.json);
    const followed = await followAll(mcp, exchange, uris);
    const { durable } = mcp;
    const tasks = durable && createTasks(sdk, mcp, durable, exchangeOf);
    // One for each request, so that the events of a caller reach no other caller.
    const handler = sdk.createMcpHandler(
      ({ era }) =>
        createSdkServer(sdk, mcp, exchangeOf, { canSubscribe: era === 'modern', notifies: false }, tasks).server,
      { ...(followed !== undefined && { bus: followed.bus }), onerror: () => undefined },
    );
    let isCut = false;
    void followed?.ended.then((cut) => {
      isCut = cut.includes(true);
      return handler.close();
    });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { exchange } };
    const response = await handler.fetch(exchange.requestWith(''), { authInfo, parsedBody: exchange.json });
    return answerTo(response, () => isCut);
  };
  const post: Route = {
    access: {},
    checkOrigin: refuseForeign,
    read: (exchange) => receiveBody(exchange, limits.body),
    parse(exchange) {
      decodeBody(exchange);
      exchange.json = readJsonText(exchange.text, 'The body');
      // JSON-RPC 2.0, section 6; MCP has lists in version 2025-03-26 only.
      checkBatch(exchange.json, limits);
    },
    run,
  };
  return { allow: 'POST, OPTIONS', routes: new Map([['POST', post]]), refuse };
}

function exchangeOf({ http }: CallContext): Exchange {
  const exchange = http?.authInfo?.extra?.exchange;
  if (exchange === undefined) throw new Error('invariant: a request over HTTP has an exchange');
  return exchange as Exchange;
}

/** A body that is complete is kept as text, for metrics, logs and repeats. */
async function answerTo(response: Response, isCut: () => boolean): Promise<Answer> {
  const type = response.headers.get('content-type');
  if (type?.startsWith('application/json') !== true) {
    const answer = answerOf(response);
    // The result of `subscriptions/listen` ends it.
    const isEnd = (text: string) => text.includes('"result":');
    if (answer.body instanceof ReadableStream) answer.body = cuttable(answer.body, isCut, isEnd);
    return answer;
  }
  const answer = jsonAnswer(response.status, await response.text(), ['cache-control', 'no-store']);
  const challenge = response.headers.get('www-authenticate');
  if (challenge !== null) answer.set('www-authenticate', challenge);
  return answer;
}

/** The resources that a message `subscriptions/listen` asks for. */
export function listenedUris(message: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(message) || message.method !== 'subscriptions/listen') return [];
  const { params } = message;
  const filter = isJsonObject(params) && isJsonObject(params.notifications) ? params.notifications : {};
  const uris = filter.resourceSubscriptions;
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === 'string'))] : [];
}

/**
 * Opens the subscriptions of a request before it is answered, so that a caller without access gets an error.
 *
 * @throws {ProblemError} If one of them cannot be opened.
 */
async function followAll(mcp: Mcp, exchange: Exchange, uris: readonly string[]) {
  if (uris.length === 0) return undefined;
  const most = mcp.environment.limits.rootFields;
  if (uris.length > most)
    throw new ProblemError({
      status: 400,
      detail: `A request may subscribe to ${most} resources, not ${uris.length}.`,
    });
  const listeners = new Set<(event: ServerEvent) => void>();
  const ending = new AbortController();
  const end = () => ending.abort();
  const signal = AbortSignal.any([exchange.signal(), ending.signal]);
  const ended: Promise<boolean>[] = [];
  try {
    for (const uri of uris) {
      const following = await mcp.events.follow(uri, exchange, signal, (event) => {
        for (const listen of listeners) listen({ kind: 'resource_updated', uri, params: noticeOf(uri, event) });
      });
      ended.push(following.ended);
    }
  } catch (error) {
    end();
    throw error;
  }
  const bus = {
    publish: () => undefined,
    subscribe(listener: (event: ServerEvent) => void) {
      listeners.add(listener);
      return end;
    },
  };
  return { bus, ended: Promise.all(ended) };
}

/**
 * Refuses pages of other origins (MCP 2026-07-28, “Transports”, security warning). DNS rebinding gives a page the name of
 * this machine's address, so a page of the same host must be one of this machine by its name, too.
 */
function refuseForeign(exchange: Exchange): void {
  const origin = exchange.header('origin');
  if (origin === undefined && !isForeign(exchange)) return;
  const hostname = parseUrl(origin ?? '')?.hostname ?? '';
  if (!isForeign(exchange) && isLocalName(hostname)) return;
  const detail = `Pages of ${origin ?? 'other sites'} may not use MCP. Add the origin to cors.origins if they should.`;
  throw new ProblemError({ status: 403, detail, members: { code: 'FORBIDDEN' } });
}

function refuse({ json }: Exchange, { status, detail, members, headers = [] }: Problem): Answer {
  const id = isJsonObject(json) && ['string', 'number'].includes(typeof json.id) ? json.id : null;
  const code = status >= 500 ? internalError : invalidRequest;
  const error = { code, message: detail, data: { status, ...members } };
  return jsonAnswer(status, JSON.stringify({ jsonrpc: '2.0', error, id }), headers);
}

/** JSON-RPC 2.0, section 5.1. */
export const invalidRequest = -32600;
const internalError = -32603;
