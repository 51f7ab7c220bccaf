import type { Cancellation } from '../../base/values/run-until.js';
import { OperationRoot } from '../execute/resolvers/operation-root.js';
import type { Store } from './store.js';

/** Ends statements when their operation is given up. SQLite runs them in the thread of the server. */
export function untilGivenUp(engine: Store['engine'], root: unknown): Cancellation | undefined {
  return engine === 'sqlite' || !(root instanceof OperationRoot) ? undefined : root.cancellation;
}
