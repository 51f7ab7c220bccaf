import type { ExecutionResult } from 'graphql';

type Results = AsyncGenerator<ExecutionResult, void, void> & {
  /** The number of results that wait for the subscriber. */
  readonly waiting?: number;
  /** The ids of the positions at the opening and while no event waits. */
  readonly openingId?: string | undefined;
  readonly idleId?: string | undefined;
  /** Resolves when the subscriber has taken all earlier events. */
  readonly caughtUp?: Promise<void> | undefined;
  /** Whether they have ended because the server shuts down. */
  readonly isCut?: boolean;
};
type Step = IteratorResult<ExecutionResult, void>;

/** After how many milliseconds the clock is read again, because it may have been set. */
const longestWait = 30_000;

/**
 * The results of a subscription until the credentials of its subscriber expire. Then the last result is an error.
 */
export class ExpiringResults implements Results {
  #timer: NodeJS.Timeout | undefined;
  /** The last result; undefined if it was read, or if the subscription has ended otherwise. */
  #last: ExecutionResult | undefined;
  #hasExpired = false;

  /**
   * @param results - Their `return` must end a pending `next`.
   * @param expiresAt - In seconds since 1970.
   */
  constructor(
    private readonly results: Results,
    private readonly expiresAt: number,
    last: ExecutionResult,
  ) {
    this.#last = last;
    this.#watch();
  }

  get waiting(): number {
    return this.results.waiting ?? 0;
  }

  get openingId(): string | undefined {
    return this.results.openingId;
  }

  get idleId(): string | undefined {
    return this.results.idleId;
  }

  get caughtUp(): Promise<void> | undefined {
    return this.results.caughtUp;
  }

  get isCut(): boolean {
    return this.results.isCut === true && !this.#hasExpired;
  }

  async next(): Promise<Step> {
    const step = await this.results.next();
    if (Date.now() >= this.expiresAt * 1000) this.#expire();
    const last = this.#hasExpired ? this.#last : undefined;
    if (last === undefined && step.done !== true) return step;
    this.#end();
    return last === undefined ? { done: true, value: undefined } : { done: false, value: last };
  }

  async return(): Promise<Step> {
    this.#end();
    return this.results.return();
  }

  async throw(error: unknown): Promise<Step> {
    this.#end();
    return this.results.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #watch(): void {
    const rest = this.expiresAt * 1000 - Date.now();
    // Also if it is no number.
    if (!(rest > 0)) this.#expire();
    else {
      this.#timer = setTimeout(() => this.#watch(), Math.min(rest, longestWait));
      // A timer of a worker may be a number.
      this.#timer.unref?.();
    }
  }

  #expire(): void {
    if (this.#hasExpired) return;
    this.#hasExpired = true;
    clearTimeout(this.#timer);
    this.results.return().catch(() => undefined);
  }

  #end(): void {
    this.#last = undefined;
    clearTimeout(this.#timer);
  }
}
