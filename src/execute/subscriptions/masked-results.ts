import type { DocumentNode, ExecutionResult } from 'graphql';
import type { ErrorMask } from '../errors/mask-errors.js';

/** The results of a subscription whose events a user's resolver gives, masked. */
export interface MaskedResults extends AsyncGenerator<ExecutionResult, void, void> {
  /** Ends the subscription as if there were no further events. */
  end(): void;
}

/**
 * Masks each result. Not an async generator: one that waits for the next result could not be ended until it
 * comes, and a client that goes away, or a server that does, must end it at once. Where the source fails,
 * the failure is the last result.
 *
 * @param document - What the subscription asks for.
 * @param onEnd - Called when the subscription has ended, whoever ended it; maybe more than once.
 */
export function maskResults(
  results: AsyncGenerator<ExecutionResult, void, void>,
  mask: ErrorMask,
  document: DocumentNode,
  onEnd: () => void,
): MaskedResults {
  const done = { done: true as const, value: undefined };
  const waiting = new Set<(step: IteratorResult<ExecutionResult, void>) => void>();
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    for (const resolve of waiting) resolve(done);
    waiting.clear();
    onEnd();
  };
  const close = (): void => {
    end();
    // The source may still be busy with an event; nobody waits for it, or for what it fails with, any more.
    results.return().catch(() => undefined);
  };
  const masked: MaskedResults = {
    end: close,
    next() {
      if (hasEnded) return Promise.resolve(done);
      return new Promise((resolve) => {
        waiting.add(resolve);
        results.next().then(
          (step) => {
            waiting.delete(resolve);
            if (step.done) end();
            resolve(step.done ? done : { done: false, value: mask.result(step.value, document) });
          },
          (error: unknown) => {
            waiting.delete(resolve);
            end();
            resolve({ done: false, value: { errors: [mask.thrown(error)] } });
          },
        );
      });
    },
    async return() {
      close();
      return done;
    },
    async throw(error) {
      close();
      throw error;
    },
    [Symbol.asyncIterator]: () => masked,
  };
  return masked;
}
