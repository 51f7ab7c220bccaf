import { OptionError } from '../../base/diagnostics/option-error.js';
import { parseUrl } from '../../base/source/parse-url.js';
import { totalCountHeader } from '../../compiler/schema/cursor.js';
import type { CorsOptions } from '../config/traffic-options.js';

/** The headers of this package beyond those that pages may always read. */
const ownHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  totalCountHeader,
];

/** A field name of RFC 9110, section 5.1. */
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/;

export interface Asking {
  readonly method: string;
  header(name: string): string | undefined;
}

/** An answer whose headers can be changed. */
export interface Sharing {
  set(name: string, value: string): void;
  vary(name: string): void;
}

/** Reads the option `cors`, by the Fetch standard, section 3.2. */
export function createCors(options: CorsOptions) {
  if (typeof options !== 'object' || options === null) throw new OptionError('cors', 'be an object with “origins”');
  const { origins, credentials = false, maxAge = 600, headers, exposedHeaders = ownHeaders } = options;
  if (typeof credentials !== 'boolean') throw new OptionError('cors.credentials', 'be true or false');
  if (!Number.isSafeInteger(maxAge) || maxAge < 0) throw new OptionError('cors.maxAge', 'be a number of seconds');
  if (headers !== undefined) checkNames('cors.headers', headers);
  checkNames('cors.exposedHeaders', exposedHeaders);
  if (origins !== '*' && (!Array.isArray(origins) || origins.length === 0))
    throw new OptionError('cors.origins', 'be “*” or a list of origins, and not empty');
  if (origins === '*' && credentials)
    throw new OptionError('cors.credentials', 'be false if the origins are “*”: list them instead');
  const listed = new Set(origins === '*' ? [] : origins.map(readOrigin));
  const exposed = exposedHeaders.join(', ');
  const allowedHeaders = headers?.join(', ');

  /** Whether a request comes from an origin that is listed by name; `*` lists none. */
  const accepts = (exchange: Pick<Asking, 'header'>): boolean => listed.has(exchange.header('origin') ?? '');
  return {
    accepts,
    /** The headers of the answer to a preflight request; undefined for other requests, and for other origins. */
    answerPreflight(exchange: Asking, allow: string): string[] | undefined {
      if (exchange.method !== 'OPTIONS' || exchange.header('access-control-request-method') === undefined)
        return undefined;
      if (origins === '*' ? exchange.header('origin') === undefined : !accepts(exchange)) return undefined;
      const asked = exchange.header('access-control-request-headers');
      const granted = allowedHeaders ?? (isListOfNames(asked) ? asked : undefined);
      return [
        ...['allow', allow, 'access-control-allow-methods', allow],
        ...(granted ? ['access-control-allow-headers', granted] : []),
        ...['access-control-max-age', String(maxAge)],
        ...(headers === undefined ? ['vary', 'Access-Control-Request-Headers'] : []),
      ];
    },
    share(answer: Sharing, exchange: Asking): void {
      if (origins === '*') {
        answer.set('access-control-allow-origin', '*');
      } else {
        // Also without an allowed origin, since a cache may keep the answer for another page.
        answer.vary('Origin');
        if (!accepts(exchange)) return;
        answer.set('access-control-allow-origin', exchange.header('origin') as string);
        if (credentials) answer.set('access-control-allow-credentials', 'true');
      }
      if (exposed !== '' && exchange.method !== 'OPTIONS') answer.set('access-control-expose-headers', exposed);
    },
  };
}

/** An origin as browsers send it: in lower case and without the default port. */
function readOrigin(given: unknown): string {
  if (given === 'null') return given;
  const expected = `have origins such as https://app.example.com, not ${JSON.stringify(given)}`;
  if (typeof given !== 'string' || !/^[a-z][a-z\d+.-]*:\/\/[^/?#@\s*]+\/?$/i.test(given))
    throw new OptionError('cors.origins', expected);
  // The URL standard gives no origin to schemes such as `capacitor:`, but web views send one.
  const origin = parseUrl(given)?.origin;
  if (origin === undefined) throw new OptionError('cors.origins', expected);
  return origin === 'null' ? given.toLowerCase().replace(/\/$/, '') : origin;
}

function isListOfNames(value: string | undefined): boolean {
  return value?.split(',').every((name) => fieldName.test(name.trim())) === true;
}

function checkNames(key: string, names: readonly string[]): void {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && fieldName.test(name)))
    throw new OptionError(key, 'be a list of header names');
}
