import { randomUUID } from 'node:crypto';
import { type BrokerEvent, type DeliveredEvent, systemEvents } from './broker.js';

/** How long a process waits before it marks a loss, at most, in milliseconds: another one may do it. */
const longestDelay = 1_000;

/**
 * How long after a mark further ones in its log are of the same loss, in milliseconds. Where a mark takes longer to be
 * stored than the delays of two processes differ, both make one.
 */
const sameLoss = 5 * longestDelay;

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
  /** The last mark of the connection: its log, and when it came, in milliseconds. */
  #last: { readonly log: string | undefined; readonly at: number } | undefined;

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

  /** Begins with a new connection: a loss that breaks it is another one. */
  begin(): void {
    this.#last = undefined;
  }

  /** Takes a mark from the log. Returns whether it is news: one of another process stands for an own one that is not made yet. */
  take({ id, position }: Pick<DeliveredEvent, 'id' | 'position'>): boolean {
    const [last, mark] = [this.#last, { log: position?.log, at: performance.now() }];
    const isRepeated = last !== undefined && last.log === mark.log && mark.at - last.at < sameLoss;
    const isNews = this.#timer === undefined && id !== this.#id && !isRepeated;
    this.cancel();
    this.#last = mark;
    return isNews;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
