import { signal } from '@preact/signals';
import type { PublishedEvent } from '../../../src/tools/studio/protocol.js';

/** What was published while the page was open, the newest first. */
export const events = signal<readonly PublishedEvent[]>([]);

/** The tape keeps the last events. */
const most = 200;

/** The events with further ones. An event that comes again has reached more subscribers. */
export function addEvents(known: readonly PublishedEvent[], more: readonly PublishedEvent[]) {
  const updated = new Map(more.map((event) => [event.id, event]));
  const former = new Set(known.map(({ id }) => id));
  const added = [...updated.values()].filter(({ id }) => !former.has(id)).reverse();
  return [...added, ...known.map((event) => updated.get(event.id) ?? event)].slice(0, most);
}
