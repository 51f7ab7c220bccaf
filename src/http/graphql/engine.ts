import type { Execution } from '../../execute/execution.js';
import type { Limits } from '../../execute/limits/limits.js';
import type { Outcome, PlainAnswers } from './known-operation.js';
import type { GuardedRequest } from './request-guard.js';

/** What GraphQL over HTTP needs of the server that it belongs to. */
export interface GraphQLEnvironment {
  /** The path of GraphQL. */
  readonly endpoint: string;
  /** What the page to try queries on is called. */
  readonly title: string;
  readonly execution: Execution;
  /** The context that resolvers get. */
  readonly contextFor: (request: Request) => unknown;
  /** Whether the page to try queries on is left out. */
  readonly production: boolean;
  readonly limits: Limits;
}

/** What an engine makes of a server. */
export interface GraphQLHandler {
  /**
   * Answers a request for GraphQL.
   *
   * @param guarded - What is left of it to read.
   * @param request - As it came in.
   * @param outcome - What has happened to it already, and is only to be told of.
   */
  handle(guarded: GuardedRequest, request: Request, outcome: Outcome | undefined): Promise<Response>;
  /** How it answers what leaves nothing to decide; undefined where it has to see every request. */
  readonly plain: PlainAnswers | undefined;
}

/**
 * What speaks GraphQL over HTTP: Apollo or Yoga. It brings the protocol; operations run as everywhere else,
 * and what stands before and beside it (limits, REST, documents, health) is the same for every engine.
 */
export type Engine = (environment: GraphQLEnvironment) => Promise<GraphQLHandler>;
