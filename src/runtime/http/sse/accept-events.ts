/** The operations for which a client wants an event stream. */
export type EventStreamWish = 'all' | 'subscriptions' | 'none';

/**
 * Reads an `Accept` header. A client that accepts only event streams, or prefers them, gets one for every operation. A
 * client that accepts JSON equally gets one only for subscriptions, which have no JSON response.
 */
export function readEventStreamWish(accept: string | undefined): EventStreamWish {
  if (accept === undefined || !/event-stream/i.test(accept)) return 'none';
  const qualities = readQualities(accept);
  const events = qualities.get('text/event-stream') ?? 0;
  if (events === 0) return 'none';
  const others = [...qualities].filter(([type]) => type !== 'text/event-stream').map(([, quality]) => quality);
  return Math.max(0, ...others) < events ? 'all' : 'subscriptions';
}

/**
 * Whether an `Accept` header allows an event stream: the most specific range that matches decides (RFC 9110, section
 * 12.5.1). Without the header, every type is allowed.
 */
export function acceptsEventStream(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const qualities = readQualities(accept);
  return (qualities.get('text/event-stream') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0) > 0;
}

/** The quality of each media range, without its parameters. */
function readQualities(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    qualities.set(type, quality === undefined ? 1 : Number(quality) || 0);
  }
  return qualities;
}
