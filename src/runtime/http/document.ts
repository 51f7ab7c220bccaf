import type { Answer } from './answer.js';
import type { Exchange, Resource } from './exchange.js';

export function createDocument(run: (exchange: Exchange) => Answer): Resource {
  return { allow: 'GET, HEAD, OPTIONS', routes: new Map(Object.entries({ GET: { run }, HEAD: { run } })) };
}

/** Makes a text with the origin of the server. It is rendered once: renderings may differ in the origin only. */
export function createOriginText(render: (origin: string) => string): (exchange: Exchange) => string {
  let parts: readonly string[] | undefined;
  return ({ forwarded: { scheme, host } }) => {
    const origin = `${scheme}://${host}`;
    // Other origins may need escapes, which differ between formats.
    if (!/^[\w.:/[\]-]+$/.test(origin)) return render(origin);
    parts ??= render(placeholder).split(placeholder);
    return parts.join(origin);
  };
}

/** No server can have this origin: names below `.invalid` do not resolve (RFC 2606). */
const placeholder = 'http://gg-svc-origin.invalid';
