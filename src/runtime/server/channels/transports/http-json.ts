import { readStream } from '../../../../base/read/read-stream.js';
import { withTimeout } from '../../../../base/values/with-timeout.js';
import { remember } from '../../../../compiler/graph/maps.js';
import { ChannelError, type RuntimeIoChannel } from '../binding/channel.js';
import { FanOut } from './fan-out.js';
import { makeChannel } from './make-channel.js';
import { parseJson } from './read-lines.js';
import { wait } from './wait.js';

/** Options of an HTTP channel. */
export interface HttpJsonOptions extends Pick<RuntimeIoChannel, 'node' | 'direction' | 'badRecords'> {
  /**
   * The URL. `{name}` is replaced by the argument of that name; the other arguments go into the query string of a read.
   */
  readonly url: string;
  /** The headers, or a function that returns them for each request, for instance with a current token. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** The method of a write. Default: `POST`. */
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /** The timeout of a read with all its attempts, or of a write, in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /** The timeout of one attempt to read, in milliseconds. Default: 3,000. */
  readonly attemptTimeout?: number;
  /** The number of retries of a read. Default: 2. A write is never retried. */
  readonly retries?: number;
  /** The maximum size of an answer, in bytes. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** The polling interval of a subscription, in milliseconds. Default: 5,000. */
  readonly interval?: number;
}

/**
 * An HTTP endpoint that speaks JSON. A query is a GET with the arguments in the query string; it is retried without an
 * answer and after 429, 502, 503 and 504, and 404 means null. A mutation posts its input once and returns the answer. A
 * subscription polls, once for all subscribers of a URL, and reports changes.
 *
 * @throws {TypeError} If the URL is invalid.
 *
 * @example
 * ```ts
 * import { createHttpJsonChannel } from 'gg-svc/channels';
 *
 * const channel = createHttpJsonChannel({
 *   node: 'rates',
 *   direction: 'in',
 *   url: 'https://rates.example/v1/{currency}',
 *   headers: () => ({ authorization: `Bearer ${process.env.RATES_TOKEN}` }),
 * });
 * ```
 */
export function createHttpJsonChannel(options: HttpJsonOptions): RuntimeIoChannel {
  const { url, interval = 5_000 } = options;
  addressOf(url, {});
  const client = new JsonClient(options);
  const polls = new Map<string, FanOut>();
  return makeChannel(options, 'http', {
    incoming: {
      read: ({ args, signal }) => client.get(addressOf(url, args), signal),
      subscribe({ args, signal }) {
        const address = addressOf(url, args);
        const open = (over: AbortSignal) => poll(client, address, interval, over);
        const make = () => new FanOut({ open, keepOpen: false, onIdle: () => polls.delete(address) });
        return remember(polls, address, make).subscribe(signal);
      },
    },
    outgoing: { write: (record, { args, signal }) => client.send(addressOf(url, args, false), record, signal) },
    close: () => {
      for (const shared of polls.values()) shared.close();
    },
  });
}

/** Puts the arguments into the placeholders of a URL, and the others into its query string. */
function addressOf(template: string, args: Readonly<Record<string, unknown>>, withQuery = true): string {
  const named = new Set<string>();
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    named.add(name);
    return encodeURIComponent(textOf(args[name] ?? ''));
  });
  if (dotSegment.test(filled) && !dotSegment.test(template)) {
    throw new ChannelError('failed', 'an argument is not allowed in the URL');
  }
  const url = new URL(filled);
  if (!withQuery) return url.href;
  for (const [name, value] of Object.entries(args)) {
    if (named.has(name) || value === null || value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, textOf(item));
  }
  return url.href;
}

/** A dot segment (RFC 3986, section 3.3). */
const dotSegment = /\/\.{1,2}(?:[/?#]|$)/;

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const retriedStatuses = new Set([429, 502, 503, 504]);

/** The outcome of an attempt: a value, or an error and the shortest pause before a retry that may help. */
type Attempt = { readonly value: unknown } | { readonly error: ChannelError; readonly retryAfter?: number };

class JsonClient {
  constructor(private readonly options: HttpJsonOptions) {}

  /** Reads, and retries transient failures with exponential backoff. */
  async get(url: string, signal: AbortSignal): Promise<unknown> {
    const { retries = 2, attemptTimeout = 3_000 } = this.options;
    for (let attempt = 0; ; attempt++) {
      const outcome = await withTimeout(
        attemptTimeout,
        signal,
        (over) => this.#attempt(url, { method: 'GET' }, over),
        () => new ChannelError('timeout', 'no answer in time'),
      ).catch((error: ChannelError): Attempt => ({ error, retryAfter: 0 }));
      if ('value' in outcome) return outcome.value;
      if (outcome.retryAfter === undefined || attempt >= retries) {
        if (outcome.error.fault !== 'timeout') throw outcome.error;
        const attempts = attempt === 0 ? '1 attempt' : `${attempt + 1} attempts`;
        throw new ChannelError('timeout', `no answer after ${attempts} of ${attemptTimeout} ms`);
      }
      const pause = Math.max(100 * 2 ** attempt, outcome.retryAfter);
      if (!(await wait(pause, signal))) throw signal.reason;
    }
  }

  /** Writes once: a write without an answer may have had an effect. */
  async send(url: string, record: unknown, signal: AbortSignal): Promise<unknown> {
    const body = JSON.stringify(record);
    const outcome = await this.#attempt(url, { method: this.options.method ?? 'POST', body }, signal);
    if ('value' in outcome) return outcome.value;
    throw outcome.error;
  }

  async #attempt(url: string, init: RequestInit, signal: AbortSignal): Promise<Attempt> {
    const { headers = {}, maxBytes = 1 << 20 } = this.options;
    const isRead = init.method === 'GET';
    try {
      const response = await fetch(url, {
        ...init,
        signal,
        headers: {
          accept: 'application/json',
          ...(isRead ? {} : { 'content-type': 'application/json' }),
          ...(typeof headers === 'function' ? headers() : headers),
        },
      });
      if (!response.ok) {
        await response.body?.cancel();
        if (isRead && response.status === 404) return { value: null };
        const error = new ChannelError('failed', `the answer has the status ${response.status}`);
        return retriedStatuses.has(response.status) ? { error, retryAfter: retryAfterOf(response) } : { error };
      }
      const reading = await readStream(response.body, maxBytes);
      if (!reading.ok) throw new ChannelError('unreadable', `the answer has more than ${maxBytes} bytes`);
      return { value: isRead || reading.bytes.length > 0 ? parseJson(reading.bytes, 'the answer') : undefined };
    } catch (error) {
      if (error instanceof ChannelError) return { error };
      // No answer is transient, and may be retried; an invalid one is not.
      return { error: new ChannelError('failed', 'the connection failed', { cause: error }), retryAfter: 0 };
    }
  }
}

/** The pause of `Retry-After`, in milliseconds, up to 5 s. */
function retryAfterOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return seconds > 0 && seconds <= 5 ? seconds * 1_000 : 0;
}

/** The value of a URL after each change. A failure is yielded as an error, and polling continues. */
async function* poll(client: JsonClient, url: string, interval: number, signal: AbortSignal) {
  let known: string | undefined;
  do {
    let value: unknown;
    try {
      value = await client.get(url, signal);
    } catch (error) {
      if (signal.aborted) return;
      yield error;
      continue;
    }
    const text = JSON.stringify(value);
    const isNew = known !== undefined && text !== known;
    known = text;
    if (isNew) yield value;
  } while (await wait(interval, signal));
}
