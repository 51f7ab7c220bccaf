import type { Full } from './repeat-store.js';

/** Thrown for a call whose key does not let it run, when there is no outcome to repeat either. */
export class RepeatRefused extends Error {
  override readonly name = 'RepeatRefused';

  /** @param status - The HTTP status that says the same. */
  constructor(
    readonly status: number,
    readonly code: RepeatCode,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

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

function refusal(...given: ConstructorParameters<typeof RepeatRefused>) {
  return (): RepeatRefused => new RepeatRefused(...given);
}

export function keyRequired(operation: string): RepeatRefused {
  const detail = `${operation} needs an Idempotency-Key: a new one for each change, and the same one when it is sent again.`;
  return new RepeatRefused(400, 'IDEMPOTENCY_KEY_REQUIRED', detail);
}

export const callerUnknown = refusal(
  400,
  'IDEMPOTENCY_CALLER_UNKNOWN',
  'Idempotency-Key needs credentials, in Authorization or Cookie: callers without them cannot be told apart.',
);

export const reused = refusal(
  422,
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was used for another request. Use a new key for each request.',
);

export const inUse = refusal(
  409,
  'IDEMPOTENCY_KEY_IN_USE',
  'The first request with this Idempotency-Key is still running.',
  { 'retry-after': '1' },
);

export const unknownOutcome = refusal(
  409,
  'IDEMPOTENCY_OUTCOME_UNKNOWN',
  'The first request with this Idempotency-Key was interrupted, and may have made its change or not. It does not run ' +
    'again. Read the current state, and use a new key if the change is missing.',
);

export const tooLong = refusal(
  409,
  'IDEMPOTENCY_ANSWER_TOO_LONG',
  'The request with this Idempotency-Key was completed. Its answer was too long to be kept.',
);

export function storeFull({ isGreedy, wait }: Full): RepeatRefused {
  const seconds = Math.min(3_600, Math.max(1, Math.ceil(wait / 1_000)));
  const detail = isGreedy
    ? 'This client has used its share of the kept answers. Wait until some expire.'
    : 'There is no room for another Idempotency-Key now.';
  const headers = { 'retry-after': String(seconds) };
  return new RepeatRefused(isGreedy ? 429 : 503, 'IDEMPOTENCY_STORE_FULL', detail, headers);
}

export const unavailable = refusal(
  503,
  'IDEMPOTENCY_UNAVAILABLE',
  'Idempotency-Key cannot be checked now. Send the request again with the same key.',
  { 'retry-after': '1' },
);
