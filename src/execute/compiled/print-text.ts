/** What JSON writes otherwise than it is: quotes, backslashes, control characters, halves of pairs. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Above this `JSON.stringify` is as fast as looking for what has to be escaped. */
const maxPlain = 64;

/** Writes a text as JSON, as `JSON.stringify` does. */
export function printText(text: string): string {
  return text.length > maxPlain || special.test(text) ? JSON.stringify(text) : `"${text}"`;
}
