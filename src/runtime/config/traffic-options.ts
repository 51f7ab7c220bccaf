import type { OwnerOptions } from '../auth/owner.js';
import type { Principal } from '../auth/principal.js';
import type { RedisClient } from '../brokers/redis-scripts.js';

/** The options about clients and the proxies in front of a server. All are off by default. */
export interface TrafficOptions {
  /**
   * The proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed: addresses, CIDR ranges, `loopback`,
   * `linklocal`, `uniquelocal`, and `unix` for connections without an IP address. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** The pages of other origins that may read answers. Default: none. */
  readonly cors?: CorsOptions;
  /** Limits on the number of requests. Default: none. */
  readonly rateLimits?: readonly RateLimit[];
  /** How callers are compared with the owners of data: `owner` of an edge, `@owner` of a node or a field. */
  readonly owners?: OwnerOptions;
  /** Answers repeats of mutations with the first answer, by the header `Idempotency-Key`. Default: off. */
  readonly idempotency?: IdempotencyOptions;
}

/** Cross-origin resource sharing: which pages of other origins may read the answers. */
export interface CorsOptions {
  /** The origins, such as `https://app.example.com`; `null` for pages without one. `*` for all, without credentials. */
  readonly origins: readonly string[] | '*';
  /** Whether these pages may send cookies and other credentials of the browser. Default: `false`. */
  readonly credentials?: boolean;
  /** How long a browser caches the answer to a preflight request, in seconds. Default: 600. */
  readonly maxAge?: number;
  /** The request headers that pages may set. Default: all. */
  readonly headers?: readonly string[];
  /** The response headers that pages may read. Default: those of this package. */
  readonly exposedHeaders?: readonly string[];
}

/** A limit on the number of requests in a time window. */
export interface RateLimit {
  /** The most requests in a window. */
  readonly limit: number;
  /** The length of the window: a number of seconds, or a text such as `30s`, `5m`, `1h`. At most a day. */
  readonly per: number | string;
  /**
   * Whose requests are counted together: those of a client address, before authentication; those of a principal, and
   * of anonymous callers by their address; or those for which a function returns the same text. Undefined counts not.
   */
  readonly by: 'address' | 'principal' | ((client: RateClient) => string | undefined);
  /** Only these operations are counted, by their names in GraphQL. Default: all requests but health checks. */
  readonly operations?: readonly string[];
  /** Its name in the header `RateLimit` and in the store. Default: that of `by`, with a number if it is taken. */
  readonly name?: string;
  /** Where the counts are: in the process, or in the Redis of a URL or a client. Default: `memory`. */
  readonly store?: TrafficStore;
  /** Whether requests are answered while Redis cannot be reached. Default: `allow`. */
  readonly onStoreError?: 'allow' | 'refuse';
}

/** How answers to mutations are kept for repeats. */
export interface IdempotencyOptions {
  /** How long: a number of seconds, or a text such as `12h`, `7d`. At most 30 days. Default: a day. */
  readonly ttl?: number | string;
  /** Where: in the process, or in the Redis of a URL or a client. Default: `memory`. */
  readonly store?: TrafficStore;
}

/** The client of a request that is counted. */
export interface RateClient {
  /** The caller; null if it is unknown. */
  readonly principal: Principal | null;
  /** The IP address of the client; undefined without a connection. */
  readonly address: string | undefined;
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined;
}

/** Memory of the process, the URL of a Redis (`redis://…`, `rediss://…`), or a client such as that of ioredis. */
export type TrafficStore = 'memory' | (string & {}) | RedisClient;
