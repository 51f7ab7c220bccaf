const done = { done: true as const, value: undefined };

/**
 * The records of a channel for one subscriber. Not an async generator: one that waits for the next record
 * could not be ended until it comes. Records are asked for one by one, so a slow subscriber slows his source.
 *
 * @param stop - Tells the source that nobody listens any more; called once.
 * @param explain - Makes the error of the subscription out of what the source failed with.
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
    // A source that waits answers this only later, and what it comes to then is nobody's business.
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
