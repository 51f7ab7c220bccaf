import { ChannelError } from '../binding/channel.js';

export interface FanOutOptions {
  /** Opens the source; the signal is aborted when the last reader has left. */
  readonly open: (signal: AbortSignal) => AsyncIterable<unknown>;
  /** Whether the source stays open without readers, and continues with the next one. */
  readonly keepOpen: boolean;
  /** How many records may wait for one reader. Default: 100. */
  readonly buffer?: number | undefined;
  /** How long a full reader may hold up the others, in milliseconds. Default: 10,000. */
  readonly patience?: number | undefined;
  readonly onIdle?: () => void;
}

interface Reader {
  readonly waiting: unknown[];
  /** Ends the reader once its queue is drained. */
  end: { readonly error?: unknown } | undefined;
  wake: () => void;
}

interface OpenSource {
  readonly records: AsyncIterator<unknown>;
  readonly controller: AbortController;
}

/**
 * One source for several readers. Each reader gets every record from its start on. The source is read only when every
 * queue has room (backpressure). A reader that stays full for too long is dropped, so that it cannot block the others
 * forever.
 */
export class FanOut {
  readonly #readers = new Set<Reader>();
  #source: OpenSource | undefined;
  #isPumping = false;
  /** Records that arrived after the last reader had left. */
  #left: unknown[] = [];
  #onRoom: () => void = () => undefined;

  constructor(private readonly options: FanOutOptions) {}

  /**
   * The records from now on, until the signal is aborted. Reading begins immediately.
   *
   * @param givesBack - Whether unread records are for the next reader even if the source has ended.
   */
  subscribe(signal: AbortSignal, givesBack = false): AsyncIterableIterator<unknown, void> {
    const reader: Reader = { waiting: this.#left.splice(0), end: undefined, wake: () => undefined };
    const leave = (): void => {
      signal.removeEventListener('abort', leave);
      reader.end ??= {};
      if (this.#readers.delete(reader)) this.#leftBy(reader);
      else if (givesBack) this.#left.push(...reader.waiting);
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
            // The error is thrown once; after that the iterator is done.
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

  async next(signal: AbortSignal): Promise<unknown> {
    const records = this.subscribe(signal, true);
    try {
      const { done, value } = await records.next();
      signal.throwIfAborted();
      if (done === true) throw new ChannelError('failed', 'the source has ended');
      return value;
    } finally {
      await records.return?.();
    }
  }

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
        // A source that was closed meanwhile does not concern later readers.
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
      const records = this.options.open(controller.signal)[Symbol.asyncIterator]();
      this.#source = { records, controller };
    }
    return this.#source;
  }

  #deliver(record: unknown): void {
    if (this.#readers.size === 0 && this.options.keepOpen) this.#left.push(record);
    for (const reader of this.#readers) {
      reader.waiting.push(record);
      reader.wake();
    }
  }

  /** Waits until every queue has room; drops readers that stay full for too long. */
  async #room(): Promise<void> {
    const { buffer = 100, patience = 10_000 } = this.options;
    const full = (): Reader[] => [...this.#readers].filter(({ waiting }) => waiting.length >= buffer);
    if (full().length === 0) return;
    const late = setTimeout(() => {
      const reason = `${buffer} records waited and were not read for ${patience} ms`;
      for (const reader of full()) this.#dismiss(reader, { error: new ChannelError('overrun', reason) });
      this.#onRoom();
    }, patience);
    while (full().length > 0) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
    clearTimeout(late);
  }

  #dismiss(reader: Reader, end: NonNullable<Reader['end']>): void {
    reader.end = end;
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#leftBy(undefined);
    reader.wake();
  }

  /** After the last reader: if the source stays open, its unread records are for the next reader. */
  #leftBy(reader: Reader | undefined): void {
    this.#onRoom();
    if (this.#readers.size > 0) return;
    if (this.options.keepOpen) this.#left.push(...(reader?.waiting ?? []));
    else this.#closeSource();
    this.options.onIdle?.();
  }

  #closeSource(): void {
    const source = this.#source;
    this.#source = undefined;
    source?.controller.abort();
    source?.records.return?.().then(undefined, () => undefined);
  }
}
