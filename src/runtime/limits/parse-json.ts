import { depthExceeded } from '../../base/source/json-scan.js';
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

export function isTooDeep(text: string): boolean {
  return depthExceeded(text, maxJsonDepth) !== -1;
}
