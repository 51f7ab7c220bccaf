import type { Answer } from './answer.js';
import type { Exchange, Resource } from './exchange.js';
import type { TrustedProxies } from './forwarded.js';

/** What the steps of a request need of these options; undefined for an option that is not given. */
export interface Traffic {
  readonly proxies?: TrustedProxies | undefined;
  readonly cors?: Cors | undefined;
}

/** The option `cors` of a server. */
export interface Cors {
  /** Whether a request comes from an origin that is listed by name; `*` lists none. */
  accepts(exchange: Pick<Exchange, 'header'>): boolean;
  /** Answers a preflight request of an allowed origin. */
  answerPreflight(exchange: Exchange, resource: Resource): Answer | undefined;
  /** Sets the headers of every answer. */
  share(answer: Answer, exchange: Exchange): void;
}
