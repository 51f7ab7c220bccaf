import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Execution } from '../../execute/execution.js';
import { printResult } from '../../execute/subscriptions/wire-result.js';
import type { GuardedRequest } from '../graphql/request-guard.js';
import { jsonResponse } from '../rest/problem.js';
import { readEventStreamWish } from './accept-events.js';
import { type EventFeed, offerEventFeed } from './event-feed.js';
import { readFromMembers, readFromUrl } from './read-request.js';

/** What streams of events need of the server that they belong to. */
export interface EventStreamEnvironment {
  readonly execution: () => Promise<Execution>;
  /** The context that resolvers get. */
  readonly contextFor: (request: Request) => unknown;
}

/** Answers a request with a stream of events; undefined when the client wants something else. */
export type EventStreamHandler = (
  guarded: GuardedRequest,
  request: Request,
  url: URL,
) => Promise<Response | undefined>;

/** How often a stream without events says that it is still there, in milliseconds. */
const pingInterval = 12_000;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Proxies of the nginx kind would else hold events back until they fill a buffer.
  'x-accel-buffering': 'no',
};

/**
 * Makes what answers operations as GraphQL over Server-Sent Events, in the distinct connections mode: each
 * result is an event `next`, and `complete` is the last. It stands before every engine, so that subscriptions
 * are the same with all of them.
 */
export function createEventStreamHandler(environment: EventStreamEnvironment): EventStreamHandler {
  return async (guarded, request, url) => {
    const wish = readEventStreamWish(request.headers.get('accept'));
    if (wish === 'none') return undefined;
    const isGet = request.method === 'GET';
    if (!isGet && (request.method !== 'POST' || !isObject(guarded.body))) return undefined;
    // The page to try queries on is asked for by a browser, and no operation.
    if (isGet && !url.searchParams.has('query')) return undefined;
    const operation = isGet ? readFromUrl(url) : readFromMembers(guarded.body as Record<string, unknown>);
    if ('fault' in operation) return wish === 'all' ? refuse(400, operation.fault) : undefined;

    const execution = await environment.execution();
    const prepared = execution.prepare(operation);
    if (wish === 'subscriptions' && !('args' in prepared && prepared.kind === 'subscription'))
      return undefined;
    if (!('args' in prepared)) return streamOf(once(prepared), request.signal);
    if (isGet && prepared.kind === 'mutation') {
      return refuse(405, 'A mutation is sent by POST.', { allow: 'POST' });
    }

    let contextValue: unknown;
    try {
      contextValue = await environment.contextFor(request);
    } catch (error) {
      return streamOf(once({ errors: [execution.mask.thrown(error)] }), request.signal);
    }
    const args = { ...prepared.args, contextValue, signal: request.signal };
    const started =
      prepared.kind === 'subscription' ? await execution.subscribe(args) : await execution.execute(args);
    return streamOf(Symbol.asyncIterator in started ? started : once(started), request.signal);
  };
}

/** What a stream begins with: it says at once, to the client and to what is on the way, that it is open. */
const opening = Buffer.from(':\n\n');
/** What an idle stream says, so that nobody on the way takes it for dead. */
const ping = opening;
const completion = Buffer.from('event: complete\ndata: \n\n');

/** An event is written when the client has taken the one before: for one who is slow, they wait in their queue. */
function streamOf(results: Results, signal: AbortSignal): Response {
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
  return offerEventFeed(new Response(toBody(results, open), { headers }), feedOf(results, open));
}

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** Begins to ping; what comes back ends that and the subscription. */
type Open = (onPing: () => void) => () => void;

function toBody(results: Results, open: Open): ReadableStream<Uint8Array> {
  let isReading = false;
  let close: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (close === undefined) {
          // Pings are for a reader who waits; one who does not must not be sent more and more of them.
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

function feedOf(results: Results, open: Open): EventFeed {
  return async (outgoing) => {
    const close = open(() => {
      if (!outgoing.writableNeedDrain) outgoing.write(ping);
    });
    outgoing.once('close', close);
    // The connection is the stream's alone and ends with it, so events need no chunks around them: each is
    // written as it is, the same bytes for everybody.
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
  };
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

/** The event of a result; like the result, it is shared. */
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

function refuse(status: number, message: string, more: Record<string, string> = {}): Response {
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
  return jsonResponse(status, body, { 'content-type': 'application/json; charset=utf-8', ...more });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
