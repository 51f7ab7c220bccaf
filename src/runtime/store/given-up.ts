import type { AbortableQueryOptions, Transaction } from 'kysely';
import { OperationRoot } from '../execute/resolvers/operation-root.js';
import type { Store, StoreRows } from './store.js';

/** The options of statements that end when their operation is given up. SQLite runs them in the thread of the server. */
export function untilGivenUp(engine: Store['engine'], root: unknown): AbortableQueryOptions | undefined {
  if (engine === 'sqlite' || !(root instanceof OperationRoot)) return undefined;
  return { signal: root.signal };
}

/** Gives all statements of a transaction the same options. */
export function withOptions(
  transaction: Transaction<StoreRows>,
  options: AbortableQueryOptions | undefined,
): void {
  if (options === undefined) return;
  const executor = transaction.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  Object.assign(executor, {
    executeQuery: (query: Parameters<typeof execute>[0]) => execute(query, options),
  });
}
