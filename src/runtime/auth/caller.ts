import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Kysely } from 'kysely';
import type { Principal } from './principal.js';

/** The caller of a request, for the option `context`. */
export interface Caller {
  /** The caller as the option `authenticate` found it; null if it is unknown. */
  readonly principal: Principal | null;
  /** The IP address of the client, behind trusted proxies as they say; undefined without a connection. */
  readonly address: string | undefined;
  /** The request and the response of Express, on Express. */
  readonly express?: { readonly req: IncomingMessage; readonly res: ServerResponse };
  /** The request and the reply of Fastify, with the plugin for Fastify. */
  readonly fastify?: { readonly request: object; readonly reply: object };
}

/** The objects of the framework that a request came through. */
export type Framework = Pick<Caller, 'express' | 'fastify'>;

/** The parts of a request that its context is made from. */
export interface ContextSource {
  readonly principal: Principal | null;
  readonly address: string | undefined;
  /** The objects of the framework that the request came through; undefined without one. */
  readonly framework: Framework | undefined;
  /** Makes the context, if the host provides one. It replaces the option `context`. */
  readonly context: ((caller: Caller) => unknown) | undefined;
  request(): Request;
}

/** The caller of a request. */
export function callerOf({ principal, address, framework }: ContextSource): Caller {
  return { principal, address, ...framework };
}

/**
 * The context of resolvers on a server without the option `context`.
 *
 * @typeParam Tables - The tables of the store: `StoreTables` of the types that `gg-svc types` writes.
 */
// biome-ignore lint/suspicious/noExplicitAny: this package does not know the tables of the topology.
export interface RequestContext<Tables = Record<string, Record<string, any>>> {
  /** The caller; null if it is unknown. */
  readonly principal: Principal | null;
  /** The request, whose body has been read. For an operation in this process, it has neither headers nor a body. */
  readonly request: Request;
  /** Publishes an event to the subscribers of a subscription, as `server.publish` does. */
  readonly publish: (subscription: string, payload: unknown) => void;
  /** Opens the database of the option `store`, as `server.store` does. */
  readonly store: () => Promise<Kysely<Tables>>;
}

const source = Symbol('gg-svc.request');

/**
 * Makes the request on first use. Engines copy contexts with their prototype and symbols, so it has no private field; a
 * function keeps the headers and the connection out of the logs of a program that prints its context.
 */
export class DefaultContext implements RequestContext {
  readonly principal: Principal | null;
  readonly publish: RequestContext['publish'];
  readonly store: RequestContext['store'];
  private readonly [source]: () => Request;

  constructor(request: ContextSource, { publish, store }: Pick<RequestContext, 'publish' | 'store'>) {
    this.principal = request.principal;
    this.publish = publish;
    this.store = store;
    // V8 allocates a function that is assigned to a property at once in the old generation, where it would keep the
    // request alive until the next major garbage collection.
    const make = (): Request => request.request();
    this[source] = make;
  }

  get request(): Request {
    return this[source]();
  }
}
