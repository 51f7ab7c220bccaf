import { ApiError, errorOf } from './api-error.js';

/** How a client calls its API. */
export interface ClientOptions {
  /** Headers of every request, such as a token; a function is called before each of them. */
  readonly headers?: HeadersOf | (() => HeadersOf | Promise<HeadersOf>);
  /**
   * How often a request is sent again that got no answer, or one that says “later”: 429, 502, 503, 504, or 409 with
   * `Retry-After`. A mutation then has an `Idempotency-Key`, so that the server must have the option `idempotency`.
   * Default: 0.
   */
  readonly repeats?: number;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Headers by their names. */
export type HeadersOf = Readonly<Record<string, string>>;

/** The options of a request beside its arguments. */
export interface RequestOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** The idempotency key of a mutation. Default, with `repeats`: a random one. */
  readonly key?: string;
  /** Gets the response before its body is read: its headers have the receipt of an event, or the path of a run. */
  readonly onResponse?: (response: Response) => void;
}

/** Arguments of any route: their types hold for the callers. */
export interface AnyArguments extends RequestOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, unknown>>;
}

/** Sends a request, and sends it again as often as the client may. */
export async function send(
  origin: string,
  { headers = {}, repeats = 0, fetch: fetchWith = fetch }: ClientOptions,
  method: string,
  path: string,
  given: AnyArguments = {},
): Promise<Response> {
  const url = origin.replace(/\/$/, '') + pathOf(path, given.path) + queryOf(given.parameters);
  const { signal, onResponse } = given;
  const isMutation = method !== 'GET';
  const key = isMutation ? (given.key ?? (repeats > 0 ? randomKey() : undefined)) : undefined;
  const body = given.form === undefined ? jsonOf(given.body, method) : formOf(given.form);
  for (let attempt = 0; ; attempt++) {
    const all = new Headers(typeof headers === 'function' ? await headers() : headers);
    if (typeof body === 'string') all.set('content-type', 'application/json');
    if (key !== undefined) all.set('idempotency-key', `"${key}"`);
    for (const [name, value] of Object.entries(given.headers ?? {}))
      if (value !== undefined && value !== null) all.set(name, textOf(value));
    let wait: number | undefined;
    try {
      const response = await fetchWith(url, {
        method,
        headers: all,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      wait = attempt < repeats ? pauseBefore(response, attempt) : undefined;
      if (wait === undefined) {
        onResponse?.(response);
        if (!response.ok) throw await errorOf(response);
        return response;
      }
      await response.body?.cancel();
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted || attempt >= repeats) throw error;
      wait = backoff(attempt);
    }
    await pause(wait, signal);
    signal?.throwIfAborted();
  }
}

/** The answer of a response; undefined without content. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Statuses of answers after which the same request may succeed. */
export const laterStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The milliseconds to wait before a request is sent again; undefined if its answer is final. */
function pauseBefore({ status, headers }: Response, attempt: number): number | undefined {
  const after = headers.get('retry-after');
  if (!laterStatuses.has(status) && !(status === 409 && after !== null)) return undefined;
  return after !== null && /^\d+$/.test(after) ? Number(after) * 1_000 : backoff(attempt);
}

/** Longer pauses after each failure, in milliseconds, at random, so that clients do not return together. */
export function backoff(attempt: number): number {
  return Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random());
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : milliseconds);
    signal?.addEventListener('abort', end);
  });
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function pathOf(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])));
  // `fetch` would leave out such segments, and call another route.
  if (/\/(?:\.{0,2})(?=\/|$)/.test(filled))
    throw new TypeError(`A value gives the path “${filled}”, which is another route.`);
  return filled;
}

/** The query string: lists are repeated, objects are JSON. */
function queryOf(parameters: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => textsOf(value).map((text) => [name, text]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The texts of an argument: none for null, and one for the empty list. */
function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return isPlain ? (value.length === 0 ? [''] : value.map(textOf)) : [textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonOf(body: unknown, method: string): string | undefined {
  return body === undefined ? (/^P/.test(method) ? '{}' : undefined) : JSON.stringify(body);
}

/** A form: texts before files. */
function formOf(given: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  const isFile = ([, value]: [string, unknown]) => value instanceof Blob;
  const entries = Object.entries(given);
  for (const [name, value] of entries.filter((entry) => !isFile(entry)))
    for (const text of textsOf(value)) form.append(name, text);
  for (const [name, value] of entries.filter(isFile)) form.append(name, value as Blob);
  return form;
}
