import type { ExecutionResult } from 'graphql';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';

/** A subscription in process. */
export interface Subscriber {
  /** The next result, as JSON; undefined when the subscription has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
  next(): Promise<any>;
  /** Goes away. */
  stop(): Promise<void>;
}

/** Subscribes in process. */
export async function subscribe(
  // biome-ignore lint/suspicious/noExplicitAny: whatever the context, the test gives it.
  server: GqlServer<any>,
  query: string,
  variables?: Record<string, unknown>,
  context?: unknown,
): Promise<Subscriber> {
  const started = await server.subscribe({ query, variables }, context);
  if (!(Symbol.asyncIterator in started)) throw new Error(JSON.stringify(started));
  return subscriberOf(started);
}

function subscriberOf(results: AsyncGenerator<ExecutionResult, void, void>): Subscriber {
  return {
    async next() {
      const { done, value } = await results.next();
      return done ? undefined : JSON.parse(JSON.stringify(value));
    },
    async stop() {
      await results.return();
    },
  };
}

/** What comes first: a value, or that nothing has come for a moment. */
export async function orNothing<T>(promise: Promise<T>, milliseconds = 30): Promise<T | 'nothing'> {
  let timer: NodeJS.Timeout | undefined;
  const nothing = new Promise<'nothing'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'nothing');
  });
  const first = await Promise.race([promise, nothing]);
  clearTimeout(timer);
  return first;
}
