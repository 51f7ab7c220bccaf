export const redacted = '[redacted]';

const secretParameters =
  'access_token|refresh_token|id_token|token|api_key|apikey|api-key|client_secret|password|signature|sig|jwt|assertion|x-(?:amz|goog)-(?:signature|credential|security-token)';

const secretParameter = new RegExp(`^(?:${secretParameters})$`, 'i');

/**
 * Credentials in a text that is not ours, such as the message of an error, with what must stay of the match. Each pattern
 * stands behind a cue, which is in every text that it matches.
 */
const patterns: readonly (readonly [cue: string, pattern: RegExp])[] = [
  // In a URL, or a form.
  ['=', new RegExp(`((?:^|[?&;\\s"'])(?:${secretParameters})=)[^&;#\\s"']+`, 'gi')],
  // The user and password of a URL.
  ['@', /(\b[a-z][\w+.-]*:\/\/)[^\s/@"']+(?=@)/gi],
  // A header in a dump of a request.
  [
    'authorization',
    /((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?!\\+["'])(?:(?:bearer|basic|digest|apikey|token)\s+)?[^\s"',;]+/gi,
  ],
  // The same with a value in escaped quotes: a document inside of JSON.
  [
    'authorization',
    /(authorization\\*["']?\s*[:=]\s*\\+["'])(?:(?:bearer|basic|digest|apikey|token)\s+)?[^\s"',;\\]+/gi,
  ],
  ['cookie', /((?:set-)?cookie\\*["']?\s*[:=]\s*\\*["']?)[^\r\n"'\\]+/gi],
  // Other headers with credentials: `x-auth-token`, `x-goog-api-key`, `x-hub-signature-256`.
  [
    '-(?:token|key|secret|password|credential|signature|assertion|jwt|session|principal)|apikey|dpop',
    /((?<![\w-])(?!idempotency-key|sec-websocket-key|surrogate-key)(?:(?:[a-z\d]+-)+(?:token|key|secret|password|credentials?|signature(?:-\d+)?|assertion|jwt|session(?:-id)?|principal)|apikey|dpop)\\*["']?\s*[:=]\s*\\*["']?)[^\s"',;\\]+/gi,
  ],
  ['bearer|basic', /(\b(?:bearer|basic)\s+)[\w~+/.=-]{6,}/gi],
];

/** Most texts have no cue. To test for all of them at once takes a twentieth of the time of the patterns. */
const suspicious = new RegExp(patterns.map(([cue]) => cue).join('|'), 'i');

/** The longest text of a log line, in UTF-16 code units. */
const maxText = 8_192;

/**
 * Replaces credentials in a text that this package did not write.
 *
 * @param secrets - The credentials of the request, which are replaced wherever they occur.
 * @param most - The longest text, in UTF-16 code units; a longer one is cut.
 */
export function redactText(text: string, secrets: readonly string[], most = maxText): string {
  let rest = text;
  for (const secret of secrets) rest = rest.replaceAll(secret, redacted);
  if (rest.length > most) rest = `${rest.slice(0, most)}…`;
  if (!suspicious.test(rest)) return rest;
  for (const [, pattern] of patterns) rest = rest.replace(pattern, `$1${redacted}`);
  return rest;
}

export interface SecretCarrier {
  header(name: string): string | undefined;
  headerNames(): Iterable<string>;
  readonly query: string;
}

const secretHeader =
  /authorization|cookie|token|secret|password|passwd|credential|signature|assertion|jwt|session|api-?key|(?<!idempotency|sec-websocket|surrogate)-key$|client-principal|^dpop$|^x-auth$/i;

const configuredHeaders = new Set<string>();

/** Takes the values of a header for credentials, in all logs of this process. */
export function addSecretHeader(name: string): void {
  configuredHeaders.add(name.toLowerCase());
}

export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) || configuredHeaders.has(name.toLowerCase());
}

/** The credentials of a request: whole header values, and the parts that a program would pass on. Longer ones first. */
export function secretsOf(request: SecretCarrier): readonly string[] {
  const found = new Set<string>();
  const add = (value: string): void => {
    for (const form of [value, decode(value)]) if (form.length > 3) found.add(form);
  };
  for (const name of request.headerNames()) {
    const value = request.header(name);
    if (value === undefined || !isSecretHeader(name)) continue;
    add(value);
    // `Bearer token`, `name=value; name=value`.
    for (const part of value.split(/[\s;,]+/)) {
      if (!/^(?:bearer|basic|digest)$/i.test(part)) add(part.replace(/^[\w.-]+=(?=.)/, ''));
    }
    const [, encoded] = /^basic\s+(\S+)$/i.exec(value) ?? [];
    if (encoded !== undefined) {
      const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s);
      for (const part of [`${user}:${password}`, password]) add(part);
    }
  }
  for (const [name, value] of new URLSearchParams(request.query)) if (secretParameter.test(name)) add(value);
  return [...found].sort((one, other) => other.length - one.length);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
