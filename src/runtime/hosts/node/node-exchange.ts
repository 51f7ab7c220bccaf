import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream as WebStream } from 'node:stream/web';
import { setImmediate } from 'node:timers';
import type { TLSSocket } from 'node:tls';
import { readNodeStream } from '../../../base/read/read-stream.js';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import type { CancelSource } from '../../../base/values/run-until.js';
import type { Caller, Framework } from '../../auth/caller.js';
import { Exchange } from '../../http/exchange.js';
import { tooLarge } from '../../http/read-body.js';
import type { OpenBody } from '../../uploads/form.js';
import { beginRequest, endRequest } from './connections.js';
import { readRequestTarget } from './request-target.js';

/**
 * The differences between a framework and Node itself. There is one for all requests: objects and functions that are
 * made for each request cost more in the garbage collector than all else here.
 */
export interface NodeHost<Reply = unknown> {
  /** The path and query of the request. Default: those that the client sent. */
  readonly address?: (incoming: IncomingMessage) => string;
  /** Returns the context of an operation; replaces the option `context` of the server. */
  context?(exchange: NodeExchange<Reply>, caller: Caller): unknown;
  framework?(exchange: NodeExchange<Reply>): Framework;
}

const plainNode: NodeHost = {};

/** The maximum number of headers of a request. Node silently drops headers beyond its own limit. */
const maxHeaders = 200;

/** How long a client may continue to send a body after the answer, in milliseconds. */
const maxDiscardTime = 5_000;

/** An exchange over Node's request and response. It is also the cancel source of its client. */
export class NodeExchange<Reply = unknown> extends Exchange implements CancelSource {
  readonly method: string;
  readonly path: string = '/';
  readonly query: string = '';
  private readonly absolute: URL | undefined;
  private fetched: Request | undefined;
  private controller: AbortController | undefined;
  private listeners: Map<() => void, () => void> | undefined;

  /** @param reply - The object with which the framework answers, if it has one. */
  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
    private readonly framed: NodeHost<Reply> = plainNode,
    readonly reply: Reply = undefined as Reply,
  ) {
    super();
    const { method = 'GET', url = '/', rawHeaders } = incoming;
    this.method = method;
    const address = framed.address?.(incoming) ?? url;
    const target = readRequestTarget(address);
    if (target === undefined) this.fault = 400;
    else {
      this.path = target.path;
      this.query = target.query;
      this.absolute = target.absolute;
    }
    if (method === 'TRACE') this.fault = 405;
    else if (rawHeaders.length > 2 * maxHeaders) this.fault = 431;
  }

  get context(): ((caller: Caller) => unknown) | undefined {
    const { framed } = this;
    return framed.context && ((caller) => framed.context?.(this, caller));
  }

  get framework(): Framework | undefined {
    return this.framed.framework?.(this);
  }

  get host(): string {
    return this.absolute?.host ?? this.header('host') ?? 'localhost';
  }

  get scheme(): 'http' | 'https' {
    if (this.absolute !== undefined) return this.absolute.protocol === 'https:' ? 'https' : 'http';
    return (this.incoming.socket as TLSSocket).encrypted ? 'https' : 'http';
  }

  get peer(): string | undefined {
    return this.incoming.socket.remoteAddress;
  }

  get client(): CancelSource {
    return this;
  }

  header(name: string): string | undefined {
    const { rawHeaders, body } = this.incoming as IncomingMessage & { readonly body?: unknown };
    // A body parser has decoded the body, so these headers no longer describe it.
    if (body !== undefined && bodyHeaders.has(name) && this.parsed() !== undefined) return undefined;
    let found: string | undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const raw = rawHeaders[at] as string;
      if (raw.length !== name.length || raw.toLowerCase() !== name) continue;
      found = found === undefined ? rawHeaders[at + 1] : `${found}, ${rawHeaders[at + 1]}`;
    }
    return found;
  }

  headerNames(): Iterable<string> {
    return Object.keys(this.incoming.headers);
  }

  readBody(maximum: number): MaybePromise<undefined> {
    const parsed = this.parsed();
    if (parsed === undefined && this.hasBody() && !this.incoming.readableEnded) return this.receive(maximum);
    if (parsed !== undefined && parsed.length > maximum) throw tooLarge(maximum);
    this.bytes = parsed;
    return undefined;
  }

  /**
   * Most bodies come with their head, and are whole when Node has read all connections. The events of a stream would take a
   * tenth of the time of a small request. A stream that others read is read with them.
   */
  private async receive(maximum: number): Promise<undefined> {
    const { incoming } = this;
    const isHeld = incoming.readableFlowing === null;
    if (isHeld) {
      // Listeners that are added meanwhile get the body when it is read here.
      incoming.pause();
      await allRead();
      if (incoming.complete && incoming.readableFlowing === false) {
        if (incoming.readableLength > maximum) throw tooLarge(maximum);
        this.bytes = (incoming.read() as Buffer | null) ?? Buffer.alloc(0);
        return;
      }
    }
    const read = readNodeStream(incoming, maximum);
    if (isHeld) incoming.resume();
    const reading = await read;
    if (!reading.ok) throw tooLarge(maximum);
    this.bytes = reading.bytes;
  }

  openBody(): OpenBody {
    const { incoming } = this;
    if (incoming.readableDidRead) throw new Error('A body parser has read the form before gg-svc could.');
    return { stream: incoming, close: () => undefined };
  }

  request(): Request {
    if (this.fetched === undefined) {
      const isBodyless = this.method === 'GET' || this.method === 'HEAD';
      const parsed = this.parsed();
      const body = isBodyless ? undefined : (parsed ?? this.bytes ?? toStream(this.incoming));
      this.fetched = this.makeRequest(body as BodyInit | undefined);
      // The body can be read only once.
      if (parsed === undefined && this.bytes !== undefined && !isBodyless) void this.fetched.arrayBuffer();
    }
    return this.fetched;
  }

  requestWith(body: string): Request {
    return this.makeRequest(body === '' ? undefined : body);
  }

  signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      if (this.aborted) controller.abort();
      else this.addEventListener('abort', () => controller.abort());
    }
    return this.controller.signal;
  }

  get aborted(): boolean {
    return this.outgoing.destroyed && !this.outgoing.writableFinished;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    const onClose = (): void => {
      if (!this.outgoing.writableFinished) listener();
    };
    this.listeners ??= new Map();
    this.listeners.set(listener, onClose);
    this.outgoing.once('close', onClose);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const onClose = this.listeners?.get(listener);
    if (onClose !== undefined) this.outgoing.off('close', onClose);
    this.listeners?.delete(listener);
  }

  /** Counts the request on its connection. Returns whether to answer it. */
  begin(): boolean {
    return beginRequest(this.incoming, this.outgoing);
  }

  /**
   * Counts the answer, and discards the rest of an unread body: many clients read the answer only after they have sent
   * everything. A client that does not finish is disconnected.
   */
  end(): void {
    const { incoming } = this;
    endRequest(incoming);
    if (incoming.complete || !this.hasBody()) return;
    const timer = setTimeout(() => incoming.destroy(), maxDiscardTime);
    incoming.once('close', () => clearTimeout(timer));
    incoming.resume();
  }

  private hasBody(): boolean {
    return this.header('content-length') !== undefined || this.header('transfer-encoding') !== undefined;
  }

  /** The body that a body parser, such as Express's, has left. */
  private parsed(): Uint8Array | undefined {
    const { body, readableDidRead } = this.incoming as IncomingMessage & { readonly body?: unknown };
    if (body === undefined || !readableDidRead) return undefined;
    if (body instanceof Uint8Array) return body;
    return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private makeRequest(body: BodyInit | undefined): Request {
    const headers = new Headers();
    const { rawHeaders } = this.incoming;
    const isParsed = this.parsed() !== undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] as string;
      if (!isParsed || !bodyHeaders.has(name.toLowerCase())) headers.append(name, rawHeaders[at + 1] as string);
    }
    const { scheme, host, path, query, method } = this;
    const url = `${scheme}://${host}${path}${query === '' ? '' : `?${query}`}`;
    const given = body === undefined ? {} : { body, duplex: 'half' };
    return new Request(url, { method, headers, signal: this.signal(), ...given } as RequestInit);
  }
}

function allRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The headers that describe how a body was sent. */
const bodyHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** Reads from the connection only while the stream is read. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return WebStream.from(incoming.iterator({ destroyOnReturn: false })) as ReadableStream<Uint8Array>;
}
