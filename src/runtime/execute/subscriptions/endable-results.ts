import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { runWithin } from '../../limits/deadline.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { eventRoot } from '../resolvers/operation-root.js';
import { lastStep, type ResultStep, type Results } from './results.js';

/** Results that can be ended while the next one is awaited, as no generator can. A failure is the last result. */
export abstract class EndableResults implements Results {
  readonly #waiting = new Set<(step: ResultStep) => void>();
  protected hasEnded = false;
  #isCut = false;

  constructor(private readonly masking: ErrorMask) {}

  /** Makes the next result; undefined at the end. */
  protected abstract make(): Promise<ExecutionResult | undefined>;
  /**
   * Called when there are no further results; may be called more than once.
   *
   * @param isEarly - Whether they end before their source, which is to be closed.
   */
  protected abstract ended(isEarly: boolean): void;

  next(): Promise<ResultStep> {
    if (this.hasEnded) return Promise.resolve(lastStep);
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.make().then(
        (value) => {
          this.#waiting.delete(resolve);
          if (value === undefined) this.#end(false);
          resolve(value === undefined ? lastStep : { done: false, value });
        },
        (error: unknown) => {
          this.#waiting.delete(resolve);
          this.#end(true);
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
    this.#end(true);
  }

  async return(): Promise<ResultStep> {
    this.#end(true);
    return lastStep;
  }

  async throw(error: unknown): Promise<ResultStep> {
    this.#end(true);
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(isEarly: boolean): void {
    this.hasEnded = true;
    for (const resolve of this.#waiting) resolve(lastStep);
    this.#waiting.clear();
    this.ended(isEarly);
  }
}

/**
 * The masked results of a subscription whose events come from a resolver. Each event is executed as by `subscribe` of
 * graphql-js, but an event that takes longer than the timeout becomes an error, and the next one follows.
 */
export class ResolverResults extends EndableResults {
  readonly #events: AsyncIterator<unknown>;

  constructor(
    readonly subscription: string | undefined,
    source: AsyncIterable<unknown>,
    private readonly args: ExecutionArgs,
    private readonly mask: ErrorMask,
    private readonly timeout: number,
    private readonly onEnd: (results: ResolverResults) => void,
  ) {
    super(mask);
    this.#events = source[Symbol.asyncIterator]();
  }

  protected async make(): Promise<ExecutionResult | undefined> {
    const step = await this.#events.next();
    if (step.done === true) return undefined;
    const args = { ...this.args, rootValue: eventRoot(this.args.rootValue, step.value) };
    const result = await runWithin({ timeout: this.timeout }, () => execute(args));
    return this.mask.result(result, this.args);
  }

  protected ended(isEarly: boolean): void {
    this.onEnd(this);
    if (!isEarly) return;
    // The source may still be busy with an event; its result and its failure are ignored.
    new Promise((resolve) => resolve(this.#events.return?.())).catch(() => undefined);
  }
}
