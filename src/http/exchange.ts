import type { ExecutionResult } from 'graphql';
import type { CancelSource } from '../execute/limits/run-until.js';
import type { MaybePromise } from '../execute/values/maybe-promise.js';
import type { JsonValue } from '../graph/json-value.js';
import type { Answer } from './answer.js';
import type { Problem } from './problem.js';

/**
 * One request and the state of answering it. A host makes an exchange, `answerExchange` in `steps.ts` makes an
 * {@link Answer} out of it, and the host writes that answer.
 *
 * Everything that costs time is read when a step asks for it. Most requests need no fetch `Request`, no `URL` and no
 * `AbortController`.
 */
export abstract class Exchange {
  abstract readonly method: string;
  /** The path as the URL standard normalizes it. The `Host` header never takes part. */
  abstract readonly path: string;
  /** The query string without its question mark; empty if there is none. */
  abstract readonly query: string;
  /** The host and port that the client asked for. */
  abstract readonly host: string;
  abstract readonly scheme: 'http' | 'https';
  /** Reports when the client disconnects before it has its answer. */
  abstract readonly client: CancelSource;
  /** The status to refuse the request with, if the host could not read it. */
  fault: number | undefined = undefined;
  /** Makes the context of the operation, if the host has a way of its own. It replaces the option `context`. */
  context: (() => unknown) | undefined = undefined;

  /** What the path stands for. The step `findResource` sets it. */
  resource: Resource | undefined = undefined;
  /** What answers the method at that path. The step `checkMethod` sets it. */
  route: Route | undefined = undefined;
  /** The body; undefined if there is none. The step `readBody` sets it for routes that take one. */
  bytes: Uint8Array | undefined = undefined;
  /** The body as text. The step `parseBody` sets it. */
  text = '';
  /** The body as JSON; undefined if it is empty or of another type. The step `parseBody` sets it. */
  json: JsonValue | undefined = undefined;
  /** What happened to a GraphQL operation before the engine got the request. */
  outcome: Outcome | undefined = undefined;

  /** The value of a header, by its lower-case name. Repeated headers are joined by `, `, as in fetch. */
  abstract header(name: string): string | undefined;
  abstract headerNames(): Iterable<string>;
  /**
   * Reads the body into `bytes`. It is read once.
   *
   * @param maximum - The number of bytes to accept.
   * @throws {ProblemError} 413 if there are more.
   */
  abstract readBody(maximum: number): MaybePromise<undefined>;
  /** The request as fetch has it. Every call returns the same object. */
  abstract request(): Request;
  /** The same request with another body; an empty text stands for none. */
  abstract requestWith(body: string): Request;
  /** The signal that is aborted when the client disconnects. */
  abstract signal(): AbortSignal;
}

/** What a path stands for: one route for each method. */
export interface Resource {
  /** The value of the header `Allow`. */
  readonly allow: string;
  readonly routes: Pick<ReadonlyMap<string, Route>, 'get'>;
  /** Answers with a problem in the format of the path's clients. */
  refuse(exchange: Exchange, problem: Problem): Answer;
}

/** What answers a method at a path. Its members are called by the steps of the same purpose. */
export interface Route {
  /**
   * Checks whether a page of another site could have sent the request in the name of a user.
   *
   * @throws {ProblemError} If so.
   */
  checkOrigin?(exchange: Exchange): void;
  /**
   * Reads the body with `receiveBody`.
   *
   * @throws {ProblemError} If it is refused.
   */
  read?(exchange: Exchange): MaybePromise<undefined>;
  /**
   * Parses the body that was read, or the query string.
   *
   * @throws {ProblemError} If it is wrong.
   */
  parse?(exchange: Exchange): void;
  /**
   * Answers the request.
   *
   * @throws {ProblemError} If the request turns out to be wrong, or its operation fails.
   */
  run(exchange: Exchange): MaybePromise<Answer>;
}

/** What came of a GraphQL operation before the engine saw its request. */
export type Outcome =
  /** The operation ran. The engine formats its result, which has errors. */
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  /** The context could not be made. The engine formats the error. */
  | { readonly kind: 'refused'; readonly error: unknown };
