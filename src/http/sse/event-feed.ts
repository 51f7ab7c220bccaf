import type { ServerResponse } from 'node:http';

/** Writes the events of a response straight to the connection of its client, until either comes to an end. */
export type EventFeed = (outgoing: ServerResponse) => Promise<void>;

const feeds = new WeakMap<Response, EventFeed>();

/**
 * Gives a response a shorter way to its client beside its body: through the streams of fetch an event costs
 * several times what writing it costs, for every subscriber. Whoever uses the feed leaves the body alone.
 */
export function offerEventFeed(response: Response, feed: EventFeed): Response {
  feeds.set(response, feed);
  return response;
}

/** The shorter way, where the response has one. */
export function eventFeedOf(response: Response): EventFeed | undefined {
  return feeds.get(response);
}
