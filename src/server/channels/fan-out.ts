import { ChannelError } from './channel-error.js';
import { wait } from './wait.js';

/** How a source is shared. */
export interface FanOutOptions {
  /** Begins to give records; the signal is aborted when nobody wants any more. */
  readonly open: (signal: AbortSignal) => AsyncIterable<unknown>;
  /** Whether the source is left as it is when nobody listens, to go on when somebody does. */
  readonly keepOpen: boolean;
  /** How many records may wait for one reader; 100 unless given. */
  readonly buffer?: number;
  /** How long the others wait for a reader whose buffer is full, in milliseconds; 10,000 unless given. */
  readonly patience?: number;
  /** Called when the last reader has left. */
  readonly onIdle?: () => void;
}

/** One of those who read the same source. */
interface Reader {
  readonly waiting: unknown[];
  /** What ends him when he has read what waits for him. */
  end: { readonly error?: unknown } | undefined;
  /** Called when there is something for him. */
  wake: () => void;
}

/** A source that gives records. */
interface OpenSource {
  readonly records: AsyncIterator<unknown>;
  readonly controller: AbortController;
}

/**
 * One source for several readers: each gets every record from the moment at which he begins. The source is asked
 * for the next record when every reader has room for it, so a slow reader slows it, and nothing piles up. One who
 * does not read for too long is let go, lest the others wait for ever.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #readers = new Set<Reader>();
  #source: OpenSource | undefined;
  #isPumping = false;
  /** Records that were under way when the last reader left. */
  #left: unknown[] = [];
  #onRoom: () => void = () => undefined;

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** The records from now on; ends with the signal. Reading begins at once. */
  subscribe(signal: AbortSignal): AsyncIterableIterator<unknown, void> {
    const reader: Reader = { waiting: this.#left.splice(0), end: undefined, wake: () => undefined };
    const leave = (): void => {
      signal.removeEventListener('abort', leave);
      reader.end ??= {};
      if (this.#readers.delete(reader)) this.#leftBy(reader);
      reader.waiting.length = 0;
      reader.wake();
    };
    if (signal.aborted) reader.end = {};
    else signal.addEventListener('abort', leave);
    if (reader.end === undefined) this.#readers.add(reader);
    void this.#pump();
    return {
      next: async () => {
        for (;;) {
          if (reader.waiting.length > 0) {
            const value = reader.waiting.shift();
            this.#onRoom();
            return { done: false, value };
          }
          if (reader.end !== undefined) {
            const { end } = reader;
            leave();
            // It is told once; whoever asks again hears that it is over.
            reader.end = {};
            if ('error' in end) throw end.error;
            return { done: true, value: undefined };
          }
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
        }
      },
      return: async () => {
        leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** The next record alone. */
  async next(signal: AbortSignal): Promise<unknown> {
    const records = this.subscribe(signal);
    try {
      const { done, value } = await records.next();
      signal.throwIfAborted();
      if (done === true) throw new ChannelError('failed', 'the source has ended');
      return value;
    } finally {
      await records.return?.();
    }
  }

  /** Closes the source and lets everybody go. */
  close(): void {
    for (const reader of this.#readers) this.#dismiss(reader, {});
    this.#closeSource();
    this.#left = [];
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#readers.size > 0) {
      let source: OpenSource | undefined;
      try {
        source = this.#openSource();
        const { done, value } = await source.records.next();
        // One that was closed meanwhile has nothing to say to those who came after.
        if (this.#source !== source) continue;
        if (done === true) {
          this.#source = undefined;
          for (const reader of this.#readers) this.#dismiss(reader, {});
        } else {
          this.#deliver(value);
          await this.#room();
        }
      } catch (error) {
        if (this.#source !== source) continue;
        this.#source = undefined;
        for (const reader of this.#readers) this.#dismiss(reader, { error });
      }
    }
    this.#isPumping = false;
  }

  #openSource(): OpenSource {
    if (this.#source === undefined) {
      const controller = new AbortController();
      const records = this.#options.open(controller.signal)[Symbol.asyncIterator]();
      this.#source = { records, controller };
    }
    return this.#source;
  }

  #deliver(record: unknown): void {
    if (this.#readers.size === 0 && this.#options.keepOpen) this.#left.push(record);
    for (const reader of this.#readers) {
      reader.waiting.push(record);
      reader.wake();
    }
  }

  /** Waits until everybody has room for one more; who makes the others wait for too long has to go. */
  async #room(): Promise<void> {
    const { buffer = 100, patience = 10_000 } = this.#options;
    const full = (): Reader[] => [...this.#readers].filter(({ waiting }) => waiting.length >= buffer);
    if (full().length === 0) return;
    const over = new AbortController();
    const late = wait(patience, over.signal).then((isOver) => {
      if (!isOver) return;
      const error = new ChannelError(
        'overrun',
        `${buffer} records waited and were not read for ${patience} ms`,
      );
      for (const reader of full()) this.#dismiss(reader, { error });
      this.#onRoom();
    });
    while (full().length > 0) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
    over.abort();
    await late;
  }

  #dismiss(reader: Reader, end: NonNullable<Reader['end']>): void {
    reader.end = end;
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#leftBy(undefined);
    reader.wake();
  }

  /** The last one has left: what he has not read is for the next, where the source goes on. */
  #leftBy(reader: Reader | undefined): void {
    this.#onRoom();
    if (this.#readers.size > 0) return;
    if (this.#options.keepOpen) this.#left.push(...(reader?.waiting ?? []));
    else this.#closeSource();
    this.#options.onIdle?.();
  }

  #closeSource(): void {
    const source = this.#source;
    this.#source = undefined;
    source?.controller.abort();
    source?.records.return?.().then(undefined, () => undefined);
  }
}
