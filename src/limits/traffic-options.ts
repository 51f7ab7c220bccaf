/** The options of a server about its clients and the proxies in front of it. All of them are off by default. */
export interface TrafficOptions {
  /**
   * The proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed: addresses, CIDR ranges, `loopback`,
   * `linklocal`, `uniquelocal`, and `unix` for connections without an IP address. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** The pages of other origins that may read answers. Default: none. */
  readonly cors?: CorsOptions;
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
