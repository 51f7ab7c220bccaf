/**
 * The headers with which a client shows that no page of another site sent its request: a browser sends them
 * only after the server has agreed to it. Any value but an empty one counts.
 */
export const preflightHeaders: readonly string[] = [
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'x-graphql-yoga-csrf',
  'graphql-require-preflight',
];

/** The types of body that a page may send to another site without asking it. */
const simpleTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

/**
 * Whether a request for GraphQL may have been sent by a page of another site, in the name of a user who
 * visits it. Such a page can send any request that a form could send, so a POST has to be of another kind:
 * with a content type of its own, or with one of the headers above. A GET runs queries alone; it is refused
 * when the browser says that it comes from elsewhere, and answered to programs, which say nothing of that.
 */
export function isForgeable(request: Request, url: URL): boolean {
  if (preflightHeaders.some((name) => (request.headers.get(name) ?? '') !== '')) return false;
  if (request.method === 'GET' || request.method === 'HEAD') {
    return url.searchParams.has('query') && !isOwnType(request) && isForeign(request, url);
  }
  return request.method === 'POST' && !isOwnType(request);
}

/** Whether the content type is well formed and none that a form can send; what a browser makes of others varies. */
function isOwnType({ headers }: Request): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const essence = type.trim();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) && !simpleTypes.has(essence);
}

/** Whether a browser says that a page of another origin sent the request. */
export function isForeign({ headers }: Request, url: URL): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return true;
  const origin = headers.get('origin');
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== url.host);
}
