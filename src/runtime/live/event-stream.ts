import type { ExecutionResult } from 'graphql';
import type { Execution } from '../execution.js';
import type { GuardedRequest } from '../limits/request-guard.js';
import { jsonResponse } from '../rest/problem.js';
import { readEventStreamWish } from './accept-events.js';
import { readFromMembers, readFromUrl } from './read-request.js';
import { printResult } from './wire-result.js';

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
    const isGet = request.method === 'GET' || request.method === 'HEAD';
    if (!isGet && (request.method !== 'POST' || !isObject(guarded.body))) return undefined;
    // The page to try queries on is asked for by a browser, and no operation.
    if (isGet && !url.searchParams.has('query')) return undefined;
    const operation = isGet ? readFromUrl(url) : readFromMembers(guarded.body as Record<string, unknown>);
    if ('fault' in operation) return wish === 'all' ? refuse(400, operation.fault) : undefined;

    const execution = await environment.execution();
    const prepared = execution.prepare(operation);
    if (wish === 'subscriptions' && !('args' in prepared && prepared.kind === 'subscription'))
      return undefined;
    if (request.method === 'HEAD') return new Response(null, { headers });
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

/** A step is written when the client has taken the one before: one who is slow lets events wait in their queue. */
function streamOf(results: AsyncGenerator<ExecutionResult, void, void>, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearInterval(timer);
    signal.removeEventListener('abort', close);
    results.return().catch(() => undefined);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Says at once that the stream is open, to the client and to what is on the way.
        controller.enqueue(encoder.encode(':\n\n'));
        timer = setInterval(() => {
          if (isReading) controller.enqueue(encoder.encode(':\n\n'));
        }, pingInterval).unref();
        if (signal.aborted) close();
        else signal.addEventListener('abort', close);
      },
      async pull(controller) {
        isReading = true;
        const { done, value } = await results.next().catch(() => ({ done: true, value: undefined }) as const);
        isReading = false;
        if (!done) {
          controller.enqueue(nextEvent(encoder, value));
        } else {
          controller.enqueue(encoder.encode('event: complete\ndata: \n\n'));
          controller.close();
          close();
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

const events = new WeakMap<ExecutionResult, Uint8Array>();

/** The event of a result; like the result, it is shared. */
function nextEvent(encoder: TextEncoder, result: ExecutionResult): Uint8Array {
  let event = events.get(result);
  if (event === undefined) {
    event = encoder.encode(`event: next\ndata: ${printResult(result)}\n\n`);
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
