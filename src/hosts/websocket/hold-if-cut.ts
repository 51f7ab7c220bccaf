import type { ExecutionResult } from 'graphql';
import type { PlacedResults } from '../../execute/subscriptions/event-id.js';

type Results = AsyncGenerator<ExecutionResult, void, void>;

/**
 * Results that do not end when the server cuts them, but when their connection is closed: the message `complete` would tell
 * the client not to subscribe again.
 */
export function holdIfCut(
  started: (Results & PlacedResults) | ExecutionResult,
): AsyncGenerator<ExecutionResult, void, void> | ExecutionResult {
  if (!(Symbol.asyncIterator in started)) return started;
  const done = { done: true as const, value: undefined };
  let close: () => void = () => undefined;
  const closed = new Promise<typeof done>((resolve) => {
    close = () => resolve(done);
  });
  return {
    async next() {
      const step = await started.next();
      return step.done === true && started.isCut === true ? closed : step;
    },
    return() {
      close();
      return started.return();
    },
    throw(error) {
      close();
      return started.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  } as Results;
}
