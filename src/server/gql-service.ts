import type { Execution } from '../execute/execution.js';
import type { Limits } from '../execute/limits/limits.js';
import type { Exchange } from '../http/exchange.js';
import type { AnswerWriter } from '../http/steps.js';
import type { FetchCompatibleGraphQLServer, GqlServer } from './gql-server.js';

/** A server together with what engines and hosts need of it. */
export interface Service<TContext = unknown> {
  readonly server: GqlServer<TContext>;
  /** Answers a request of any host. Never throws. */
  answer<Host extends Exchange>(exchange: Host, write: AnswerWriter<Host>): void;
  /** Runs its operations. Rejects if the topology cannot be served. */
  execution(): Promise<Execution>;
  /** The context that resolvers get; may throw or reject. */
  contextFor(exchange: Pick<Exchange, 'context' | 'request'>): unknown;
  readonly endpoint: string;
  /** The title of the page to try queries on. */
  readonly title: string;
  /** Whether the page to try queries on is left out. */
  readonly production: boolean;
  readonly limits: Limits;
}

const key = Symbol('gg-svc.service');

/** Keeps a service on the object that users hold. Copies of the object do not get it. */
export function attachService(server: object, service: Service<never>): void {
  Object.defineProperty(server, key, { value: { service, fetch: fetchOf(server) } });
}

/** The service of a server; undefined for objects that this package did not make. */
export function serviceOf(server: object): Service | undefined {
  return (server as { readonly [key]?: { readonly service: Service } })[key]?.service;
}

/**
 * The service that answers in place of a server's `fetch`. Undefined if the user has put a `fetch` of their own in
 * front: that has to see every request.
 */
export function answeringService(server: FetchCompatibleGraphQLServer): Service | undefined {
  const attached = (server as { readonly [key]?: { readonly service: Service; readonly fetch: unknown } })[
    key
  ];
  return attached?.fetch === server.fetch ? attached?.service : undefined;
}

function fetchOf(server: object): unknown {
  return (server as Partial<FetchCompatibleGraphQLServer>).fetch;
}

/** Loads what runs operations, if a server is one of this package. A failure is reported by the first answer. */
export function prepareOperations(server: object): void {
  serviceOf(server)
    ?.execution()
    .catch(() => undefined);
}
