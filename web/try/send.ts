import { eventBlocks } from '../../src/base/read/event-blocks.js';
import type { ApiHeader, ApiRequest } from './request.js';

/** A request, and its answer as far as it has arrived. */
export interface Exchange {
  readonly request: ApiRequest;
  /** When it was sent, in milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds until the last part of the answer. */
  readonly duration?: number;
  readonly status?: number;
  readonly headers?: readonly ApiHeader[];
  /** The body; the events of a stream are in `events`. */
  readonly body?: string;
  readonly events?: readonly ServerEvent[];
  /** Why the answer is missing or incomplete. */
  readonly problem?: string;
  /** Whether more can arrive. */
  readonly isOpen: boolean;
}

/** A server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** Milliseconds since the request was sent. */
  readonly after: number;
}

/** Sends requests: the `fetch` of the page, or that of a server in the same process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A stream that is left open keeps its last events. */
const mostEvents = 200;

/** Sends a request to an origin and reports the exchange, each time when more is known. It never rejects. */
export async function send(
  fetch: Fetch,
  origin: string,
  request: ApiRequest,
  signal: AbortSignal,
  report: (exchange: Exchange) => void,
): Promise<void> {
  const start = Date.now();
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  let exchange: Exchange = { request, start, isOpen: true };
  const update = (more: Partial<Exchange>) => {
    exchange = { ...exchange, ...more, duration: elapsed() };
    report(exchange);
  };
  report(exchange);
  try {
    const response = await fetch(origin + request.url, {
      method: request.method,
      headers: request.headers.map(({ name, value }): [string, string] => [name, value]),
      ...(request.body === undefined ? {} : { body: request.body }),
      signal,
      // The credentials of a call are those of its form.
      credentials: 'omit',
      cache: 'no-store',
    });
    const headers = [...response.headers].map(([name, value]) => ({ name, value }));
    update({ status: response.status, headers });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && response.body !== null) {
      update({ events: [] });
      for await (const { event, data } of eventBlocks(response.body)) {
        if (data === undefined) continue;
        const events = [...(exchange.events ?? []), { event, data, after: elapsed() }];
        update({ events: events.slice(-mostEvents) });
      }
      update({ isOpen: false });
    } else update({ body: await response.text(), isOpen: false });
  } catch (error) {
    if (signal.aborted) update({ isOpen: false, ...(exchange.status === undefined ? { problem: 'Stopped.' } : {}) });
    else update({ isOpen: false, problem: `The server did not answer: ${textOf(error)}.` });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
