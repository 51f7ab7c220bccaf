import type { SvcSpanOptions } from './span.js';
import { spanContextOf } from './trace-context.js';

/**
 * The span of an event that is published (OpenTelemetry, semantic conventions for messaging spans).
 *
 * @param system - What carries the events.
 */
export function producing(system: string, subscription: string): SvcSpanOptions {
  return { kind: 3, attributes: attributesOf(system, subscription, 'publish', 'send') };
}

/**
 * The span in which an event is executed for its subscribers.
 *
 * @param opener - The span that opened their subscription, to which it is linked.
 */
export function consuming(
  system: string,
  subscription: string,
  subscribers: number,
  opener: string | undefined,
): SvcSpanOptions {
  const context = opener === undefined ? undefined : spanContextOf(opener);
  const attributes = attributesOf(system, subscription, 'deliver', 'process');
  return {
    kind: 4,
    attributes: { ...attributes, 'gg.subscribers': subscribers },
    ...(context && { links: [{ context }] }),
  };
}

function attributesOf(system: string, subscription: string, name: string, type: string) {
  return {
    'messaging.system': system,
    'messaging.destination.name': subscription,
    'messaging.operation.name': name,
    'messaging.operation.type': type,
  };
}
