import { randomUUID } from 'node:crypto';
import { type BrokerEvent, systemEvents } from './broker.js';

/** How long a process waits before it marks a loss, at most, in milliseconds: another one may do it. */
const longestDelay = 1_000;

/**
 * How long after a mark further ones are of the same loss, in milliseconds. Where a mark takes longer to be stored than the
 * delays of two processes differ, both make one.
 */
const sameLoss = 10_000;

/** The number of the last events among which a process looks for the mark of another one. */
export const markDistance = 100;

export function isLossMark({ subscription }: Pick<BrokerEvent, 'subscription'>): boolean {
  return subscription === systemEvents.lost;
}

/**
 * Marks the place in the log at which events were lost: other processes may not have got them, and clients that continue
 * after an earlier event have not, either. All processes may notice a loss at once; most of them find the mark of the first.
 */
export class LossMark {
  #id = '';
  /** Until the mark stands in the log. */
  #timer: NodeJS.Timeout | undefined;
  /** When the next mark of another process is news. */
  #newsFrom = Number.NEGATIVE_INFINITY;

  constructor(private readonly publish: (event: BrokerEvent) => Promise<unknown>) {}

  make(): void {
    clearTimeout(this.#timer);
    this.#id = randomUUID();
    const event = { id: this.#id, subscription: systemEvents.lost, payload: 'null' };
    const timer = setTimeout(() => {
      this.publish(event).catch(() => {
        if (this.#timer === timer) this.#timer = undefined;
      });
    }, Math.random() * longestDelay);
    this.#timer = timer;
  }

  /** Begins with a new connection. After a further loss, a broker has none of the old ones. */
  begin(): void {
    this.#newsFrom = Number.NEGATIVE_INFINITY;
  }

  /** Takes a mark from the log. Returns whether it is news: one of another process stands for an own one that is not made yet. */
  take({ id }: Pick<BrokerEvent, 'id'>): boolean {
    const now = performance.now();
    const isNews = this.#timer === undefined && id !== this.#id && now >= this.#newsFrom;
    this.cancel();
    this.#newsFrom = now + sameLoss;
    return isNews;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
