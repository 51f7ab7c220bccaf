import type { Execution } from '../../execute/execution.js';
import type { Limits } from '../../execute/limits/limits.js';
import type { MaybePromise } from '../../execute/values/maybe-promise.js';
import type { Answer } from '../answer.js';
import type { Exchange } from '../exchange.js';

/** What GraphQL over HTTP needs of the server that it belongs to. */
export interface GraphQLEnvironment {
  readonly endpoint: string;
  /** The title of the page to try queries on. */
  readonly title: string;
  readonly execution: Execution;
  /** The context that resolvers get; may throw or reject. */
  readonly contextFor: (exchange: Pick<Exchange, 'context' | 'request'>) => unknown;
  /** Whether the page to try queries on is left out. */
  readonly production: boolean;
  readonly limits: Limits;
}

/** An engine that is loaded. */
export interface GraphQLHandler {
  /**
   * Answers a request whose body was read and checked. If the exchange has an outcome, the operation has run, and the
   * engine formats that outcome.
   */
  handle(exchange: Exchange): MaybePromise<Answer>;
  /** How the engine answers operations without errors; undefined if it must see every request. */
  readonly plain: PlainAnswers | undefined;
}

/** How an engine answers an operation without errors, to a client that takes JSON. */
export interface PlainAnswers {
  /** What it writes after the JSON. */
  readonly end: string;
  /** What it makes of a context before resolvers get it. */
  scope(context: unknown): unknown;
  /** Whether documents that are new to the server are read in front of the engine too. */
  readonly readsDocuments: boolean;
}

/**
 * What speaks GraphQL over HTTP: Apollo or Yoga. An engine brings the protocol. Operations are run by the execution,
 * and limits, REST, documents and health stand before and beside the engine, the same for all of them.
 */
export type Engine = (environment: GraphQLEnvironment) => Promise<GraphQLHandler>;
