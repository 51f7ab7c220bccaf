import type { ExecutionResult } from 'graphql';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { CancelSource } from '../../base/values/run-until.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { GqlAccess, GqlOperation } from '../../compiler/schema/gql-schema.js';
import type { Caller, ContextSource, Framework } from '../auth/caller.js';
import type { DeniedError } from '../auth/denial.js';
import type { Principal } from '../auth/principal.js';
import type { CallSource } from '../call/call.js';
import type { Problem } from '../call/problem.js';
import type { Monitor, TrackedOperation } from '../logs/monitor.js';
import { connectionOf, type Forwarded, type TrustedProxies } from '../traffic/forwarded.js';
import type { Counted } from '../traffic/rate-limits.js';
import type { Form, OpenBody } from '../uploads/form.js';
import type { Answer } from './answer.js';

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
  abstract readonly query: string;
  abstract readonly host: string;
  abstract readonly scheme: 'http' | 'https';
  /** The IP address of the other end of the connection, perhaps a proxy; undefined without a connection. */
  abstract readonly peer: string | undefined;
  /** Reports when the client disconnects before it has its answer. */
  abstract readonly client: CancelSource;
  /** Makes the context of the operation, if the host provides one. It replaces the option `context`. */
  abstract readonly context: ((caller: Caller) => unknown) | undefined;
  abstract readonly framework: Framework | undefined;
  /** The status to refuse the request with, if the host could not read it. */
  fault: number | undefined = undefined;
  /** The request in metrics and logs; undefined if both are off. */
  tracked: TrackedExchange | undefined = undefined;

  /** The proxies that the server trusts; undefined for none. The step `trustProxies` sets it. */
  proxies: TrustedProxies | undefined = undefined;
  /** The caller; null if it is unknown. The step `authenticate` sets it. */
  principal: Principal | null = null;
  /** Why its credentials are refused; undefined if they are valid, or absent. The step `authenticate` sets it. */
  denied: DeniedError | undefined = undefined;
  /** The counts of its rate limits; undefined without any. The steps `limit…` set it. */
  counts: readonly Counted[] | undefined = undefined;
  prepaid = 1;
  keyed = 0;
  isReplayed = false;
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
  /** The form in place of the body, for a request with files. The step `readBody` sets it. */
  form: Form | undefined = undefined;
  outcome: EarlyOutcome | undefined = undefined;

  private told: Forwarded | undefined = undefined;

  /** The client, and the scheme and host that it requested: as trusted proxies say, else those of the connection. */
  get forwarded(): Forwarded {
    this.told ??= (this.proxies ?? connectionOf)(this);
    return this.told;
  }

  get address(): string | undefined {
    return this.forwarded.address;
  }

  /** The value of a header, by its lower-case name. Repeated headers are joined by `, `, as in fetch. */
  abstract header(name: string): string | undefined;
  abstract headerNames(): Iterable<string>;
  /** Reads the body into `bytes`. May be called once. Throws a `ProblemError` (413) beyond `maximum` bytes. */
  abstract readBody(maximum: number): MaybePromise<undefined>;
  /** Opens the body as a stream, in place of `readBody`. */
  abstract openBody(): OpenBody;
  /** The request as a fetch `Request`. Every call returns the same object. */
  abstract request(): Request;
  /** The same request with another body; an empty text means no body. */
  abstract requestWith(body: string): Request;
  abstract signal(): AbortSignal;
}

export interface TrackedExchange extends TrackedOperation {
  readonly monitor: Monitor;
  /** Records the answer; one whose body is a stream when the stream ends. Never throws. */
  answered(answer: Answer): void;
  /** Records an operation over WebSocket that did not run. */
  refused(errors: readonly unknown[]): void;
}

export interface Resource {
  /** Its path, with the names of arguments: `/api/users/{id}`. The table of routes sets it. */
  path?: string;
  readonly allow: string;
  readonly routes: Pick<ReadonlyMap<string, Route>, 'get'>;
  /** Whether a request with another method is for another path that matches it. */
  readonly isShared?: boolean;
  /** Answers with a problem in the format of the path's clients. Default: problem details. */
  refuse?(exchange: Exchange, problem: Problem): Answer;
}

/** The handler of a method at a path. Each member belongs to one step, and throws a {@link ProblemError} to refuse. */
export interface Route {
  /** The demand on callers of the route. Without it, as for documents and health checks, credentials are not read. */
  readonly access?: GqlAccess;
  readonly operation?: GqlOperation;
  /** The request headers that its answers depend on, for caches: `Accept, X-Tenant`. */
  readonly vary?: string;
  /** The route of a request, where the header `Accept` chooses between two of the same method. */
  choose?(exchange: Exchange): Route;
  /** Checks that no page of another site could have sent the request with a user's cookies. */
  checkOrigin?(exchange: Exchange): void;
  read?(exchange: Exchange): MaybePromise<undefined>;
  parse?(exchange: Exchange): void;
  run(exchange: Exchange): MaybePromise<Answer>;
}

export type EarlyOutcome =
  /** The operation ran. The engine formats its result, which has errors. */
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  /** The context could not be created. The engine formats the error. */
  | { readonly kind: 'refused'; readonly error: unknown };
