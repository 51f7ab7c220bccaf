import type { ExecutionResult } from 'graphql';
import type { Caller, ContextSource, Framework } from '../auth/caller.js';
import type { DeniedError } from '../auth/denial.js';
import type { Principal } from '../auth/principal.js';
import type { CallSource } from '../call/call.js';
import type { Problem } from '../call/problem.js';
import type { JsonValue } from '../graph/json-value.js';
import type { Watch, WatchedOperation } from '../logs/watch.js';
import type { GqlAccess, GqlOperation } from '../schema/gql-schema.js';
import type { MaybePromise } from '../values/maybe-promise.js';
import type { CancelSource } from '../values/run-until.js';
import type { Answer } from './answer.js';
import { connectionOf, type Forwarded, type TrustedProxies } from './forwarded.js';

/**
 * One request and the state of its processing. A host creates an exchange, `answerExchange` in `steps.ts` turns it into
 * an {@link Answer}, and the host writes that answer.
 *
 * Everything expensive is created on demand: most requests need no fetch `Request`, no `URL` and no `AbortController`.
 */
export abstract class Exchange implements ContextSource, CallSource {
  abstract readonly method: string;
  /** The path as the URL standard normalizes it, independent of the `Host` header. */
  abstract readonly path: string;
  /** The query string without its question mark; empty if there is none. */
  abstract readonly query: string;
  /** The host and port that the client requested. */
  abstract readonly host: string;
  abstract readonly scheme: 'http' | 'https';
  /** The IP address of the other end of the connection, perhaps a proxy; undefined without a connection. */
  abstract readonly peer: string | undefined;
  /** Reports when the client disconnects before it has its answer. */
  abstract readonly client: CancelSource;
  /** Makes the context of the operation, if the host provides one. It replaces the option `context`. */
  abstract readonly context: ((caller: Caller) => unknown) | undefined;
  /** The objects of the framework that the request came through; undefined without one. */
  abstract readonly framework: Framework | undefined;
  /** The status to refuse the request with, if the host could not read it. */
  fault: number | undefined = undefined;
  /** The request in metrics and logs; undefined if both are off. */
  watched: WatchedExchange | undefined = undefined;

  /** The proxies that the server trusts; undefined for none. The step `trustProxies` sets it. */
  proxies: TrustedProxies | undefined = undefined;
  /** The caller; null if it is unknown. The step `authenticate` sets it. */
  principal: Principal | null = null;
  /** Why its credentials are refused; undefined if they are valid, or absent. The step `authenticate` sets it. */
  denied: DeniedError | undefined = undefined;
  /** The counts of its rate limits; undefined without any. The steps `limit…` set it. */
  counts: readonly Counted[] | undefined = undefined;
  /** How many calls the count of the request still covers. */
  prepaid = 1;
  /** How many mutations of the request have used its key. */
  keyed = 0;
  /** Whether a result is that of an earlier call with the same key. */
  isReplayed = false;
  /** The id of the last event that its mutations have published; undefined without one. */
  receipt: string | undefined = undefined;
  /** The resource of the path. The step `findResource` sets it. */
  resource: Resource | undefined = undefined;
  /** The route of the method at that path. The step `checkMethod` sets it. */
  route: Route | undefined = undefined;
  /** The body; undefined if there is none. The step `readBody` sets it for routes that take one. */
  bytes: Uint8Array | undefined = undefined;
  /** The body as text. The step `parseBody` sets it. */
  text = '';
  /** The body as JSON; undefined if it is empty or of another type. The step `parseBody` sets it. */
  json: JsonValue | undefined = undefined;
  /** The outcome of a GraphQL operation that ran before the engine got the request. */
  outcome: Outcome | undefined = undefined;

  private told: Forwarded | undefined = undefined;

  /** The client, and the scheme and host that it requested: as trusted proxies say, else those of the connection. */
  get forwarded(): Forwarded {
    this.told ??= (this.proxies ?? connectionOf)(this);
    return this.told;
  }

  /** The IP address of the client; undefined without a connection. */
  get address(): string | undefined {
    return this.forwarded.address;
  }

  /** The value of a header, by its lower-case name. Repeated headers are joined by `, `, as in fetch. */
  abstract header(name: string): string | undefined;
  abstract headerNames(): Iterable<string>;
  /** Reads the body into `bytes`. May be called once. Throws a `ProblemError` (413) beyond `maximum` bytes. */
  abstract readBody(maximum: number): MaybePromise<undefined>;
  /** The request as a fetch `Request`. Every call returns the same object. */
  abstract request(): Request;
  /** The same request with another body; an empty text means no body. */
  abstract requestWith(body: string): Request;
  /** The signal that is aborted when the client disconnects. */
  abstract signal(): AbortSignal;
}

/** A request that metrics or logs record. */
export interface WatchedExchange extends WatchedOperation {
  /** Gets the faults of the request. */
  readonly watch: Watch;
  /** Records the answer; one whose body is a stream when the stream ends. Never throws. */
  answered(answer: Answer): void;
  /** Records an operation over WebSocket that did not run. */
  refused(errors: readonly unknown[]): void;
}

/** The routes of a path, by method. */
export interface Resource {
  /** Its path, with the names of arguments: `/api/users/{id}`. The table of routes sets it. */
  path?: string;
  /** The value of the header `Allow`. */
  readonly allow: string;
  readonly routes: Pick<ReadonlyMap<string, Route>, 'get'>;
  /** Answers with a problem in the format of the path's clients. Default: problem details. */
  refuse?(exchange: Exchange, problem: Problem): Answer;
}

/** The handler of a method at a path. Each member belongs to one step, and throws a {@link ProblemError} to refuse. */
export interface Route {
  /** What callers of the route need. Without it, credentials are not read: documents and health checks are public. */
  readonly access?: GqlAccess;
  /** The operation of a REST route. */
  readonly operation?: GqlOperation;
  /** The route of a request, where the header `Accept` chooses between two of the same method. */
  choose?(exchange: Exchange): Route;
  /** Checks that no page of another site could have sent the request with a user's cookies. */
  checkOrigin?(exchange: Exchange): void;
  /** Reads the body with `receiveBody`. */
  read?(exchange: Exchange): MaybePromise<undefined>;
  /** Parses the body that was read, or the query string. */
  parse?(exchange: Exchange): void;
  /** Answers the request. */
  run(exchange: Exchange): MaybePromise<Answer>;
}

/** A count of a rate limit, after a request was counted. */
export interface Counted {
  /** The limit, by its name and as the header `RateLimit-Policy` states it. */
  readonly policy: { readonly name: string; readonly stated: string };
  /** The number of requests that are left in the window. */
  readonly remaining: number;
  /** When the window ends, in seconds from then. */
  readonly seconds: number;
}

/** The outcome of a GraphQL operation that ran before the engine got its request. */
export type Outcome =
  /** The operation ran. The engine formats its result, which has errors. */
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  /** The context could not be created. The engine formats the error. */
  | { readonly kind: 'refused'; readonly error: unknown };
