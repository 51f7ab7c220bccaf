import { readStream } from '../../read/read-stream.js';
import type { ChannelCall, ChannelDirection, RuntimeIoChannel } from './binding/channel.js';
import { ChannelError } from './channel-error.js';
import { FanOut } from './fan-out.js';
import { wait } from './wait.js';

/** How an HTTP endpoint is used. */
export interface HttpJsonOptions {
  readonly node: string;
  readonly direction: ChannelDirection;
  /**
   * The address. `{name}` in it stands for the argument of that name; the arguments that it does not name go into
   * the query string of a read.
   */
  readonly url: string;
  /** Headers of each request, or what makes them: a token that changes, for instance. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** The method of a write; `POST` unless given. */
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /** How long a read with all its attempts, or a write, may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** How long one attempt of a read may take, in milliseconds; 3,000 unless given. */
  readonly attemptTimeout?: number;
  /** How many times a read is tried again; 2 unless given. A write is never repeated. */
  readonly retries?: number;
  /** How long an answer may be, in bytes; 1 MiB unless given. */
  readonly maxBytes?: number;
  /** How often a subscription asks whether there is something new, in milliseconds; 5,000 unless given. */
  readonly interval?: number;
}

/**
 * An HTTP endpoint that speaks JSON. A query is a GET with the arguments in the query string, tried again when
 * the endpoint does not answer, or answers 429, 502, 503 or 504; 404 is null. A mutation posts its input once and gives
 * the answer. A subscription asks again and again, once for all who listen, and hears of every change.
 *
 * @throws {TypeError} When the address is none.
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
  const { node, direction, url, timeout, interval = 5_000 } = options;
  addressOf(url, {});
  const client = new JsonClient(options);
  const polls = new Map<string, FanOut>();
  const pollFor = (call: ChannelCall): FanOut => {
    const address = addressOf(url, call.args);
    const open = (signal: AbortSignal) => poll(client, address, interval, signal);
    const shared =
      polls.get(address) ?? new FanOut({ open, keepOpen: false, onIdle: () => polls.delete(address) });
    polls.set(address, shared);
    return shared;
  };
  return {
    node,
    direction,
    transport: 'http',
    ...(timeout === undefined ? {} : { timeout }),
    ...(direction === 'out'
      ? {}
      : {
          read: ({ args, signal }) => client.get(addressOf(url, args), signal),
          subscribe: (call) => pollFor(call).subscribe(call.signal),
        }),
    ...(direction === 'in'
      ? {}
      : {
          write: (record, { args, signal }) => client.send(addressOf(url, args, false), record, signal),
        }),
    close: () => {
      for (const shared of polls.values()) shared.close();
    },
  };
}

/**
 * Puts the arguments into an address: where it names them, the others into the query string.
 *
 * @throws {ChannelError} When an argument would lead to another path than the one that is meant: `..` does.
 */
function addressOf(template: string, args: Readonly<Record<string, unknown>>, withQuery = true): string {
  const named = new Set<string>();
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    named.add(name);
    return encodeURIComponent(textOf(args[name] ?? ''));
  });
  if (dotSegment.test(filled) && !dotSegment.test(template)) {
    throw new ChannelError('failed', 'an argument cannot stand in its address');
  }
  const url = new URL(filled);
  if (!withQuery) return url.href;
  for (const [name, value] of Object.entries(args)) {
    if (named.has(name) || value === null || value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, textOf(item));
  }
  return url.href;
}

/** A segment of a path that means another one. */
const dotSegment = /\/\.{1,2}(?:[/?#]|$)/;

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const retriedStatuses = new Set([429, 502, 503, 504]);

/** What an attempt came to: an answer, or a failure that another attempt may not have. */
type Attempt =
  | { readonly value: unknown }
  | { readonly error: ChannelError; readonly retryAfter: number; readonly mayRetry: boolean };

class JsonClient {
  readonly #options: HttpJsonOptions;

  constructor(options: HttpJsonOptions) {
    this.#options = options;
  }

  /** Reads; what comes and goes is tried again, each time after a longer pause. */
  async get(url: string, signal: AbortSignal): Promise<unknown> {
    const { retries = 2, attemptTimeout = 3_000 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const limit = AbortSignal.timeout(attemptTimeout);
      const outcome = await this.#attempt(url, { method: 'GET' }, AbortSignal.any([signal, limit]));
      if ('value' in outcome) return outcome.value;
      if (!outcome.mayRetry || attempt >= retries) {
        if (outcome.error.fault !== 'timeout') throw outcome.error;
        const attempts = attempt === 0 ? 'an attempt' : `${attempt + 1} attempts`;
        throw new ChannelError('timeout', `${attempts} of ${attemptTimeout} ms came to nothing`);
      }
      const pause = Math.max(100 * 2 ** attempt, outcome.retryAfter);
      if (!(await wait(pause, signal))) throw signal.reason;
    }
  }

  /** Writes, once: nobody knows whether one that was not answered has happened. */
  async send(url: string, record: unknown, signal: AbortSignal): Promise<unknown> {
    const body = JSON.stringify(record);
    const outcome = await this.#attempt(url, { method: this.#options.method ?? 'POST', body }, signal);
    if ('value' in outcome) return outcome.value;
    throw outcome.error;
  }

  async #attempt(url: string, init: RequestInit, signal: AbortSignal): Promise<Attempt> {
    const { headers = {}, maxBytes = 1 << 20 } = this.#options;
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
        return {
          error: new ChannelError('failed', `it answered with the status ${response.status}`),
          mayRetry: retriedStatuses.has(response.status),
          retryAfter: retryAfterOf(response),
        };
      }
      const text = await readText(response, maxBytes);
      return { value: isRead || text !== '' ? parse(text) : undefined };
    } catch (error) {
      return failureOf(error, signal);
    }
  }
}

/** A fault of the network may be over in a moment; what was answered and makes no sense will make none then. */
function failureOf(error: unknown, signal: AbortSignal): Attempt {
  if (error instanceof ChannelError) return { error, mayRetry: false, retryAfter: 0 };
  const isLate = signal.aborted && (signal.reason as Error | undefined)?.name === 'TimeoutError';
  const reason = isLate ? 'it did not answer in time' : 'it could not be reached, or broke off';
  return {
    error: new ChannelError(isLate ? 'timeout' : 'failed', reason, isLate ? {} : { cause: error }),
    mayRetry: true,
    retryAfter: 0,
  };
}

/** The pause that the endpoint asks for, in milliseconds, as far as it is within reason. */
function retryAfterOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return seconds > 0 && seconds <= 5 ? seconds * 1_000 : 0;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

async function readText(response: Response, maxBytes: number): Promise<string> {
  const reading = await readStream(response.body, maxBytes);
  if (!reading.ok) throw new ChannelError('unreadable', `the answer has more than ${maxBytes} bytes`);
  try {
    return decoder.decode(reading.bytes);
  } catch {
    throw new ChannelError('unreadable', 'the answer is not UTF-8 text');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ChannelError('unreadable', 'the answer is not JSON');
  }
}

/** What an address gives, whenever that is something else than before. A failure is told, and asked past. */
async function* poll(
  client: JsonClient,
  url: string,
  interval: number,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, void> {
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
