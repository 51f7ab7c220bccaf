import { Answer, isStreamed } from '../http/answer.js';
import { isServerFault } from '../http/operation-problem.js';

/** The maximum length of an answer that is kept for repeats. */
const maxLength = 1 << 20;

/** An answer as text; a body that is not text is in base64. */
interface Written {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly isBase64: boolean;
}

/** Statuses of requests that did not run, and that the same client may send again. */
const notRun = new Set([401, 403, 408, 413, 429, 499]);

/**
 * Writes the answer to a request for its repeats. Returns undefined for answers after which the client may run the
 * operation again: faults of the server, refused callers, and streams, which cannot be repeated.
 */
export function writeAnswer(answer: Answer): string | undefined {
  const { status, headers, body } = answer;
  if (status >= 500 || notRun.has(status) || isStreamed(body) || isFault(answer)) return undefined;
  const isBase64 = body !== null && typeof body !== 'string';
  const written: Written = {
    status,
    headers,
    body: isBase64 ? Buffer.from(body).toString('base64') : body,
    isBase64,
  };
  const text = JSON.stringify(written);
  return text.length <= maxLength ? text : tooLong;
}

/** Reads an answer. Undefined if it was too long to be kept. */
export function readAnswer(text: string): Answer | undefined {
  if (text === tooLong) return undefined;
  const { status, headers, body, isBase64 } = JSON.parse(text) as Written;
  const bytes = isBase64 && body !== null ? Buffer.from(body, 'base64') : body;
  return new Answer(status, [...headers, 'idempotency-replayed', 'true'], bytes);
}

const tooLong = 'too long';

/** Whether a GraphQL answer says that the server failed and nothing has a value; its status may be 200. */
function isFault({ body }: Answer): boolean {
  if (typeof body !== 'string' || !body.includes('"errors"')) return false;
  let result: unknown;
  try {
    result = JSON.parse(body);
  } catch {
    return false;
  }
  const { data, errors } = (result ?? {}) as { readonly data?: object | null; readonly errors?: unknown };
  if (!Array.isArray(errors) || Object.values(data ?? {}).some((value) => value !== null)) return false;
  return errors.some((error) =>
    isServerFault((error as { extensions?: { code?: unknown } }).extensions?.code),
  );
}
