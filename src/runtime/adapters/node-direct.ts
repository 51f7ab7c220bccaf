import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DirectAnswer, type DirectRequest, directOf } from '../direct/direct-request.js';
import type { Departure } from '../limits/deadline.js';
import type { FetchCompatibleGraphQLServer } from '../options.js';
import { type CommonHead, readCommonHead } from './common-head.js';
import { controllerOf, type NodeHost, toRequest } from './node-request.js';

/** What a host does with an exchange. */
export interface Exchange {
  /** Answers a request of the common kind. */
  send(answered: DirectAnswer | Response): void;
  /** Lets a request go the whole way, with its body where that was read already. */
  passWhole(body: Uint8Array): void;
  /** Nothing can be made of it any more. */
  fail(error: unknown): void;
}

/**
 * Answers a request the short way, where its server has one and the request is of the common kind.
 *
 * @returns Whether it does; otherwise nothing has been touched, and the request has to go the whole way.
 */
export function answerDirectly(
  server: FetchCompatibleGraphQLServer,
  host: NodeHost,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  exchange: Exchange,
): boolean {
  const short = directOf(server);
  const head = short && readCommonHead(incoming, short.maxBody);
  if (short === undefined || head === undefined) return false;
  const read = (body: Uint8Array | undefined): boolean => {
    const answered = short.direct(new NodeRequest(incoming, outgoing, host, head, body));
    if (answered === undefined) return false;
    if (answered instanceof Promise) answered.then(exchange.send).catch(exchange.fail);
    else exchange.send(answered);
    return true;
  };
  if (head.length === 0) return read(undefined);
  collect(incoming, (body) => {
    try {
      if (!read(body)) exchange.passWhole(body);
    } catch (error) {
      exchange.fail(error);
    }
  });
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

class NodeRequest implements DirectRequest {
  readonly method: 'GET' | 'POST';
  readonly pathname: string;
  readonly query: string | undefined;
  readonly body: Uint8Array | undefined;
  readonly accept: string | undefined;
  readonly context: (() => unknown) | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #address: string;
  #request: Request | undefined;
  #client: Departure | undefined;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { address, context }: NodeHost,
    head: CommonHead,
    body: Uint8Array | undefined,
  ) {
    const whole = address?.(incoming) ?? incoming.url ?? '/';
    const mark = whole.indexOf('?');
    this.method = head.method;
    this.pathname = mark === -1 ? whole : whole.slice(0, mark);
    this.query = mark === -1 ? undefined : whole.slice(mark + 1);
    this.body = body;
    this.accept = head.accept;
    this.context = context === undefined ? undefined : () => context(incoming, outgoing);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#address = whole;
  }

  get client(): Departure {
    this.#client ??= new NodeClient(this.#outgoing);
    return this.#client;
  }

  toRequest(): Request {
    if (this.#request === undefined) {
      const { signal } = controllerOf(this.#outgoing);
      this.#request = toRequest(this.#incoming, this.#address, signal, this.body);
      if (this.#request === undefined) throw new Error('invariant: a request of the common kind can be made');
      // As on the whole way, where the body was read before anybody sees the request.
      if (this.body !== undefined) void this.#request.arrayBuffer();
    }
    return this.#request;
  }
}

/** Tells of a client's departure, without a signal that most requests would have no use for. */
class NodeClient implements Departure {
  readonly #outgoing: ServerResponse;
  readonly #listeners = new Map<() => void, () => void>();

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  get aborted(): boolean {
    return this.#outgoing.destroyed && !this.#outgoing.writableFinished;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    const onClose = (): void => {
      if (!this.#outgoing.writableFinished) listener();
    };
    this.#listeners.set(listener, onClose);
    this.#outgoing.once('close', onClose);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const onClose = this.#listeners.get(listener);
    if (onClose !== undefined) this.#outgoing.off('close', onClose);
    this.#listeners.delete(listener);
  }
}
