import { parseUrl } from '../../base/source/parse-url.js';
import type { Exchange } from './exchange.js';

/**
 * Headers that prove that no page of another site sent the request: browsers send them across sites only after a
 * preflight request. Any non-empty value counts.
 */
const preflightHeaders: readonly string[] = [
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'x-graphql-yoga-csrf',
  'graphql-require-preflight',
];

/** The content types that a page may send to another site without a preflight. */
const simpleTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

/** The query parameters that contain an operation; `extensions` may contain the hash of a persisted one. */
const operationParameter = /(?:^|&)(?:query|extensions)=/;

/**
 * Whether a page of another site could have sent this GraphQL request with the cookies of its visitor. Such a page can
 * send any request that a form can send, so a POST needs another content type or a preflight header. A GET runs only
 * queries; it is refused if the browser's headers say that it comes from another site. Other clients do not send these
 * headers.
 */
export function isForgeable(exchange: Exchange): boolean {
  if (exchange.method === 'POST') return !isOwnType(exchange) && !hasPreflight(exchange);
  return (
    operationParameter.test(exchange.query) && !isOwnType(exchange) && isForeign(exchange) && !hasPreflight(exchange)
  );
}

/** Whether the browser's headers say that a page of another origin sent the request. */
export function isForeign(exchange: Pick<Exchange, 'header' | 'forwarded'>): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const origin = exchange.header('origin');
  return origin !== undefined && parseUrl(origin)?.host !== exchange.forwarded.host;
}

/** Whether a request has a header that a page of another site can send only after a preflight request. */
export function hasPreflight(exchange: Exchange): boolean {
  return preflightHeaders.some((name) => (exchange.header(name) ?? '') !== '');
}

/** Whether the content type is well-formed and not one that a form can send. Browsers differ on malformed ones. */
function isOwnType(exchange: Exchange): boolean {
  const given = exchange.header('content-type');
  if (given === undefined || given === 'application/json') return given !== undefined;
  const [type = ''] = given.toLowerCase().split(';', 1);
  const essence = type.trim();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) && !simpleTypes.has(essence);
}
