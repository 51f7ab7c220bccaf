const done = { done: true as const, value: undefined };

/**
 * The records of a channel for one subscriber, requested one by one, so that a slow subscriber slows its source. Not an
 * async generator, because a generator that waits for the next record cannot be ended before it arrives.
 */
export function guardRecords(
  records: AsyncIterable<unknown>,
  stop: () => void,
  explain: (error: unknown) => Promise<Error>,
): AsyncIterableIterator<unknown, void> {
  const source = records[Symbol.asyncIterator]();
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    stop();
    // A source that is waiting settles this later; its result no longer matters.
    source.return?.()?.then(undefined, () => undefined);
  };
  return {
    async next() {
      if (hasEnded) return done;
      try {
        const step = await source.next();
        if (hasEnded) return done;
        if (step.done !== true) return { done: false, value: step.value };
        end();
        return done;
      } catch (error) {
        if (hasEnded) return done;
        end();
        throw await explain(error);
      }
    },
    async return() {
      end();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
