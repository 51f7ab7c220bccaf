/**
 * A queue between a producer that never waits and a slow reader. When it overflows, it accepts no further values,
 * delivers the queued ones and one last value that reports the overflow, and ends. So values are never lost silently,
 * and memory is bounded.
 */
export class BoundedQueue<T> implements AsyncGenerator<T, void, void> {
  /** The values that wait for the reader, oldest first. */
  #values: T[] = [];
  /** Since when each of them waits. */
  #times: number[] = [];
  /** The readers that wait for values. There are none while values wait. */
  readonly #readers: ((step: IteratorResult<T, void>) => void)[] = [];
  #isOpen = true;

  /**
   * @param limit - The maximum number of queued values.
   * @param overflowValue - Makes the last value of a queue that overflowed.
   * @param onEnd - Called once, when the queue stops accepting values.
   */
  constructor(
    private readonly limit: number,
    private readonly overflowValue: () => T,
    private readonly onEnd: () => void,
  ) {}

  get waiting(): number {
    return this.#values.length;
  }

  /** Since when the oldest value waits, by `performance.now()`. */
  get waitingSince(): number | undefined {
    return this.#times[0];
  }

  /** Adds a value, unless the queue has ended. */
  push(value: T): void {
    if (!this.#isOpen) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader({ done: false, value });
    } else if (this.#values.length < this.limit) {
      this.#values.push(value);
      this.#times.push(performance.now());
    } else {
      this.#values.push(this.overflowValue());
      this.end();
    }
  }

  /** Closes the queue; queued values can still be read. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    this.onEnd();
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#values.length > 0) {
      this.#times.shift();
      return Promise.resolve({ done: false, value: this.#values.shift() as T });
    }
    if (!this.#isOpen) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Called when the reader stops: drops the queued values. */
  return(): Promise<IteratorResult<T, void>> {
    this.#values = [];
    this.#times = [];
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    void this.return();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
