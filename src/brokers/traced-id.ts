import type { BrokerEvent } from './broker.js';

/**
 * The id of an event with the span that published it, for brokers that carry no other field. A process of an earlier
 * version takes the whole for the id, which is as unique.
 */
export function tracedIdOf({ id, traceparent }: Pick<BrokerEvent, 'id' | 'traceparent'>): string {
  return traceparent === undefined ? id : `${id};${traceparent}`;
}

/** Reads what {@link tracedIdOf} has made. */
export function readTracedId(text: string): Pick<BrokerEvent, 'id' | 'traceparent'> {
  const end = text.lastIndexOf(';');
  return end < 0 ? { id: text } : { id: text.slice(0, end), traceparent: text.slice(end + 1) };
}
