import type { Execution } from './execution.js';
import type { Limits } from './limits/limits.js';
import type { GuardedRequest } from './limits/request-guard.js';

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

/** Answers a request for GraphQL; `request` is as it came in, `guarded` what is left of it to read. */
export type GraphQLHandler = (guarded: GuardedRequest, request: Request) => Promise<Response>;

/**
 * What speaks GraphQL over HTTP: Apollo or Yoga. It brings the protocol; operations run as everywhere else,
 * and what stands before and beside it (limits, REST, documents, health) is the same for every engine.
 */
export type Engine = (environment: GraphQLEnvironment) => Promise<GraphQLHandler>;
