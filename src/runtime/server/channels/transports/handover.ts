/** Passes values from a producer to a consumer; the producer waits until each value is taken. */
export class Handover implements AsyncIterableIterator<unknown, void> {
  #offer: { readonly value: unknown; readonly taken: () => void } | undefined;
  #taker: { resolve(step: IteratorResult<unknown, void>): void; reject(error: unknown): void } | undefined;
  #end: { readonly error: unknown } | undefined;

  /** Settles once the value is taken, or the consumer has ended. */
  give(value: unknown): Promise<void> {
    if (this.#end !== undefined) return Promise.resolve();
    const taker = this.#taker;
    if (taker !== undefined) {
      this.#taker = undefined;
      taker.resolve({ done: false, value });
      return Promise.resolve();
    }
    return new Promise((taken) => {
      this.#offer = { value, taken };
    });
  }

  /** Ends both sides; the consumer gets the error, if there is one. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    this.#offer?.taken();
    this.#offer = undefined;
    const taker = this.#taker;
    this.#taker = undefined;
    // The error is thrown once.
    this.#end = { error: taker === undefined ? error : undefined };
    if (taker === undefined) return;
    if (error === undefined) taker.resolve({ done: true, value: undefined });
    else taker.reject(error);
  }

  next(): Promise<IteratorResult<unknown, void>> {
    if (this.#end !== undefined) {
      const { error } = this.#end;
      this.#end = { error: undefined };
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    const offer = this.#offer;
    if (offer !== undefined) {
      this.#offer = undefined;
      offer.taken();
      return Promise.resolve({ done: false, value: offer.value });
    }
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
