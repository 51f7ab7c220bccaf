import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { Principal } from '../auth/principal.js';
import type { RateClient } from '../config/traffic-options.js';
import type { Repeats } from '../repeats/repeats.js';
import type { Answer } from './answer.js';
import type { Counted, Exchange, Resource } from './exchange.js';
import type { TrustedProxies } from './forwarded.js';

export interface Traffic {
  readonly proxies?: TrustedProxies | undefined;
  readonly cors?: Cors | undefined;
  readonly rates?: Rates | undefined;
  readonly repeats?: Repeats | undefined;
}

export interface Cors {
  /** Whether a request comes from an origin that is listed by name; `*` lists none. */
  accepts(exchange: Pick<Exchange, 'header'>): boolean;
  answerPreflight(exchange: Exchange, resource: Resource): Answer | undefined;
  share(answer: Answer, exchange: Exchange): void;
}

/** A client with the counts of its request: an exchange, or a message of a WebSocket. */
export interface CountedClient extends RateClient {
  principal: Principal | null;
  counts: readonly Counted[] | undefined;
}

/** The option `rateLimits` of a server. Each method throws a `ProblemError` (429) beyond a limit. */
export interface Rates {
  countRequest(client: CountedClient): MaybePromise<undefined>;
  countCaller(client: CountedClient): MaybePromise<undefined>;
  /** Counts calls by the operations that they run; `further` ones count like requests of their own. */
  countCalls(client: CountedClient, operations: readonly string[], further: number): MaybePromise<undefined>;
  /** Sets the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
  tell(answer: Answer, client: CountedClient): void;
}
