import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import type { Calls } from '../../call/calls.js';
import type { Environment } from '../../call/environment.js';
import type { Answer } from '../answer.js';
import type { Exchange } from '../exchange.js';

export interface GraphQLHandler {
  /**
   * Answers a request whose body was read and checked. If the exchange has an outcome, the operation has already run,
   * and the engine only formats the outcome.
   */
  handle(exchange: Exchange): MaybePromise<Answer>;
  /** How the engine answers operations without errors; undefined if the engine must get every request. */
  readonly plain: PlainAnswers | undefined;
}

/** How an engine answers an operation without errors, for a client that accepts JSON. */
export interface PlainAnswers {
  readonly end: string;
  scope(context: unknown): unknown;
  /** Whether the fast path also parses documents that are new to the server. */
  readonly readsDocuments: boolean;
}

/**
 * An implementation of GraphQL over HTTP: Apollo or Yoga. The engine only implements the protocol. Operations, limits,
 * REST, documents and health checks are the same for all engines.
 */
export interface Engine {
  /** Whether it also answers the clients that want event streams, because its plugins must see them. */
  readonly streamsEvents: boolean;
  load(environment: Environment, calls: Calls): Promise<GraphQLHandler>;
}
