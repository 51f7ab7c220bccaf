import type { JsonValue } from '../../compiler/graph/json-value.js';

/** The maximum nesting of JSON from clients. Code that processes it, including resolvers, may be recursive. */
const maxJsonDepth = 64;

/** The reason why a text is refused as JSON. The message completes a sentence: “The body …”. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';
}

/** Parses JSON that a client sent; throws a {@link JsonRefusal} if it is not JSON, or nested too deeply. */
export function parseJson(text: string): JsonValue {
  if (isTooDeep(text)) throw new JsonRefusal(`is nested more than ${maxJsonDepth} levels deep.`);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new JsonRefusal('is not JSON.');
  }
}

export function isJsonObject(value: unknown): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether JSON is nested too deeply. Counts the brackets outside of strings in one pass. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at + 1);
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > maxJsonDepth) return true;
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - escapes > start && text.charCodeAt(end - escapes - 1) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];
