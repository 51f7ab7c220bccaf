import type { JsonValue } from '../../graph/json-value.js';
import { readStream } from '../../read/read-stream.js';
import { isForeign } from '../graphql/csrf.js';
import { JsonRefusal, parseJson } from './parse-json.js';
import { ProblemError } from './problem.js';

/**
 * Reads the body of a POST: a JSON object, in UTF-8. A request without a body gives an
 * empty object, so that an operation without required arguments can be called bare.
 *
 * @param maximum - How many bytes it may have.
 * @throws {ProblemError} 415 for another content type or encoding, 413 when it is too large, 400 when it is
 * not a JSON object.
 */
export async function readJsonBody(
  request: Request,
  maximum: number,
): Promise<{ readonly [name: string]: JsonValue }> {
  const contentType = request.headers.get('content-type');
  if (contentType !== null && !isJson(contentType)) throw unsupported(`not ${contentType}`);
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw unsupported(`without the encoding ${encoding}`);
  const bytes = await readBytes(request, maximum);
  // A browser lets any page send a POST without a body and a content type; a content type of JSON it lets
  // through only after the server has agreed.
  if (contentType === null && (bytes.length > 0 || isForeign(request, new URL(request.url))))
    throw unsupported('and say so');
  if (bytes.length === 0) return {};
  return asArguments(parse(bytes));
}

/**
 * Takes a body for the object of the arguments.
 *
 * @throws {ProblemError} When it is none.
 */
export function asArguments(value: JsonValue): { readonly [name: string]: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError({ status: 400, detail: 'The body must be a JSON object of the arguments.' });
  }
  return value as { readonly [name: string]: JsonValue };
}

/**
 * Reads the bytes of a body.
 *
 * @param maximum - How many there may be; no more than these are ever held.
 * @throws {ProblemError} 413 when there are more.
 */
export async function readBytes(request: Request, maximum: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maximum) throw tooLarge(maximum);
  const reading = await readStream(request.body, maximum);
  if (!reading.ok) throw tooLarge(maximum);
  return reading.bytes;
}

function parse(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof JsonRefusal ? error.message : 'is not UTF-8.';
    throw new ProblemError({ status: 400, detail: `The body ${reason}` });
  }
}

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  return (
    type?.trim() === 'application/json' &&
    parameters.every((parameter) => /^\s*(charset\s*=\s*"?utf-8"?)?\s*$/.test(parameter))
  );
}

function unsupported(what: string): ProblemError {
  const detail = `The body must be application/json, ${what}.`;
  return new ProblemError({ status: 415, detail, headers: { 'accept-post': 'application/json' } });
}

function tooLarge(maximum: number): ProblemError {
  return new ProblemError({ status: 413, detail: `The body has more than ${maximum} bytes.` });
}
