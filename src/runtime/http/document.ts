import { remember } from '../../compiler/graph/maps.js';
import type { Answer } from './answer.js';
import type { Exchange, Resource } from './exchange.js';

export function createDocument(run: (exchange: Exchange) => Answer): Resource {
  return { allow: 'GET, HEAD, OPTIONS', routes: new Map(Object.entries({ GET: { run }, HEAD: { run } })) };
}

/**
 * Makes a text with the origin of the server. It is rendered once for each scheme: renderings may differ in the host
 * only.
 */
export function createOriginText(render: (origin: string) => string): (exchange: Exchange) => string {
  const parts = new Map<string, readonly string[]>();
  return ({ forwarded: { scheme, host } }) => {
    // Other hosts may need escapes, which differ between formats.
    if (!/^[\w.:[\]-]+$/.test(host)) return render(`${scheme}://${host}`);
    const split = () => render(`${scheme}://${placeholder}`).split(placeholder);
    return remember(parts, scheme, split).join(host);
  };
}

/** No server can have this host: names below `.invalid` do not resolve (RFC 2606). */
const placeholder = 'gg-svc-origin.invalid';
