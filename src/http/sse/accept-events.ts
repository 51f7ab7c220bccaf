/** For which operations a client wants the answer as a stream of events. */
export type EventStreamWish = 'all' | 'subscriptions' | 'none';

/**
 * Reads the wish out of an `Accept` header. Who names event streams alone, or would rather have them, gets
 * one for every operation; who takes JSON just as well gets one for what JSON cannot answer.
 */
export function readEventStreamWish(accept: string | null): EventStreamWish {
  const qualities = new Map<string, number>();
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    qualities.set(type, quality === undefined ? 1 : Number(quality) || 0);
  }
  const events = qualities.get('text/event-stream') ?? 0;
  if (events === 0) return 'none';
  const others = [...qualities]
    .filter(([type]) => type !== 'text/event-stream')
    .map(([, quality]) => quality);
  return Math.max(0, ...others) < events ? 'all' : 'subscriptions';
}
