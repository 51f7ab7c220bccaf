import { randomFillSync } from 'node:crypto';
import type { Monitor } from '../../logs/monitor.js';
import { type Answer, type AnswerBody, type EventFeed, isStreamed, type WholeBody } from '../answer.js';
import type { Exchange, TrackedExchange } from '../exchange.js';
import type { OperationLabel, Protocol } from './operation-labels.js';
import type { RecordedRun } from './recorded-run.js';
import { maxRecorded } from './recorded-size.js';

export interface RequestRecorder extends Monitor {
  readonly logs: object | undefined;
  /** Something while calls are recorded in full. */
  readonly recording: object | undefined;
  /** Records a request, or an operation over WebSocket, which has no status. Never throws. */
  record(request: TrackedRequest, status?: number): void;
}

/** A request, or an operation over WebSocket, from its start to its record in metrics and logs. */
export class TrackedRequest implements TrackedExchange {
  readonly start = performance.now();
  /** The operations that ran, each once, in their order. */
  operations: readonly OperationLabel[] = noOperations;
  protocol: Protocol | undefined;
  errors = 0;
  /** The number of results of subscriptions. */
  events = 0;
  arguments: Record<string, unknown> | undefined;
  traceId: string | undefined;
  runs: readonly RecordedRun[] = noRuns;
  /** The body of the answer, or the beginning of it, if it is recorded. */
  body: WholeBody = null;
  #id: string | undefined;

  constructor(
    readonly monitor: RequestRecorder,
    readonly source: Exchange,
  ) {}

  /** The id of the client if it is well-formed, or one of our own. */
  get id(): string {
    if (this.#id === undefined) {
      const given = this.source.header('x-request-id');
      this.#id = given !== undefined && wellFormedId.test(given) ? given : newId();
    }
    return this.#id;
  }

  add(labels: readonly OperationLabel[]): void {
    this.operations = this.operations === noOperations ? labels : [...new Set([...this.operations, ...labels])];
  }

  refused(errors: readonly unknown[]): void {
    this.protocol = 'ws';
    this.errors = errors.length;
    this.monitor.record(this);
  }

  answered(answer: Answer): void {
    if (this.monitor.logs !== undefined) answer.set('x-request-id', this.id);
    const { status, body } = answer;
    if (!isStreamed(body)) {
      this.body = body;
      this.monitor.record(this, status);
      return;
    }
    let hasEnded = false;
    const ended = (): void => {
      if (!hasEnded) this.monitor.record(this, status);
      hasEnded = true;
    };
    const chunks: Uint8Array[] = [];
    if (this.monitor.recording !== undefined) this.body = chunks;
    answer.body = withEnd(body, ended, this.body === chunks ? keepChunks(chunks) : undefined);
  }
}

const noRuns: readonly RecordedRun[] = [];

const noOperations: readonly OperationLabel[] = [];

/** The ids of common proxies and tracers fit: letters, digits and a few marks. */
const wellFormedId = /^[\w.:@+/=-]{1,128}$/;

const pool = Buffer.alloc(16 * 256);
let poolAt = pool.length;

/** 128 random bits in hex. The parts of a text that `randomUUID` puts together are copied each time it is written. */
function newId(): string {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  poolAt += 16;
  return pool.toString('hex', poolAt - 16, poolAt);
}

function keepChunks(chunks: Uint8Array[]): (chunk: Uint8Array) => void {
  let size = 0;
  return (chunk) => {
    if (size > maxRecorded) return;
    size += chunk.byteLength;
    chunks.push(chunk);
  };
}

/** A streamed body that reports its end, by whichever side, and its chunks. Events are recorded as results. */
function withEnd(body: AnswerBody & object, ended: () => void, onChunk?: (chunk: Uint8Array) => void): AnswerBody {
  if (body instanceof ReadableStream) return streamWithEnd(body, ended, onChunk);
  const feed = body as EventFeed;
  return {
    writeTo: (outgoing) => feed.writeTo(outgoing).finally(ended),
    toStream: () => streamWithEnd(feed.toStream(), ended),
  };
}

function streamWithEnd(
  stream: ReadableStream<Uint8Array>,
  ended: () => void,
  onChunk?: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  // The types of Node.js 22 lack `cancel`.
  const transformer: Transformer<Uint8Array, Uint8Array> & { readonly cancel: () => void } = {
    transform(chunk, controller) {
      onChunk?.(chunk);
      controller.enqueue(chunk);
    },
    flush: ended,
    cancel: ended,
  };
  return stream.pipeThrough(new TransformStream(transformer));
}
