/**
 * Parses a URL; undefined if it is malformed. `URL.canParse` is no replacement: once the V8 of Node 20 or 22 has compiled
 * its caller, it refuses URLs with a character between U+0080 and U+00FF.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
