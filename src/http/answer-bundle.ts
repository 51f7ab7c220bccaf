import { toHex } from '../federation/encoding.js';
import { sha256 } from '../federation/node/node-crypto.js';
import type { FederationProjectionSource } from '../federation/source.js';
import { problemResponse } from './rest/problem.js';

/** Where the signed records of the federation layer are published, where it has any. */
export const bundlePath = '/federation/bundle';

/** The tag of each bundle that was asked for: the same bytes are hashed once. */
const tags = new WeakMap<Uint8Array, string>();

/**
 * Answers with the signed bundle of a source, byte for byte as it was signed, so that a client can verify all of it
 * by itself. Who has it already is told so (304).
 */
export function answerBundle(request: Request, source: FederationProjectionSource | undefined): Response {
  const bytes = source?.bundle?.();
  if (bytes === undefined) {
    return problemResponse({ status: 404, detail: 'This server has no signed federation bundle.' });
  }
  const etag = tags.get(bytes) ?? `"${toHex(sha256(bytes))}"`;
  tags.set(bytes, etag);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', etag };
  const isKnown = request.headers.get('if-none-match') === etag;
  return isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}
