/**
 * Parses a URL; undefined if it is malformed. `URL.canParse` is no replacement: once the V8 of Node 22 has compiled
 * its caller, it refuses URLs with a character between U+0080 and U+00FF.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether a text is a URL that can be fetched: with http or https. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}

/**
 * Whether a text begins like a URI: `file:///a.gg`, `untitled:1`. A scheme has two letters or more: one letter and a colon
 * is a drive of Windows.
 */
export function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(text);
}

/** Whether a text begins like a URL of any scheme: `file:///a.gg`, but not the name of a file `api:v1.gg`. */
export function isUrl(text: string): boolean {
  return isUri(text) && text.startsWith('//', text.indexOf(':') + 1);
}
