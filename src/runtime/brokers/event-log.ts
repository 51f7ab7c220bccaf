import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { beforeFirst, type EventPosition, type LogPage } from './broker.js';
import { type KeptEvent, LogPages, pageSize } from './log-pages.js';
import { isLossMark } from './loss-mark.js';

/** The place of an event in the log of a server, and its id for clients. */
export interface EventPlace extends EventPosition {
  /** An opaque text, which clients give back to continue after the event. */
  readonly id: string;
  /** When the log stored it, in milliseconds since 1970; undefined if the log does not tell. */
  readonly storedAt?: number | undefined;
  /** The partition of the event; absent in a log without partitions. */
  readonly partition?: number;
  /** Identifies the event, wherever a client gets it; absent if `id` does. */
  readonly event?: string;
}

/** The log of a server as subscribers see it: a single one, or one of partitions. */
export interface ResumableLog extends Pick<EventLog, 'latestId' | 'recentId' | 'lag'> {
  readAfter(id: string, subscription: string): Promise<ResumableBacklog>;
}

/** The events that a log keeps for a subscriber that resumes. */
export interface ResumableBacklog extends Pick<Backlog, 'read'> {
  isPast(place: EventPlace): boolean;
}

/** An event that waits for a subscriber, or the notice that events are missing here. */
export type LoggedStep =
  | {
      readonly payload: unknown;
      readonly place: EventPlace | undefined;
      /** The span that published it, as in a `traceparent` header. */
      readonly traceparent?: string | undefined;
    }
  | { readonly missing: number | undefined };

/** The kept events of a log, in this process or at a broker. */
interface LogSource {
  readonly name: string;
  /** Whether its pages are at hand, so that they are not shared. */
  readonly isLocal?: boolean;
  read(after: number, most: number): MaybePromise<LogPage<KeptEvent>>;
  /** The value of an event that was read; undefined if it has none, so that it is skipped. */
  valueOf(event: KeptEvent): unknown;
  /** The last event of the listeners of this process, or the position where they began; undefined while unknown. */
  latest(): (EventPosition & Pick<KeptEvent, 'id'>) | undefined;
}

/** The part of an id that stands for an event of which only the position is known. */
const anyEvent = '0000000';

/** Stands in an id for the place before the first event of a log, without the name of the log. */
export const firstPlace: string = `${hash(beforeFirst.log)}:0-${anyEvent}`;

/** An id of an event with which no subscription can begin. */
export class EventIdError extends Error {
  override readonly name = 'EventIdError';
}

/**
 * The log behind the FORKs of a server. The id of an event has four parts: the name of the log and the log itself, both
 * hashed, the number of the event, and the hash of the id that its publisher gave it. So an id of another service is
 * refused, and a broker that has lost events and given their numbers to others is noticed.
 */
export class EventLog {
  readonly #name: string;
  #log = '';
  #prefix = '';
  readonly #pages: LogPages;
  /** How often the log has lost events that readers may have been given. */
  losses = 0;

  constructor(readonly source: LogSource) {
    this.#name = hash(source.name);
    this.#pages = new LogPages((after, most) => source.read(after, most));
  }

  /** Takes the notice that the log has lost events, so that its numbers may stand for others now. */
  lost(): void {
    this.losses += 1;
    this.#pages.forget();
  }

  /** Reads the page with the event after a number; it may begin with earlier events. */
  pageAfter(sequence: number): MaybePromise<LogPage<KeptEvent>> {
    const { source } = this;
    return source.isLocal === true ? source.read(sequence, pageSize) : this.#pages.after(sequence);
  }

  async end(): Promise<EventPosition> {
    const { log, last } = await this.#pages.newest();
    return { log, sequence: last };
  }

  /** @param publishedAs - The id that the publisher gave the event. */
  placeOfEvent({ log, sequence }: EventPosition, publishedAs?: string, storedAt?: number): EventPlace {
    if (log !== this.#log || this.#prefix === '') {
      this.#log = log;
      this.#prefix = `${this.#name}-${hash(log)}:`;
    }
    const event = publishedAs === undefined ? anyEvent : hash(publishedAs);
    return { log, sequence, id: `${this.#prefix}${sequence}-${event}`, storedAt };
  }

  /** The id after which a listener that begins now gets its first event; undefined while that is not known. */
  get latestId(): string | undefined {
    const latest = this.source.latest();
    return latest && this.placeOfEvent(latest, latest.id).id;
  }

  /** The number of events that the listeners of this process have not got yet; undefined while that is not known. */
  async lag(): Promise<number | undefined> {
    const latest = this.source.latest();
    if (latest === undefined) return undefined;
    const { log, last } = await this.source.read(latest.sequence, 1);
    // The numbers of another log do not compare.
    return log === latest.log ? Math.max(0, last - latest.sequence) : undefined;
  }

  /** The id of the position before the last events that it keeps, at most this many of all subscriptions. */
  async recentId(most: number): Promise<string> {
    const { log, last, events } = await this.source.read(0, 1);
    const first = events[0]?.position?.sequence ?? last + 1;
    return this.placeOfEvent({ log, sequence: Math.max(first - 1, last - most, 0) }).id;
  }

  /**
   * Begins to read the events of a subscription after the event with an id.
   *
   * @throws {EventIdError} If no event of this log can have the id.
   */
  async readAfter(id: string, subscription: string): Promise<Backlog> {
    const [, name, log, digits, event] = /^([0-9a-z]{7})-([0-9a-z]{7}):(0|[1-9]\d{0,15})-([0-9a-z]{7})$/.exec(id) ?? [];
    const sequence = Number(digits);
    if (digits === undefined || !Number.isSafeInteger(sequence)) {
      throw new EventIdError('The id of the event is malformed.');
    }
    if (name !== this.#name) throw new EventIdError('The id of the event comes from another service.');
    // The event itself is read, too, to compare it with the id.
    const page = await this.pageAfter(Math.max(0, sequence - 1));
    // The log had not begun yet.
    if (log === hash(beforeFirst.log) && sequence === 0) return new Backlog(this, subscription, page.log, 0);
    const found = page.events.find(({ position }) => position?.sequence === sequence);
    const isOther =
      hash(page.log) !== log ||
      page.last < sequence ||
      (found !== undefined && event !== anyEvent && hash(found.id ?? '') !== event);
    return new Backlog(this, subscription, page.log, isOther ? undefined : sequence);
  }
}

/** The events of one subscription that a log keeps, read page by page. */
export class Backlog {
  #hasLost: boolean;
  #after: number;
  #losses: number;

  /** @param after - The number of the event after which it begins; undefined if it lost its place. */
  constructor(
    private readonly log: EventLog,
    private readonly subscription: string,
    private name: string,
    after: number | undefined,
  ) {
    this.#hasLost = after === undefined;
    this.#after = after ?? 0;
    this.#losses = log.losses;
  }

  get reachedId(): string {
    return this.log.placeOfEvent({ log: this.name, sequence: this.#after }).id;
  }

  /** Whether an event was read, or cannot be read any more. */
  isPast({ log, sequence }: EventPosition): boolean {
    return log === this.name && sequence <= this.#after;
  }

  /** Reads on. At the end, it has read each event that was delivered to a listener before the call. */
  async read(): Promise<{ readonly steps: LoggedStep[]; readonly isAtEnd: boolean }> {
    const { log } = this;
    const page = this.#isLost ? undefined : await log.pageAfter(this.#after);
    // A log that has begun meanwhile has lost nothing.
    if (page !== undefined && this.name === beforeFirst.log) this.name = page.log;
    // Between the pages, the log may have become another one, or have lost its last events.
    if (page === undefined || this.#isLost || page.log !== this.name || page.last < this.#after) {
      return this.#continueAtEnd();
    }
    const steps: LoggedStep[] = [];
    const advance = (sequence: number): void => {
      const missing = sequence - this.#after - 1;
      if (missing > 0) steps.push({ missing });
      this.#after = sequence;
    };
    for (const event of page.events) {
      const { id, position, storedAt, traceparent } = event;
      if (position === undefined || this.isPast(position)) continue;
      advance(position.sequence);
      if (isLossMark(event)) steps.push({ missing: undefined });
      if (event.subscription !== this.subscription) continue;
      const payload = log.source.valueOf(event);
      if (payload === undefined) continue;
      steps.push({ payload, place: log.placeOfEvent(position, id, storedAt), traceparent });
    }
    // The end of the page is no longer kept.
    if (page.reached > this.#after) advance(page.reached + 1);
    this.#after = page.reached;
    return { steps, isAtEnd: this.#after >= page.last };
  }

  get #isLost(): boolean {
    return this.#hasLost || this.#losses !== this.log.losses;
  }

  /** The place of the subscriber is gone, so it is unknown what it misses. It does not get an event twice. */
  async #continueAtEnd(): Promise<{ readonly steps: LoggedStep[]; readonly isAtEnd: boolean }> {
    this.#losses = this.log.losses;
    const { log, sequence } = await this.log.end();
    this.#hasLost = false;
    this.name = log;
    this.#after = sequence;
    return { steps: [{ missing: undefined }], isAtEnd: true };
  }
}

/** A hash in seven characters. It notices mistakes. It protects nothing: an id gives no access. */
function hash(text: string): string {
  return fnv1a(text).toString(36).padStart(7, '0');
}

/** FNV-1a of 32 bits. */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value;
}
