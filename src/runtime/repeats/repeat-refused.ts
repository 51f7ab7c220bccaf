import type { Full } from './repeat-store.js';

const soon = { 'retry-after': '1' };

/** The HTTP status that says the same, the detail for the client, and headers. */
type Refusal = readonly [number, string, Readonly<Record<string, string>>?];

export const refusals = {
  IDEMPOTENCY_CALLER_UNKNOWN: [
    400,
    'Idempotency-Key needs credentials, in Authorization or Cookie: callers without them cannot be told apart.',
  ],
  IDEMPOTENCY_KEY_INVALID: [
    400,
    'Idempotency-Key must have 1 to 255 printable ASCII characters, without spaces, commas, quotes and backslashes.',
  ],
  IDEMPOTENCY_KEY_REUSED: [422, 'This Idempotency-Key was used for another request. Use a new key for each request.'],
  IDEMPOTENCY_KEY_IN_USE: [409, 'The first request with this Idempotency-Key is still running.', soon],
  IDEMPOTENCY_OUTCOME_UNKNOWN: [
    409,
    'The first request with this Idempotency-Key was interrupted, and may have made its change or not. It does not run ' +
      'again. Read the current state, and use a new key if the change is missing.',
  ],
  IDEMPOTENCY_ANSWER_TOO_LONG: [
    409,
    'The request with this Idempotency-Key was completed. Its answer was too long to be kept.',
  ],
  IDEMPOTENCY_UNAVAILABLE: [
    503,
    'Idempotency-Key cannot be checked now. Send the request again with the same key.',
    soon,
  ],
} as const satisfies Readonly<Record<string, Refusal>>;

/** Thrown for a call whose key does not let it run, when there is no outcome to repeat either. */
export class RepeatRefused extends Error {
  override readonly name = 'RepeatRefused';

  constructor(
    readonly code: keyof typeof refusals | 'IDEMPOTENCY_KEY_REQUIRED' | 'IDEMPOTENCY_STORE_FULL',
    readonly status: number,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

export function refused(code: keyof typeof refusals): RepeatRefused {
  return new RepeatRefused(code, ...(refusals[code] as Refusal));
}

export function keyRequired(operation: string): RepeatRefused {
  const detail = `${operation} needs an Idempotency-Key: a new one for each change, and the same one when it is sent again.`;
  return new RepeatRefused('IDEMPOTENCY_KEY_REQUIRED', 400, detail);
}

export function storeFull({ isGreedy, wait }: Full): RepeatRefused {
  const seconds = Math.min(3_600, Math.max(1, Math.ceil(wait / 1_000)));
  const detail = isGreedy
    ? 'This client has used its share of the kept answers. Wait until some expire.'
    : 'There is no room for another Idempotency-Key now.';
  const headers = { 'retry-after': String(seconds) };
  return new RepeatRefused('IDEMPOTENCY_STORE_FULL', isGreedy ? 429 : 503, detail, headers);
}

/**
 * Reads a key: a structured string (RFC 9651, section 3.3.3), or the same without quotation marks, as many clients send it.
 *
 * @throws {RepeatRefused} If it is malformed.
 */
export function readKey(given: string): string {
  const key = /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$/.exec(given)?.[1] ?? given;
  if (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/.test(key)) return key;
  throw refused('IDEMPOTENCY_KEY_INVALID');
}
