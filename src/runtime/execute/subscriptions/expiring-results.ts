import type { ExecutionResult } from 'graphql';
import { lastStep, PassedResults, type ResultStep, type Results } from './results.js';

/** After how many milliseconds the clock is read again, because it may have been set. */
const longestWait = 30_000;

/** The results of a subscription until the credentials of its subscriber expire. Then the last result is an error. */
export class ExpiringResults extends PassedResults {
  #timer: NodeJS.Timeout | undefined;
  /** The last result; undefined if it was read, or if the subscription has ended otherwise. */
  #last: ExecutionResult | undefined;
  #hasExpired = false;

  /**
   * @param results - Their `return` must end a pending `next`.
   * @param expiresAt - In seconds since 1970.
   */
  constructor(
    results: Results,
    private readonly expiresAt: number,
    last: ExecutionResult,
  ) {
    super(results);
    this.#last = last;
    this.#wait();
  }

  override get isCut(): boolean {
    return super.isCut && !this.#hasExpired;
  }

  override async next(): Promise<ResultStep> {
    const step = await super.next();
    if (Date.now() >= this.expiresAt * 1000) this.#expire();
    const last = this.#hasExpired ? this.#last : undefined;
    if (last === undefined && step.done !== true) return step;
    this.#end();
    return last === undefined ? lastStep : { done: false, value: last };
  }

  override return(): Promise<ResultStep> {
    this.#end();
    return super.return();
  }

  override throw(error: unknown): Promise<ResultStep> {
    this.#end();
    return super.throw(error);
  }

  #wait(): void {
    const rest = this.expiresAt * 1000 - Date.now();
    // Also if it is not a number.
    if (!(rest > 0)) this.#expire();
    else {
      this.#timer = setTimeout(() => this.#wait(), Math.min(rest, longestWait));
      // A timer of a worker may be a number.
      this.#timer.unref?.();
    }
  }

  #expire(): void {
    if (this.#hasExpired) return;
    this.#hasExpired = true;
    clearTimeout(this.#timer);
    this.source.return().catch(() => undefined);
  }

  #end(): void {
    this.#last = undefined;
    clearTimeout(this.#timer);
  }
}
