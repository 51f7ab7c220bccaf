import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { runWithin } from '../../limits/deadline.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { eventRoot } from '../resolvers/operation-root.js';
import { EndableResults } from './endable-results.js';

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

  protected ended(): void {
    this.onEnd(this);
  }

  /** The source may still be busy with an event; its result and its failure are ignored. */
  protected closeSource(): void {
    new Promise((resolve) => resolve(this.#events.return?.())).catch(() => undefined);
  }
}
