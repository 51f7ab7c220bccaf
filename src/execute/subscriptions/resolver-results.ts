import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { runWithin } from '../../limits/deadline.js';
import type { ErrorMask } from '../errors/mask-errors.js';

type Step = IteratorResult<ExecutionResult, void>;

const done = { done: true as const, value: undefined };

/**
 * The masked results of a subscription whose events come from a resolver. Each event is executed as by `subscribe` of
 * graphql-js, but an event that takes longer than the timeout becomes an error, and the next one follows.
 *
 * Not an async generator, because a generator that waits for its next event cannot be ended before the event arrives,
 * as a disconnect or a shutdown requires. If the source fails, the failure is the last result.
 */
export class ResolverResults implements AsyncGenerator<ExecutionResult, void, void> {
  readonly #events: AsyncIterator<unknown>;
  readonly #waiting = new Set<(step: Step) => void>();
  #hasEnded = false;

  /**
   * @param subscription - Its name.
   * @param timeout - How long the execution of an event may take, in milliseconds. Waiting for events has no limit.
   * @param onEnd - Called when the subscription has ended; may be called more than once.
   */
  constructor(
    readonly subscription: string | undefined,
    source: AsyncIterable<unknown>,
    private readonly args: ExecutionArgs,
    private readonly mask: ErrorMask,
    private readonly timeout: number,
    private readonly onEnd: (results: ResolverResults) => void,
  ) {
    this.#events = source[Symbol.asyncIterator]();
  }

  next(): Promise<Step> {
    if (this.#hasEnded) return Promise.resolve(done);
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.#execute().then(
        (value) => {
          this.#waiting.delete(resolve);
          if (value === undefined) this.#settle();
          resolve(value === undefined ? done : { done: false, value });
        },
        (error: unknown) => {
          this.#waiting.delete(resolve);
          this.#settle();
          this.#closeSource();
          resolve({ done: false, value: { errors: [this.mask.thrown(error)] } });
        },
      );
    });
  }

  /** Ends the subscription as at the end of its events. */
  end(): void {
    this.#settle();
    this.#closeSource();
  }

  async return(): Promise<Step> {
    this.end();
    return done;
  }

  async throw(error: unknown): Promise<Step> {
    this.end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #execute(): Promise<ExecutionResult | undefined> {
    const step = await this.#events.next();
    if (step.done === true) return undefined;
    const args = { ...this.args, rootValue: step.value };
    const result = await runWithin({ timeout: this.timeout }, () => execute(args));
    return this.mask.result(result, this.args);
  }

  #settle(): void {
    this.#hasEnded = true;
    for (const resolve of this.#waiting) resolve(done);
    this.#waiting.clear();
    this.onEnd(this);
  }

  /** The source may still be busy with an event; its result and its failure are ignored. */
  #closeSource(): void {
    new Promise((resolve) => resolve(this.#events.return?.())).catch(() => undefined);
  }
}
