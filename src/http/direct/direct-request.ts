import type { CancelSource } from '../../execute/limits/deadline.js';
import type { MaybePromise } from '../../execute/values/maybe-promise.js';

/**
 * A request of the common kind, as a host on Node has read it: a GET without a body, or a POST of JSON whose
 * body is there. Making the objects of the fetch standard for it would cost more than to answer it.
 */
export interface DirectRequest {
  readonly method: 'GET' | 'POST';
  /** The path as it was sent. */
  readonly pathname: string;
  /** What follows the question mark, as it was sent; undefined where there is none. */
  readonly query: string | undefined;
  /** Undefined for a GET. */
  readonly body: Uint8Array | undefined;
  /** The header `Accept`; undefined where there is none. */
  readonly accept: string | undefined;
  /** Tells when the client goes away. */
  readonly client: CancelSource;
  /** Makes the context, where the host has its own way to. */
  readonly context: (() => unknown) | undefined;
  /** The request as fetch has it, for who wants to look at it; its body is read already. */
  toRequest(): Request;
}

/** An answer of the common kind: its status is 200, its type some JSON in UTF-8. */
export interface DirectAnswer {
  readonly text: string;
  /** The media type, where it is another than that of JSON. */
  readonly mediaType?: string | undefined;
  /** Whether it is the last answer of its connection. */
  readonly isLast?: boolean;
  /** Whether browsers are told not to take it for anything else. */
  readonly isGuarded: boolean;
}

/**
 * Answers a request of the common kind, exactly as `fetch` of the same server would. Undefined where it does not
 * know for certain what that would be; then nothing has been done yet, and the request goes the whole way. Where
 * something went wrong on the way, the answer is a response of the whole way.
 */
export type Direct = (request: DirectRequest) => MaybePromise<DirectAnswer | Response> | undefined;

/** What a host may go by. */
export interface DirectServer {
  readonly direct: Direct;
  /** How many bytes the body of a request may have. */
  readonly maxBody: number;
}

/** What makes requests and what they are answered with, by the server; with its `fetch`, which it stands for. */
const servers = new WeakMap<object, { readonly fetch: unknown; readonly server: DirectServer }>();

/** Lets hosts find the short way to a server. */
export function registerDirect(fetcher: { readonly fetch: unknown }, server: DirectServer): void {
  servers.set(fetcher, { fetch: fetcher.fetch, server });
}

/** The short way to a server; undefined where there is none, or where somebody has put his own `fetch` before it. */
export function directOf(fetcher: { readonly fetch: unknown }): DirectServer | undefined {
  const found = servers.get(fetcher);
  return found !== undefined && found.fetch === fetcher.fetch ? found.server : undefined;
}
