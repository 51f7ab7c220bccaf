import { ChannelError } from '../binding/channel.js';

/** Runs tasks one after another, with a bounded queue. */
export class SerialWork {
  #pending = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly maxPending: number) {}

  /** Runs a task after those before it, unless its signal is aborted by then. Throws if too many tasks are waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#pending >= this.maxPending) {
      throw new ChannelError('overrun', `${this.maxPending} records wait to be written already`);
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
