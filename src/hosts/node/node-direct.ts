import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CancelSource } from '../../execute/limits/deadline.js';
import {
  type Direct,
  type DirectAnswer,
  type DirectRequest,
  directOf,
} from '../../http/direct/direct-request.js';
import type { FetchCompatibleGraphQLServer } from '../../server/options.js';
import { type CommonHead, readCommonHead } from './common-head.js';
import { controllerOf, type NodeHost, toRequest } from './node-request.js';

/** What a host does with the exchanges that are answered the short way. It knows each by what it likes. */
export interface DirectExchange<Exchange> {
  /** Answers a request of the common kind. */
  send(answered: DirectAnswer | Response, exchange: Exchange): void;
  /** Lets a request go the whole way, with its body, which was read already. */
  passWhole(exchange: Exchange, body: Uint8Array): void;
  /** Nothing can be made of it any more. */
  fail(exchange: Exchange, error: unknown): void;
}

/**
 * Answers a request the short way, where its server has one and the request is of the common kind.
 *
 * @returns Whether it does; otherwise nothing has been touched, and the request has to go the whole way.
 */
export function answerDirectly<Exchange>(
  server: FetchCompatibleGraphQLServer,
  host: NodeHost,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ways: DirectExchange<Exchange>,
  exchange: Exchange,
): boolean {
  const short = directOf(server);
  const head = short && readCommonHead(incoming, short.maxBody);
  if (short === undefined || head === undefined) return false;
  if (head.length === 0) {
    return send(short.direct(new NodeRequest(incoming, outgoing, host, head, undefined)), ways, exchange);
  }
  collect(incoming, (body) => {
    try {
      const answered = short.direct(new NodeRequest(incoming, outgoing, host, head, body));
      if (!send(answered, ways, exchange)) ways.passWhole(exchange, body);
    } catch (error) {
      ways.fail(exchange, error);
    }
  });
  return true;
}

/** Sends what came of a request; false where nothing did. */
function send<Exchange>(
  answered: ReturnType<Direct>,
  ways: DirectExchange<Exchange>,
  exchange: Exchange,
): boolean {
  if (answered === undefined) return false;
  if (answered instanceof Promise) {
    answered
      .then((settled) => ways.send(settled, exchange))
      .catch((error: unknown) => ways.fail(exchange, error));
  } else ways.send(answered, exchange);
  return true;
}

/** Reads a body to its end; of a client that goes away before there is nothing more to hear. */
function collect(incoming: IncomingMessage, done: (body: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  incoming.on('end', () => {
    const [first] = chunks;
    done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  });
}

/** A request as Node has it. It also tells of its client: a signal is what most requests have no use for. */
class NodeRequest implements DirectRequest, CancelSource {
  readonly method: 'GET' | 'POST';
  readonly pathname: string;
  readonly query: string | undefined;
  readonly accept: string | undefined;
  readonly #address: string;
  #request: Request | undefined;
  #listeners: Map<() => void, () => void> | undefined;

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
    readonly host: NodeHost,
    head: CommonHead,
    readonly body: Uint8Array | undefined,
  ) {
    const address = host.address?.(incoming) ?? incoming.url ?? '/';
    const mark = address.indexOf('?');
    this.method = head.method;
    this.pathname = mark === -1 ? address : address.slice(0, mark);
    this.query = mark === -1 ? undefined : address.slice(mark + 1);
    this.accept = head.accept;
    this.#address = address;
  }

  get client(): CancelSource {
    return this;
  }

  get context(): (() => unknown) | undefined {
    const { context } = this.host;
    return context === undefined ? undefined : () => context(this.incoming, this.outgoing);
  }

  toRequest(): Request {
    if (this.#request === undefined) {
      const { signal } = controllerOf(this.outgoing);
      this.#request = toRequest(this.incoming, this.#address, signal, this.body);
      if (this.#request === undefined) throw new Error('invariant: a request of the common kind can be made');
      // As on the whole way, where the body was read before anybody sees the request.
      if (this.body !== undefined) void this.#request.arrayBuffer();
    }
    return this.#request;
  }

  get aborted(): boolean {
    return this.outgoing.destroyed && !this.outgoing.writableFinished;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    const onClose = (): void => {
      if (!this.outgoing.writableFinished) listener();
    };
    this.#listeners ??= new Map();
    this.#listeners.set(listener, onClose);
    this.outgoing.once('close', onClose);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const onClose = this.#listeners?.get(listener);
    if (onClose !== undefined) this.outgoing.off('close', onClose);
    this.#listeners?.delete(listener);
  }
}
