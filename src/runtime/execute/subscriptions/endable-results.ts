import type { ExecutionResult } from 'graphql';
import type { ErrorMask } from '../errors/mask-errors.js';
import { lastStep, type ResultStep, type Results } from './results.js';

/**
 * Results that can be ended while the next one is awaited, as a disconnect or a shutdown requires: an async generator
 * cannot. If the source fails, the failure is the last result.
 */
export abstract class EndableResults implements Results {
  readonly #waiting = new Set<(step: ResultStep) => void>();
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

  next(): Promise<ResultStep> {
    if (this.#hasEnded) return Promise.resolve(lastStep);
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.make().then(
        (value) => {
          this.#waiting.delete(resolve);
          if (value === undefined) this.#settle();
          resolve(value === undefined ? lastStep : { done: false, value });
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

  get isCut(): boolean {
    return this.#isCut;
  }

  cut(): void {
    this.#isCut = true;
    this.#end();
  }

  async return(): Promise<ResultStep> {
    this.#end();
    return lastStep;
  }

  async throw(error: unknown): Promise<ResultStep> {
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
    for (const resolve of this.#waiting) resolve(lastStep);
    this.#waiting.clear();
    this.ended();
  }
}
