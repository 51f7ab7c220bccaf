import { isUtf8 } from 'node:buffer';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { ProblemError } from '../call/problem.js';
import type { Limits } from '../limits/limits.js';
import { JsonRefusal, parseJson } from '../limits/parse-json.js';
import type { Exchange } from './exchange.js';

/** Reads a body into `exchange.bytes`, unless it is compressed or too large. */
export function receiveBody(exchange: Exchange, maximum: number): MaybePromise<undefined> {
  refuseCompressed(exchange);
  if (Number(exchange.header('content-length') ?? 0) > maximum) throw tooLarge(maximum);
  return exchange.readBody(maximum);
}

export function refuseCompressed(exchange: Exchange): void {
  const encoding = exchange.header('content-encoding');
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  const detail = `The content encoding ${encoding} is not supported. Send the body uncompressed.`;
  throw new ProblemError({ status: 415, detail });
}

/** Decodes the body that was read into `exchange.text`, without a byte order mark. Text that is not UTF-8 is refused. */
export function decodeBody(exchange: Exchange): void {
  const { bytes } = exchange;
  if (bytes === undefined) return;
  if (!isUtf8(bytes)) throw new ProblemError({ status: 400, detail: 'The body is not UTF-8.' });
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  exchange.text = buffer.toString('utf8', start);
}

/** @throws {ProblemError} 400 if the text is not JSON, or nested too deeply. */
export function readJsonText(text: string, name: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal) throw new ProblemError({ status: 400, detail: `${name} ${error.message}` });
    throw error;
  }
}

/** Checks that a list is allowed in place of one operation, and its length. */
export function checkBatch(body: JsonValue, { batching }: Pick<Limits, 'batching'>): void {
  if (!Array.isArray(body) || (batching > 0 && body.length <= batching)) return;
  const [code, detail] =
    batching === 0
      ? ['BATCHING_DISABLED', 'Batching is off: send one operation, not a list.']
      : ['BATCHING_LIMIT_EXCEEDED', `The request has ${body.length} operations; at most ${batching} are allowed.`];
  throw new ProblemError({ status: 400, detail, members: { code } });
}

export function tooLarge(maximum: number): ProblemError {
  return new ProblemError({ status: 413, detail: `The body has more than ${maximum} bytes.` });
}
