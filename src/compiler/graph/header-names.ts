/**
 * The headers that HTTP, browsers or the server give a meaning of their own, so that no argument can have one. `If-Match`
 * and `Accept-Language` are free: only an operation gives them a meaning.
 */
const reserved =
  /^(?:accept|accept-(?:charset|encoding)|access-control-.+|authorization|baggage|connection|content-.+|cookie|date|dnt|expect|forwarded|host|idempotency-key|keep-alive|last-event-id|origin|proxy-.+|range|referer|sec-.+|set-cookie|te|trace(?:parent|state)|trailer|transfer-encoding|upgrade|via|x-api-key|x-forwarded-.+)$/i;

/** Why arguments cannot be read from a header; undefined if they can. */
export function whyReservedHeader(name: string): string | undefined {
  return reserved.test(name) ? 'HTTP or the server reads this header itself' : undefined;
}

/** The headers of responses that HTTP or the server sets, beyond those that are reserved in requests. */
const reservedInAnswers =
  /^(?:age|allow|etag|event-id|idempotency-replayed|link|ratelimit.*|retry-after|server|vary|www-authenticate|x-request-id)$/i;

/** Why fields cannot be sent as a header; undefined if they can. */
export function whyReservedInAnswers(name: string): string | undefined {
  return reservedInAnswers.test(name) ? 'HTTP or the server sets this header itself' : whyReservedHeader(name);
}

/** Whether a text is the name of a header, without the marks that RFC 9110 (section 5.1) allows but no header has. */
export function isHeaderName(text: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(text);
}
