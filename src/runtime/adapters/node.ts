import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { eventFeedOf } from '../live/event-feed.js';
import type { FetchCompatibleGraphQLServer } from '../options.js';

/** How long a client may go on sending a body after it was answered, in milliseconds. */
const maxDiscardTime = 5_000;

/** How many headers a request may have. Node leaves out what is beyond its own limit without a word. */
const maxHeaders = 200;

/** How a host that stands on Node differs from Node itself. */
export interface NodeHost {
  /** The path and the query that are asked for; unless given, those that the client sent. */
  readonly address?: (incoming: IncomingMessage) => string;
  /** Sees each request before it is answered. */
  readonly prepare?: (request: Request, incoming: IncomingMessage, outgoing: ServerResponse) => void;
}

/**
 * Makes a listener for Node's `http.createServer` out of anything that answers fetch requests. Bodies are
 * streamed both ways at the speed of the slower side, and a client that goes away aborts its request.
 * `createServer(createNodeListener(server)).listen(4000)` puts a server on a port.
 */
export function createNodeListener(
  server: FetchCompatibleGraphQLServer,
  host: NodeHost = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    answer(server, host, incoming, outgoing).catch((error: unknown) => {
      // When the client is gone, whatever failed over it is of no interest any more.
      if (outgoing.destroyed) return;
      console.error(error);
      // An answer that is half sent can only be cut off, so that nobody takes it for whole.
      if (outgoing.headersSent) outgoing.destroy();
      else endWith(outgoing, 500);
    });
  };
}

async function answer(
  server: FetchCompatibleGraphQLServer,
  host: NodeHost,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = openRequest(incoming, outgoing, host);
  if (typeof request === 'number') return endWith(outgoing, request);
  const response = await server.fetch(request);
  await sendResponse(response, incoming, outgoing);
}

/**
 * Makes a fetch request out of Node's, aborted when the client goes away before it is answered. Gives the
 * status to refuse it with where it is a request to Node but none to fetch.
 */
export function openRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  host: NodeHost = {},
): Request | 400 | 405 | 431 {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  if (incoming.method === 'TRACE') return 405;
  if (incoming.rawHeaders.length > 2 * maxHeaders) return 431;
  const request = toRequest(incoming, host.address?.(incoming) ?? incoming.url ?? '/', controller.signal);
  if (request === undefined) return 400;
  host.prepare?.(request, incoming, outgoing);
  return request;
}

/** Sends a fetch response over Node's, at the speed of the client. */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (outgoing.destroyed) {
    await response.body?.cancel();
    return;
  }
  writeHead(response, outgoing);
  const feed = eventFeedOf(response);
  if (response.body === null || incoming.method === 'HEAD') outgoing.end();
  else if (feed !== undefined) await feed(outgoing);
  else await pipe(response.body, outgoing);
  discardRest(incoming);
}

/** Undefined for what is a request to Node but none to fetch: an address, a header or a method that it refuses. */
function toRequest(incoming: IncomingMessage, address: string, signal: AbortSignal): Request | undefined {
  const { method = 'GET' } = incoming;
  const parsed = parsedBody(incoming);
  const headers = new Headers();
  try {
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      headers.append(incoming.rawHeaders[at] as string, incoming.rawHeaders[at + 1] as string);
    }
    // What was read already was decoded too, and written anew it has another length.
    if (parsed !== undefined) for (const name of bodyHeaders) headers.delete(name);
    return new Request(urlOf(incoming, address), {
      method,
      headers,
      signal,
      ...(method === 'GET' || method === 'HEAD'
        ? {}
        : { body: parsed ?? toStream(incoming), duplex: 'half' }),
    });
  } catch {
    return undefined;
  }
}

/** The headers that say how a body was sent. */
const bodyHeaders = ['content-encoding', 'content-length', 'transfer-encoding'];

/** The body as a parser in front, such as that of Express, has left it; undefined when it is still to be read. */
function parsedBody(incoming: IncomingMessage): string | Uint8Array<ArrayBuffer> | undefined {
  const { body } = incoming as { readonly body?: unknown };
  if (body === undefined || !incoming.readableDidRead) return undefined;
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** The path is appended, not resolved: `//host/path` is a path here, and not the address of another host. */
function urlOf({ headers, socket }: IncomingMessage, url: string): URL {
  if (/^https?:\/\//i.test(url)) return new URL(url);
  const scheme = (socket as TLSSocket).encrypted ? 'https' : 'http';
  return new URL(`${scheme}://${headers.host ?? 'localhost'}${url.startsWith('/') ? url : `/${url}`}`);
}

/** Reads from the connection only when somebody reads from the stream. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value as Uint8Array);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function writeHead(response: Response, outgoing: ServerResponse): void {
  outgoing.statusCode = response.status;
  if (response.statusText !== '') outgoing.statusMessage = response.statusText;
  for (const [name, value] of response.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
}

/**
 * Lets through what the client still sends of a body that nobody wants: many clients read the answer only
 * when they have sent everything. One that does not come to an end is cut off.
 */
function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const timer = setTimeout(() => incoming.destroy(), maxDiscardTime);
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}

async function pipe(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // A client that is gone reads no more; the source has to hear of it even while it has nothing to say.
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  // A stream that has nothing to say yet sends its headers alone; any other sends them with its first bytes.
  const early = setImmediate(() => outgoing.flushHeaders());
  outgoing.once('close', () => clearImmediate(early));
  for (;;) {
    const { done, value } = await reader.read();
    clearImmediate(early);
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.on('drain', settle).on('close', settle);
  });
}

function endWith(outgoing: ServerResponse, status: number): void {
  outgoing.statusCode = status;
  outgoing.setHeader('connection', 'close');
  outgoing.end();
}
