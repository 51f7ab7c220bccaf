import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { DeliveredEvent, LogPage } from './broker.js';

export interface KeptEvent extends Omit<DeliveredEvent, 'id' | 'payload' | 'previous'> {
  /** The id that its publisher gave it, if it gave one. */
  readonly id?: string | undefined;
  readonly payload: unknown;
}

export const pageSize = 100;

/** The full pages that are held for other readers: their number, and the characters of their payloads. */
const mostHeld = { pages: 32, characters: 8 * 1024 * 1024 };

/** How long they are held after the last read, in milliseconds. */
const holdTime = 1_000;

type Page = LogPage<KeptEvent>;

/** A read of a page that has begun, and the read that begins when it is done. */
interface Running {
  readonly done: Promise<Page>;
  next?: Promise<Page>;
}

/**
 * The pages of a log, shared by its readers: they begin at multiples of {@link pageSize}, so that the number of reads
 * depends on the length of the log, and not on the number of its readers.
 */
export class LogPages {
  readonly #held = new Map<number, Page>();
  readonly #running = new Map<number, Running>();
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly read: (after: number, most: number) => MaybePromise<Page>) {}

  /** The page with the event after a number, and all that were delivered, unless it ends before the last one. */
  after(sequence: number): Promise<Page> {
    return this.#shared(sequence - (sequence % pageSize), pageSize);
  }

  /** Some events, and the number of the last one now. */
  newest(): Promise<Page> {
    return this.#shared(-1, 1);
  }

  /** Drops the pages, because the log is no longer the same. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held.clear();
    // Later readers cannot use the page that is being read.
    this.#running.clear();
    this.#characters = 0;
  }

  async #shared(start: number, most: number): Promise<Page> {
    const held = this.#held.get(start);
    if (held !== undefined) return held;
    const running = this.#running.get(start);
    if (running === undefined) return this.#begin(start, most);
    // That read may miss an event that was delivered since it began.
    const follow = () => this.#held.get(start) ?? this.#begin(start, most);
    running.next ??= running.done.then(follow, follow);
    return running.next;
  }

  #begin(start: number, most: number): Promise<Page> {
    const reading = async (): Promise<Page> => this.read(Math.max(0, start), most);
    const running: Running = {
      done: reading()
        .then((page) => {
          if (this.#running.get(start) === running) this.#hold(start, page);
          return page;
        })
        .finally(() => {
          if (this.#running.get(start) === running) this.#running.delete(start);
        }),
    };
    this.#running.set(start, running);
    return running.done;
  }

  /** Pages that end before the last event do not change. */
  #hold(start: number, page: Page): void {
    if (start < 0 || page.reached >= page.last) return;
    const characters = charactersOf(page);
    while (this.#held.size >= mostHeld.pages || this.#characters + characters > mostHeld.characters) {
      const [oldest] = this.#held;
      if (oldest === undefined) return;
      this.#held.delete(oldest[0]);
      this.#characters -= charactersOf(oldest[1]);
    }
    this.#held.set(start, page);
    this.#characters += characters;
    this.#timer ??= setTimeout(() => this.forget(), holdTime).unref();
    this.#timer.refresh();
  }
}

function charactersOf({ events }: Page): number {
  return events.reduce((sum, { payload }) => sum + String(payload).length, 0);
}
