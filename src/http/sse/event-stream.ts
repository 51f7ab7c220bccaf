import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { OperationArgs } from '../../execute/execution.js';
import { eventIdOf } from '../../execute/subscriptions/event-id.js';
import { printResult } from '../../execute/subscriptions/wire-result.js';
import { type MaybePromise, proceed } from '../../values/maybe-promise.js';
import { Answer, drained, type EventFeed } from '../answer.js';
import type { Exchange, OperationEnvironment } from '../exchange.js';
import { readOperation } from '../operation-request.js';
import { ProblemError } from '../problem.js';
import { operationProblem } from '../rest/operation-problem.js';
import { readEventStreamWish } from './accept-events.js';

/** Answers a request with an event stream; undefined if the client does not want one. */
export type EventStreams = (exchange: Exchange) => MaybePromise<Answer | undefined>;

/** The interval of pings in a stream without events, in milliseconds. */
const pingInterval = 12_000;

/**
 * Implements GraphQL over Server-Sent Events in distinct connections mode: each result is a `next` event, and a
 * `complete` event is the last. It runs before the engine, so that subscriptions are the same with all engines.
 */
export function createEventStreams({ execution, contextFor }: OperationEnvironment): EventStreams {
  return (exchange) => {
    const wish = readEventStreamWish(exchange.header('accept'));
    if (wish === 'none') return undefined;
    const isGet = exchange.method === 'GET';
    const operation = readOperation(exchange);
    if (operation === undefined) return undefined;
    // Without an operation, the browser wants GraphiQL.
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

      const { principal, watched } = exchange;
      const called = { ...prepared.args, principal, watched, protocol: 'sse', isAdmitted: true } as const;
      const refused = await engine.refuse({ ...called, isAdmitted: false });
      if (refused !== undefined) throw new ProblemError(operationProblem(refused.errors));

      let contextValue: unknown;
      try {
        contextValue = await contextFor(exchange);
      } catch (error) {
        return streamOf(once({ errors: [engine.mask.thrown(error, exchange.watched)] }), signal);
      }
      const args: OperationArgs = { ...called, contextValue, signal };
      const started =
        prepared.kind === 'subscription' ? await engine.subscribe(args) : await engine.execute(args);
      return streamOf(Symbol.asyncIterator in started ? started : once(started), signal);
    });
  };
}

/** Written at once, so that the client and proxies see that the stream is open. */
const opening = Buffer.from(':\n\n');
/** Written to idle streams, so that proxies do not close them. */
const ping = opening;
const completion = Buffer.from('event: complete\ndata: \n\n');

/** An event is written once the connection has sent the one before. Until then, events wait in the client's queue. */
function streamOf(results: Results, signal: AbortSignal): Answer {
  const open = (onPing: () => void): (() => void) => {
    const timer = setInterval(onPing, pingInterval);
    // A timer of a worker may be a number.
    timer.unref?.();
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
  // nginx and similar proxies would buffer events.
  return new Answer(200, [...headers, 'x-accel-buffering', 'no'], feed);
}

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** Starts to ping. The returned function stops the pings and ends the subscription. */
type Open = (onPing: () => void) => () => void;

function toStream(results: Results, open: Open): ReadableStream<Uint8Array> {
  let isReading = false;
  let close: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (close === undefined) {
          // Pings must not accumulate for a client that does not read.
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
  // The stream ends with its connection, so events need no chunked encoding, and all subscribers get the same bytes.
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

const events = new WeakMap<ExecutionResult, Uint8Array>();

/** The event of a result. Subscribers to the same operation share both objects. */
function eventOf(result: ExecutionResult): Uint8Array {
  let event = events.get(result);
  if (event === undefined) {
    const id = eventIdOf(result);
    event = Buffer.from(
      `event: next\n${id === undefined ? '' : `id: ${id}\n`}data: ${printResult(result)}\n\n`,
    );
    events.set(result, event);
  }
  return event;
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, void, void> {
  yield result;
}
