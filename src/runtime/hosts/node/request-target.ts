import { parseUrl } from '../../../base/source/parse-url.js';

interface RequestTarget {
  readonly path: string;
  readonly query: string;
  /** The URL of a target in absolute form (RFC 9112, section 3.2.2); undefined for a path. */
  readonly absolute: URL | undefined;
}

/**
 * Reads a request target; undefined if it is malformed, or if programs read its path in different ways. Parsers of URLs
 * turn `\` into `/`, remove dot segments, also encoded ones, and drop tabs and fragments. A proxy that denies `/api/book`
 * may do none of this, so `/api\book` and `/x/%2e%2e/api/book` would pass it.
 */
export function readRequestTarget(target: string): RequestTarget | undefined {
  // OPTIONS asks for the whole server (RFC 9112, section 3.2.4).
  if (target === '*') return { path: '/*', query: '', absolute: undefined };
  if (plainTarget.test(target)) {
    const mark = target.indexOf('?');
    return mark === -1
      ? { path: target, query: '', absolute: undefined }
      : { path: target.slice(0, mark), query: target.slice(mark + 1), absolute: undefined };
  }
  const [, origin, path = ''] = /^(https?:\/\/[^/?#\\]+)?([^?#]*)/i.exec(target) ?? [];
  if (origin === undefined ? !path.startsWith('/') : !/^\/|^$/.test(path)) return undefined;
  if (target.includes('#') || isAmbiguous(path)) return undefined;
  // The path is appended, not resolved: `//host/path` is a path, not the URL of another host.
  const parsed = parseUrl(origin === undefined ? `http://localhost${target}` : target);
  if (parsed === undefined) return undefined;
  const { pathname, search } = parsed;
  return { path: pathname, query: search.slice(1), absolute: origin === undefined ? undefined : parsed };
}

/** Targets whose path and query are already normalized. */
const plainTarget = /^(?:\/[\w~-][\w.~-]*)*\/?(?:\?[!"$-~]*)?$/;

/** Whether a path has a backslash, a control character or a dot segment (RFC 3986, section 5.2.4; WHATWG URL, 4.1). */
function isAmbiguous(path: string): boolean {
  if (/[\\\x00-\x20\x7f]/.test(path)) return true;
  return path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
