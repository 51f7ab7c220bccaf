/**
 * `gg-svc/client`: a client of the REST routes and the streams of an API, for browsers and Node.js. Its types are those
 * that `gg-svc types` writes; it imports nothing.
 *
 * @module client
 */

export { ApiError, type Problem } from './runtime/client/api-error.js';
export {
  type AnswerOf,
  type ArgumentsOf,
  type Call,
  type Client,
  type CodesOf,
  createClient,
  type EventOf,
  type Given,
  type Method,
  type Nothing,
  type PathsWith,
  type Places,
  type ProblemsOf,
  type RouteOf,
  type StreamsOf,
} from './runtime/client/create-client.js';
export type { Followed, FollowOptions } from './runtime/client/follow.js';
export type { ClientOptions, HeadersOf, RequestOptions } from './runtime/client/send.js';
