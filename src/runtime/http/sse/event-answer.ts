import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Results } from '../../execute/subscriptions/results.js';
import { Answer, drained, type EventFeed } from '../answer.js';
import { cutResponse, cutTime, StreamCut } from './stream-cut.js';

export type EventOf = (result: ExecutionResult) => Uint8Array;

/** Writes the events of results. Subscribers that share a result share its bytes. */
export function sharedEvents(print: (result: ExecutionResult) => string): EventOf {
  const written = new WeakMap<ExecutionResult, Uint8Array>();
  return (result) => {
    const known = written.get(result);
    if (known !== undefined) return known;
    const event = Buffer.from(print(result));
    written.set(result, event);
    return event;
  };
}

/** The interval of pings in a stream without events, in milliseconds. */
const pingInterval = 12_000;
const completion = Buffer.from('event: complete\ndata: \n\n');

/**
 * Written at once, so that the client and proxies see that the stream is open, and to idle streams, so that proxies do
 * not close them: a comment, and the position of the stream. An id without data is not an event, but a client that
 * reconnects sends it (HTML standard, section 9.2.6): so a client that is cut before its first event misses none.
 */
function pingOf(id: string | undefined): string {
  return id === undefined ? ':\n\n' : `:\nid: ${id}\n\n`;
}

/**
 * Makes the answer with the events of results (Server-Sent Events, HTML standard, section 9.2); the last event is
 * `complete`. At shutdown the stream is cut without it. An event is written once the connection has sent the one before. Until then, events wait in the client's
 * queue.
 */
export function eventAnswer(results: Results, signal: AbortSignal, eventOf: EventOf): Answer {
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
    writeTo: (outgoing) => writeTo(outgoing, results, eventOf, open),
    toStream: () => toStream(results, eventOf, open),
  };
  const headers = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache'];
  // nginx and similar proxies would buffer events.
  return new Answer(200, [...headers, 'x-accel-buffering', 'no'], feed);
}

/** Starts to ping. The returned function stops the pings and ends the subscription. */
type Open = (onPing: () => void) => () => void;

function toStream(results: Results, eventOf: EventOf, open: Open): ReadableStream<Uint8Array> {
  let isReading = false;
  let close: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (close === undefined) {
          // Pings must not accumulate for a client that does not read.
          close = open(() => {
            if (isReading) controller.enqueue(Buffer.from(pingOf(results.idleId)));
          });
          controller.enqueue(Buffer.from(pingOf(results.openingId)));
          return;
        }
        isReading = true;
        const { done, value } = await results.next();
        isReading = false;
        if (!done) {
          controller.enqueue(eventOf(value));
          return;
        }
        close();
        if (results.isCut === true) {
          await cutTime();
          controller.error(new StreamCut());
        } else {
          controller.enqueue(completion);
          controller.close();
        }
      },
      async cancel() {
        close?.();
        await results.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function writeTo(outgoing: ServerResponse, results: Results, eventOf: EventOf, open: Open): Promise<void> {
  const close = open(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(pingOf(results.idleId));
  });
  outgoing.once('close', close);
  outgoing.write(pingOf(results.openingId));
  for (;;) {
    const { done, value } = await results.next();
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(eventOf(value))) await drained(outgoing);
  }
  close();
  if (results.isCut !== true) outgoing.end(completion);
  else {
    await cutTime();
    cutResponse(outgoing);
  }
}
