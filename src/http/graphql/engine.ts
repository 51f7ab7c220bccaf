import type { Calls } from '../../call/calls.js';
import type { OperationEnvironment } from '../../call/named/environment.js';
import type { Limits } from '../../limits/limits.js';
import type { MaybePromise } from '../../values/maybe-promise.js';
import type { Answer } from '../answer.js';
import type { Exchange } from '../exchange.js';

/** The parts of a server that GraphQL over HTTP needs. */
export interface GraphQLEnvironment extends Pick<OperationEnvironment, 'contextFor'> {
  readonly endpoint: string;
  /** The title of GraphiQL. */
  readonly title: string;
  readonly execution: Calls;
  /** Whether GraphiQL is not served. */
  readonly production: boolean;
  readonly limits: Limits;
}

/** A loaded engine. */
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
  /** The text that it writes after the JSON. */
  readonly end: string;
  /** Wraps the context for resolvers. */
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
  load(environment: GraphQLEnvironment): Promise<GraphQLHandler>;
}
