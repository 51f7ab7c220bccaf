import type { ExecutionResult } from 'graphql';
import type { ErrorMask } from '../errors/mask-errors.js';
import type { PlacedResults } from './event-id.js';

type Step = IteratorResult<ExecutionResult, void>;

const done = { done: true as const, value: undefined };

/**
 * Results that can be ended while the next one is awaited, as a disconnect or a shutdown requires: an async generator
 * cannot. If the source fails, the failure is the last result.
 */
export abstract class EndableResults implements AsyncGenerator<ExecutionResult, void, void>, PlacedResults {
  readonly #waiting = new Set<(step: Step) => void>();
  #hasEnded = false;
  #isCut = false;

  constructor(private readonly masking: ErrorMask) {}

  /** Makes the next result; undefined at the end. */
  protected abstract make(): Promise<ExecutionResult | undefined>;
  /** Called when there are no further results; may be called more than once. */
  protected abstract ended(): void;
  /** Called when the results end before their source; may be called more than once. */
  protected abstract closeSource(): void;

  protected get hasEnded(): boolean {
    return this.#hasEnded;
  }

  next(): Promise<Step> {
    if (this.#hasEnded) return Promise.resolve(done);
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.make().then(
        (value) => {
          this.#waiting.delete(resolve);
          if (value === undefined) this.#settle();
          resolve(value === undefined ? done : { done: false, value });
        },
        (error: unknown) => {
          this.#waiting.delete(resolve);
          this.#settle();
          this.closeSource();
          resolve({ done: false, value: { errors: [this.masking.thrown(error)] } });
        },
      );
    });
  }

  /** See {@link PlacedResults.isCut}. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Ends the subscription at shutdown. */
  cut(): void {
    this.#isCut = true;
    this.#end();
  }

  async return(): Promise<Step> {
    this.#end();
    return done;
  }

  async throw(error: unknown): Promise<Step> {
    this.#end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    this.#settle();
    this.closeSource();
  }

  #settle(): void {
    this.#hasEnded = true;
    for (const resolve of this.#waiting) resolve(done);
    this.#waiting.clear();
    this.ended();
  }
}
