import { ChannelError } from './channel-error.js';

/** Does one piece of work after another; what waits is limited. */
export class SerialWork {
  readonly #maxPending: number;
  #pending = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxPending: number) {
    this.#maxPending = maxPending;
  }

  /**
   * Does a piece of work when those before it are done. When the signal is aborted before its turn it is not done.
   *
   * @throws {ChannelError} When too many wait already.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#pending >= this.#maxPending) {
      throw new ChannelError('overrun', `${this.#maxPending} records wait to be written already`);
    }
    this.#pending += 1;
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#pending -= 1;
    }
  }
}
