import type { Full } from './repeat-store.js';

/** Thrown for a call whose key does not let it run, when there is no outcome to repeat either. */
export class RepeatRefused extends Error {
  override readonly name = 'RepeatRefused';

  /**
   * @param status - The HTTP status that says the same.
   * @param headers - Names and values, one after the other.
   */
  constructor(
    readonly status: number,
    readonly code: RepeatCode,
    readonly detail: string,
    readonly headers: readonly string[] = [],
  ) {
    super(detail);
  }
}

/** Why a call with a key is refused. */
export type RepeatCode =
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'IDEMPOTENCY_CALLER_UNKNOWN'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_OUTCOME_UNKNOWN'
  | 'IDEMPOTENCY_ANSWER_TOO_LONG'
  | 'IDEMPOTENCY_STORE_FULL'
  | 'IDEMPOTENCY_UNAVAILABLE';

/**
 * Reads a key: a structured string (RFC 9651, section 3.3.3), or the same without quotation marks, as many clients send it.
 *
 * @throws {RepeatRefused} If it is malformed.
 */
export function readKey(given: string): string {
  const key = /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$/.exec(given)?.[1] ?? given;
  if (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/.test(key)) return key;
  const detail =
    'Idempotency-Key must have 1 to 255 printable ASCII characters, without spaces, commas, quotes and backslashes.';
  throw new RepeatRefused(400, 'IDEMPOTENCY_KEY_INVALID', detail);
}

/** The operation demands a key, and the call has none. */
export function keyRequired(operation: string): RepeatRefused {
  const detail = `${operation} needs an Idempotency-Key: a new one for each change, and the same one when it is sent again.`;
  return new RepeatRefused(400, 'IDEMPOTENCY_KEY_REQUIRED', detail);
}

/** The caller cannot be told from others, and would share their keys. */
export function callerUnknown(): RepeatRefused {
  const detail =
    'Idempotency-Key needs credentials, in Authorization or Cookie: callers without them cannot be told apart.';
  return new RepeatRefused(400, 'IDEMPOTENCY_CALLER_UNKNOWN', detail);
}

/** The key was used for another call. */
export function reused(): RepeatRefused {
  const detail = 'This Idempotency-Key was used for another request. Use a new key for each request.';
  return new RepeatRefused(422, 'IDEMPOTENCY_KEY_REUSED', detail);
}

/** The first run goes on for longer than a repeat waits. */
export function inUse(): RepeatRefused {
  const detail = 'The first request with this Idempotency-Key is still running.';
  return new RepeatRefused(409, 'IDEMPOTENCY_KEY_IN_USE', detail, ['retry-after', '1']);
}

/** The first run ended before it could tell whether it changed something. */
export function unknownOutcome(): RepeatRefused {
  const detail =
    'The first request with this Idempotency-Key was interrupted, and may have made its change or not. It does not run ' +
    'again. Read the current state, and use a new key if the change is missing.';
  return new RepeatRefused(409, 'IDEMPOTENCY_OUTCOME_UNKNOWN', detail);
}

/** The call ran, and its outcome is not kept. */
export function tooLong(): RepeatRefused {
  const detail = 'The request with this Idempotency-Key was completed. Its answer was too long to be kept.';
  return new RepeatRefused(409, 'IDEMPOTENCY_ANSWER_TOO_LONG', detail);
}

/** There is no room for the key. */
export function storeFull({ isGreedy, wait }: Full): RepeatRefused {
  const seconds = Math.min(3_600, Math.max(1, Math.ceil(wait / 1_000)));
  const detail = isGreedy
    ? 'This client has used its share of the kept answers. Wait until some expire.'
    : 'There is no room for another Idempotency-Key now.';
  const headers = ['retry-after', String(seconds)];
  return new RepeatRefused(isGreedy ? 429 : 503, 'IDEMPOTENCY_STORE_FULL', detail, headers);
}

/** The store cannot be reached. */
export function unavailable(): RepeatRefused {
  const detail = 'Idempotency-Key cannot be checked now. Send the request again with the same key.';
  return new RepeatRefused(503, 'IDEMPOTENCY_UNAVAILABLE', detail, ['retry-after', '1']);
}
