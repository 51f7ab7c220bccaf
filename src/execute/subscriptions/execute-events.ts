import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { runWithin } from '../limits/deadline.js';

/**
 * Makes a result of each event of a source, as `subscribe` of graphql-js does; but an event that is worked on
 * for too long becomes an error, and the next one has its turn. How long an event is waited for is not limited.
 *
 * @param timeout - How long an event may be worked on, in milliseconds.
 */
export function executeEvents(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  timeout: number,
): AsyncGenerator<ExecutionResult, void, void> {
  const events = source[Symbol.asyncIterator]();
  const done = { done: true as const, value: undefined };
  const results: AsyncGenerator<ExecutionResult, void, void> = {
    async next() {
      const step = await events.next();
      if (step.done === true) return done;
      try {
        const value = await runWithin({ timeout }, () => execute({ ...args, rootValue: step.value }));
        return { done: false, value };
      } catch (error) {
        await events.return?.().catch(() => undefined);
        throw error;
      }
    },
    async return() {
      await events.return?.();
      return done;
    },
    async throw(error) {
      await events.return?.();
      throw error;
    },
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}
