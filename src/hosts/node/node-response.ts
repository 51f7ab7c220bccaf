import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DirectAnswer } from '../../http/direct/direct-request.js';
import { eventFeedOf } from '../../http/sse/event-feed.js';

/** How long a client may go on sending a body after it was answered, in milliseconds. */
const maxDiscardTime = 5_000;

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

const [contentLength, contentType] = ['content-length', 'content-type'] as const;

/** The header of an answer of the common kind. */
export function contentTypeOf({ mediaType }: DirectAnswer): string {
  return mediaType === undefined ? 'application/json; charset=utf-8' : `${mediaType}; charset=utf-8`;
}

/** Sends an answer of the common kind, or a response of the whole way. */
export function sendDirect(answered: DirectAnswer | Response, outgoing: ServerResponse): void {
  if (answered instanceof Response) {
    sendResponse(answered, outgoing.req, outgoing).catch((error: unknown) => fail(outgoing, error));
    return;
  }
  if (outgoing.destroyed) return;
  if (answered.isLast === true) outgoing.setHeader('connection', 'close');
  const { text, isGuarded } = answered;
  const type = contentTypeOf(answered);
  const length = String(Buffer.byteLength(text));
  // As a flat list, because Node then writes them as they are; beside headers that are set already it sets them.
  outgoing.writeHead(
    200,
    isGuarded
      ? [contentLength, length, contentType, type, 'x-content-type-options', 'nosniff']
      : [contentLength, length, contentType, type],
  );
  outgoing.end(text);
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

/** Ends an exchange, and its connection, with a status alone. */
export function endWith(outgoing: ServerResponse, status: number): void {
  outgoing.statusCode = status;
  outgoing.setHeader('connection', 'close');
  outgoing.end();
}

/** Ends an exchange that nothing can be made of any more. */
export function fail(outgoing: ServerResponse, error: unknown): void {
  // When the client is gone, whatever failed over it is of no interest any more.
  if (outgoing.destroyed) return;
  console.error(error);
  // An answer that is half sent can only be cut off, so that nobody takes it for whole.
  if (outgoing.headersSent) outgoing.destroy();
  else endWith(outgoing, 500);
}
