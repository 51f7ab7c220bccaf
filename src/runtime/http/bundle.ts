import { toHex } from '../../federation/encoding.js';
import { sha256 } from '../../federation/node/node-crypto.js';
import type { FederationProjectionSource } from '../../federation/source.js';
import { ProblemError } from '../call/problem.js';
import { Answer, lengthOf } from './answer.js';
import { createDocument } from './document.js';
import type { Resource } from './exchange.js';

/**
 * Makes the resource of the signed bundle of a source. It answers with exactly the signed bytes, so that clients can
 * verify them.
 */
export function createBundle(source: FederationProjectionSource | undefined): Resource {
  let last: { readonly bytes: Uint8Array; readonly etag: string } | undefined;
  const etagOf = (bytes: Uint8Array): string => {
    // A reload replaces the object, so each bundle is hashed once.
    if (last?.bytes !== bytes) last = { bytes, etag: `"${toHex(sha256(bytes))}"` };
    return last.etag;
  };
  return createDocument((exchange) => {
    const bytes = source?.bundle?.();
    if (bytes === undefined) {
      throw new ProblemError({ status: 404, detail: 'This server has no signed federation bundle.' });
    }
    const etag = etagOf(bytes);
    const type = ['content-type', 'application/json; charset=utf-8'];
    const headers = [...type, 'cache-control', 'no-cache', 'etag', etag];
    return exchange.header('if-none-match') === etag
      ? new Answer(304, headers, null)
      : new Answer(200, [...headers, 'content-length', lengthOf(bytes)], bytes);
  });
}
