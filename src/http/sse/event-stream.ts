import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Execution } from '../../execute/execution.js';
import { printResult } from '../../execute/subscriptions/wire-result.js';
import { type MaybePromise, proceed } from '../../execute/values/maybe-promise.js';
import { Answer, type EventFeed } from '../answer.js';
import type { Exchange } from '../exchange.js';
import { readFromMembers, readFromQuery } from '../operation-request.js';
import { ProblemError } from '../problem.js';
import { readEventStreamWish } from './accept-events.js';

/** What event streams need of the server that they belong to. */
export interface EventStreamEnvironment {
  readonly execution: () => MaybePromise<Execution>;
  /** The context that resolvers get; may throw or reject. */
  readonly contextFor: (exchange: Pick<Exchange, 'context' | 'request'>) => unknown;
}

/** Answers a request with a stream of events; undefined if the client asks for something else. */
export type EventStreams = (exchange: Exchange) => MaybePromise<Answer | undefined>;

/** The interval of pings in a stream without events, in milliseconds. */
const pingInterval = 12_000;

/**
 * Makes what answers operations as GraphQL over Server-Sent Events, in distinct connections mode: each result is an
 * event `next`, and `complete` is the last. It stands in front of every engine, so that subscriptions are the same
 * with all of them.
 */
export function createEventStreams({ execution, contextFor }: EventStreamEnvironment): EventStreams {
  return (exchange) => {
    const wish = readEventStreamWish(exchange.header('accept'));
    if (wish === 'none') return undefined;
    const isGet = exchange.method === 'GET';
    if (!isGet && !isObject(exchange.json)) return undefined;
    const operation = isGet
      ? readFromQuery(exchange.query)
      : readFromMembers(exchange.json as Record<string, unknown>);
    // Without an operation, a browser asks for the page to try queries on.
    if (isGet && 'fault' in operation && !/(?:^|&)query=/.test(exchange.query)) return undefined;
    if ('fault' in operation) {
      if (wish === 'all') throw new ProblemError({ status: 400, detail: operation.fault });
      return undefined;
    }

    return proceed(execution(), async (engine) => {
      const prepared = engine.prepare(operation);
      if (wish === 'subscriptions' && !('args' in prepared && prepared.kind === 'subscription'))
        return undefined;
      const signal = exchange.signal();
      if (!('args' in prepared)) return streamOf(once(prepared), signal);
      if (isGet && prepared.kind === 'mutation') {
        const detail = 'A mutation must be sent by POST.';
        throw new ProblemError({ status: 405, detail, headers: ['allow', 'POST'] });
      }

      let contextValue: unknown;
      try {
        contextValue = await contextFor(exchange);
      } catch (error) {
        return streamOf(once({ errors: [engine.mask.thrown(error)] }), signal);
      }
      const args = { ...prepared.args, contextValue, signal };
      const started =
        prepared.kind === 'subscription' ? await engine.subscribe(args) : await engine.execute(args);
      return streamOf(Symbol.asyncIterator in started ? started : once(started), signal);
    });
  };
}

/** Written at once, so that the client and proxies see that the stream is open. */
const opening = Buffer.from(':\n\n');
/** Written to an idle stream, so that proxies do not close it. */
const ping = opening;
const completion = Buffer.from('event: complete\ndata: \n\n');

/** An event is written when the client has taken the one before. A slow client's events wait in its queue. */
function streamOf(results: Results, signal: AbortSignal): Answer {
  const open = (onPing: () => void): (() => void) => {
    const timer = setInterval(onPing, pingInterval).unref();
    const close = (): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', close);
      results.return().catch(() => undefined);
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close);
    return close;
  };
  const feed: EventFeed = {
    writeTo: (outgoing) => writeTo(outgoing, results, open),
    toStream: () => toStream(results, open),
  };
  const headers = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache'];
  // nginx and proxies like it would hold events back until a buffer is full.
  return new Answer(200, [...headers, 'x-accel-buffering', 'no'], feed);
}

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** Starts to ping. The function that it returns stops that and ends the subscription. */
type Open = (onPing: () => void) => () => void;

function toStream(results: Results, open: Open): ReadableStream<Uint8Array> {
  let isReading = false;
  let close: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (close === undefined) {
          // A reader that does not read must not pile up pings.
          close = open(() => {
            if (isReading) controller.enqueue(ping);
          });
          controller.enqueue(opening);
          return;
        }
        isReading = true;
        const { done, value } = await results.next();
        isReading = false;
        controller.enqueue(done ? completion : eventOf(value));
        if (!done) return;
        controller.close();
        close();
      },
      async cancel() {
        close?.();
        await results.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function writeTo(outgoing: ServerResponse, results: Results, open: Open): Promise<void> {
  const close = open(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(ping);
  });
  outgoing.once('close', close);
  // The stream ends with its connection, so events need no chunks around them: every subscriber gets the same bytes.
  outgoing.shouldKeepAlive = false;
  outgoing.useChunkedEncodingByDefault = false;
  outgoing.write(opening);
  for (;;) {
    const { done, value } = await results.next();
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(eventOf(value))) await drained(outgoing);
  }
  close();
  outgoing.end(completion);
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.on('drain', settle).on('close', settle);
  });
}

const events = new WeakMap<ExecutionResult, Uint8Array>();

/** The event of a result. Subscribers to the same operation share both. */
function eventOf(result: ExecutionResult): Uint8Array {
  let event = events.get(result);
  if (event === undefined) {
    event = Buffer.from(`event: next\ndata: ${printResult(result)}\n\n`);
    events.set(result, event);
  }
  return event;
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, void, void> {
  yield result;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
