import { randomUUID } from 'node:crypto';
import { type BrokerEvent, EventNotPublishedError, type EventPosition, systemEvents } from './broker.js';

/** The number of events that may wait for a broker, and of their characters; one more is refused. */
const most = { events: 10_000, characters: 32 * 1024 * 1024 };

/** The most events of one call, and about the most characters. */
const mostOfBatch = { events: 256, characters: 1024 * 1024 };

/** Between attempts, in milliseconds. */
const pauses = { first: 20, most: 500 };

interface Waiting {
  readonly event: BrokerEvent;
  readonly deadline: number;
  /** Whether it was sent, so that the broker may have stored it. */
  wasSent: boolean;
  resolve(position: EventPosition | undefined): void;
  reject(error: EventNotPublishedError): void;
}

export interface EventSender {
  /** The length in bytes from which on the broker refuses a payload. */
  readonly maxBytes?: number | undefined;
  /** Stores events in order, and resolves with their positions, for known ones the first, when all are acknowledged. */
  send(events: readonly BrokerEvent[]): Promise<readonly (EventPosition | undefined)[] | undefined>;
}

/** The events on their way to a broker, one batch at a time. A batch that fails is sent again until it is too old. */
export class OutgoingEvents {
  #waiting: Waiting[] = [];
  readonly #promises = new Map<string, Promise<EventPosition | undefined>>();
  #characters = 0;
  #sender: EventSender | undefined;
  #isSending = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Since when the broker refuses what is sent, by `performance.now()`; undefined if it took the last events. */
  refusedSince: number | undefined;

  /** @param isRefusal - Gets the error of a batch that failed. Returns whether the broker has refused it. */
  constructor(
    private readonly timeout: number,
    private readonly isRefusal: (error: unknown) => boolean,
  ) {}

  set sender(sender: EventSender | undefined) {
    this.#sender = sender;
    this.#failures = 0;
    void this.#send();
  }

  /** An event that waits already is not added again. */
  add(event: BrokerEvent): Promise<EventPosition | undefined> {
    const known = this.#promises.get(event.id);
    if (known !== undefined) return known;
    const { length } = event.payload;
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#sender ?? {};
    if (length * 3 > maxBytes && Buffer.byteLength(event.payload) > maxBytes) {
      return Promise.reject(notPublished(`it has more than the ${maxBytes} bytes that the event broker takes`));
    }
    if (this.#waiting.length >= most.events || this.#characters + length > most.characters) {
      return Promise.reject(notPublished('too many events are waiting for the event broker'));
    }
    const deadline = performance.now() + this.timeout;
    const promise = new Promise<EventPosition | undefined>((resolve, reject) => {
      this.#waiting.push({ event, deadline, wasSent: false, resolve, reject });
    });
    this.#characters += length;
    this.#timer ??= setTimeout(() => this.#expire(), this.timeout);
    // Events that are published in the same tick make one batch.
    queueMicrotask(() => void this.#send());
    this.#promises.set(event.id, promise);
    return promise;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** Settles when no event waits: at the latest, when all are too old. */
  idle(): Promise<unknown> {
    return Promise.allSettled(this.#promises.values());
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#sender !== undefined && (this.#waiting.length > 0 || this.refusedSince !== undefined)) {
      const sender = this.#sender;
      const batch = this.#batch();
      for (const waiting of batch) waiting.wasSent = true;
      try {
        // Without an event that waits, a probe finds out whether events are taken again.
        const events = batch.map(({ event }) => event);
        if (events.length === 0) events.push({ id: randomUUID(), subscription: systemEvents.probe, payload: 'null' });
        const positions = await sender.send(events);
        this.#failures = 0;
        this.refusedSince = undefined;
        for (const [at, { resolve }] of batch.entries()) resolve(positions?.[at]);
        const sent = new Set(batch);
        this.#drop((waiting) => sent.has(waiting));
      } catch (error) {
        if (this.isRefusal(error)) this.refusedSince ??= performance.now();
        this.#failures += 1;
        const pause = Math.min(pauses.first * 2 ** (this.#failures - 1), pauses.most);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    this.#isSending = false;
  }

  #batch(): readonly Waiting[] {
    let characters = 0;
    let end = 0;
    while (end < this.#waiting.length && end < mostOfBatch.events) {
      characters += this.#waiting[end]?.event.payload.length ?? 0;
      if (end > 0 && characters > mostOfBatch.characters) break;
      end += 1;
    }
    return this.#waiting.slice(0, end);
  }

  #expire(): void {
    const now = performance.now();
    this.#timer = undefined;
    const reason = `it was not acknowledged by the event broker within ${this.timeout / 1000} seconds`;
    for (const { wasSent, reject } of this.#drop(({ deadline }) => deadline <= now)) {
      reject(notPublished(reason, wasSent));
    }
    const [next] = this.#waiting;
    if (next !== undefined) this.#timer = setTimeout(() => this.#expire(), next.deadline - now);
  }

  #drop(isDone: (waiting: Waiting) => boolean): readonly Waiting[] {
    const done = this.#waiting.filter(isDone);
    this.#waiting = this.#waiting.filter((waiting) => !isDone(waiting));
    for (const { event } of done) {
      this.#characters -= event.payload.length;
      this.#promises.delete(event.id);
    }
    if (this.#waiting.length > 0) return done;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return done;
  }
}

/**
 * The mutation has happened when its event is published, so its client must know that.
 *
 * @param mayBeStored - See {@link EventNotPublishedError}.
 */
export function notPublished(reason: string, mayBeStored = false): EventNotPublishedError {
  const what = mayBeStored ? 'may not be published' : 'was not published';
  return new EventNotPublishedError(`The change was made, but its event ${what}: ${reason}.`, mayBeStored);
}
