import { isSecretHeader, redacted, redactText, type SecretCarrier } from '../../runtime/logs/redact.js';

/** The headers of a request without its secrets; those with credentials keep their names. */
export function shownHeaders(source: SecretCarrier, secrets: readonly string[]) {
  const shown: Record<string, string> = {};
  for (const name of source.headerNames()) {
    const value = source.header(name);
    if (value === undefined) continue;
    shown[name] = isSecretHeader(name) ? redacted : redactText(value, secrets);
  }
  return shown;
}

/**
 * A body without credentials: those of its request, those that logs find, and the values of members and arguments with
 * the names of credentials. The rest keeps its bytes.
 *
 * @param secrets - The credentials of the request.
 */
export function shownBody(text: string, secrets: readonly string[], most: number): string {
  return redactText(text, secrets, most).replace(
    secretMember,
    (_, name: string, plain: string | undefined, escaped: string | undefined) => {
      const quote = plain ?? escaped ?? '';
      return `${name}${quote}${redacted}${quote}`;
    },
  );
}

/** The name of a token that marks a position in a list, and gives no access: `nextPageToken` (AIP-158), `syncToken`. */
const pageToken = String.raw`(?:[a-z]+_?)?(?:page|continuation|pagination|cursor|sync)_?token\b`;

/**
 * `"password": "…"` in JSON, `password: "…"` in a document, and the latter inside of JSON, where its quotes are escaped.
 * The end of a text that was cut ends a value, too.
 */
const secretMember = new RegExp(
  [
    String.raw`((?:\\?"|\b)(?!${pageToken})\w*(?:token|api_?key|secret|pass(?:word|wd|phrase)|authorization|credential|private_?key)`,
    String.raw`(?:\\?")?\s*:\s*)(?:(")(?:[^"\\]|\\.)*(?:"|$)`,
    String.raw`|(\\")(?:[^"\\]|\\\\\\"|\\\\\\\\|\\\\[^"\\]|\\[^"\\])*(?:\\"|$))`,
  ].join(''),
  'gi',
);
