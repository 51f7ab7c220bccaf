import type { ServerResponse } from 'node:http';
import { type Answer, drained, isInPieces, isStreamed, type WholeBody } from '../../http/answer.js';
import { cutResponse, StreamCut } from '../../http/sse/stream-cut.js';
import { answerError } from '../../http/steps.js';
import { consoleMonitor } from '../../logs/monitor.js';
import type { NodeExchange } from './node-exchange.js';

/** Writes an answer to the connection, at the speed of the client. Never throws. */
export function writeAnswer(answer: Answer, exchange: NodeExchange): void {
  try {
    if (exchange.outgoing.destroyed) drop(answer, exchange);
    else write(answer, exchange);
  } catch (error) {
    fail(error, exchange);
  }
}

/** Answers with 500 after an answer could not be written, or cuts a stream at shutdown. Never throws. */
export function fail(error: unknown, { outgoing, tracked }: NodeExchange): void {
  // The client has disconnected, so a failed write is not an error of the server.
  if (outgoing.destroyed) return;
  if (error instanceof StreamCut) {
    cutResponse(outgoing);
    return;
  }
  const { status, headers, body } = answerError(
    error,
    { masksErrors: true, monitor: tracked?.monitor ?? consoleMonitor },
    tracked,
  );
  // A partial response is aborted, so that no client takes it for a complete one.
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status, [...headers, 'connection', 'close']).end(body);
}

function write({ status, statusText, headers, body }: Answer, exchange: NodeExchange): void {
  const { outgoing } = exchange;
  if (statusText === '') outgoing.writeHead(status, headers);
  else outgoing.writeHead(status, statusText, headers);
  if (!isStreamed(body)) {
    if (body !== null) writeWhole(body, outgoing);
    outgoing.end();
    exchange.end();
    return;
  }
  const written = 'writeTo' in body ? body.writeTo(outgoing) : pipe(body, outgoing);
  written.then(
    () => exchange.end(),
    (error: unknown) => fail(error, exchange),
  );
}

/**
 * Writes head and body in one piece. `end(body)` adds an empty piece behind them, so that each answer costs a vectored
 * write, which takes about 7 % of a small request.
 */
function writeWhole(body: NonNullable<WholeBody>, outgoing: ServerResponse): void {
  // A pipelined request has no connection before the answers in front of it are written.
  const { socket } = outgoing;
  socket?.cork();
  if (isInPieces(body)) for (const piece of body) outgoing.write(piece);
  // Node reserves three bytes a character for UTF-8, which takes a twelfth of the time of an answer of 30 kB.
  else if (typeof body === 'string' && Buffer.byteLength(body) === body.length) outgoing.write(body, 'latin1');
  else outgoing.write(body);
  socket?.uncork();
}

/** Lets a framework that ends a response with its body write it in one piece, unless a program has replaced its `end`. */
export function endInOnePiece(outgoing: ServerResponse): void {
  if (!Object.hasOwn(outgoing, 'end')) outgoing.end = end as ServerResponse['end'];
}

/** One for all responses. A framework gives null for what it does not give. */
function end(this: ServerResponse, body: unknown, ...rest: readonly unknown[]): unknown {
  const { end: endAsNode } = Object.getPrototypeOf(this) as { end(...given: readonly unknown[]): unknown };
  const isWhole = (typeof body === 'string' && body !== '') || body instanceof Uint8Array;
  if (!isWhole || rest.some((one) => one !== null)) return endAsNode.call(this, body, ...rest);
  writeWhole(body, this);
  return endAsNode.call(this);
}

function drop({ body }: Answer, exchange: NodeExchange): void {
  exchange.end();
  if (!isStreamed(body)) return;
  const stream = 'toStream' in body ? body.toStream() : body;
  stream.cancel().catch(() => undefined);
}

async function pipe(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // An idle source must be notified that the client disconnected.
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  // Headers leave with the first bytes, or alone if the stream has none yet.
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
