import { isUtf8 } from 'node:buffer';
import { type MaybePromise, proceed } from '../execute/values/maybe-promise.js';
import type { JsonValue } from '../graph/json-value.js';
import type { Exchange } from './exchange.js';
import { JsonRefusal, parseJson } from './parse-json.js';
import { ProblemError } from './problem.js';

/**
 * Reads a body as UTF-8 text, without a byte order mark, into `exchange.text`.
 *
 * @param maximum - The number of bytes to accept.
 * @param use - Goes on with the text.
 * @throws {ProblemError} 415 for a compressed body, 413 for one that is too large, 400 for one that is not UTF-8.
 */
export function readBodyText(exchange: Exchange, maximum: number, use: () => void): MaybePromise<undefined> {
  const encoding = exchange.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const detail = `The content encoding ${encoding} is not supported. Send the body uncompressed.`;
    throw new ProblemError({ status: 415, detail });
  }
  if (Number(exchange.header('content-length') ?? 0) > maximum) throw tooLarge(maximum);
  return proceed(exchange.body(maximum), (bytes) => {
    exchange.text = decode(bytes);
    use();
    return undefined;
  });
}

/** @throws {ProblemError} 400 if the text is not JSON, or nested too deep. */
export function readJsonText(text: string, name: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal)
      throw new ProblemError({ status: 400, detail: `${name} ${error.message}` });
    throw error;
  }
}

/** The problem of a body that has too many bytes. */
export function tooLarge(maximum: number): ProblemError {
  return new ProblemError({ status: 413, detail: `The body has more than ${maximum} bytes.` });
}

function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ProblemError({ status: 400, detail: 'The body is not UTF-8.' });
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const start = hasMark ? 3 : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start).toString('utf8');
}
