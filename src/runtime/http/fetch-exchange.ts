import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { readStream } from '../../base/read/read-stream.js';
import type { CancelSource } from '../../base/values/run-until.js';
import type { OpenBody } from '../uploads/form.js';
import { Exchange } from './exchange.js';
import { tooLarge } from './read-body.js';

export class FetchExchange extends Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly peer: string | undefined;
  readonly context = undefined;
  readonly framework = undefined;
  readonly #request: Request;

  constructor(request: Request, peer?: string) {
    super();
    this.peer = peer;
    const { pathname, search, host, protocol } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.query = search.slice(1);
    this.host = host;
    this.scheme = protocol === 'https:' ? 'https' : 'http';
    this.#request = request;
  }

  get client(): CancelSource {
    return this.#request.signal;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  headerNames(): Iterable<string> {
    return this.#request.headers.keys();
  }

  async readBody(maximum: number): Promise<undefined> {
    const reading = await readStream(this.#request.body, maximum);
    if (!reading.ok) throw tooLarge(maximum);
    this.bytes = reading.bytes;
  }

  openBody(): OpenBody {
    const { body } = this.#request;
    const stream = body === null ? Readable.from([]) : Readable.fromWeb(body as WebStream);
    return { stream, close: () => void stream.destroy() };
  }

  request(): Request {
    return this.#request;
  }

  requestWith(body: string): Request {
    const { url, method, headers } = this.#request;
    return new Request(url, { method, headers, signal: this.signal(), ...(body === '' ? {} : { body }) });
  }

  signal(): AbortSignal {
    return this.#request.signal;
  }
}
