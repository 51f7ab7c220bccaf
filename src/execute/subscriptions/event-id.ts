import type { ExecutionResult } from 'graphql';

const ids = new WeakMap<ExecutionResult, string>();

/** The id of the event that a result of a subscription comes from; undefined if no log keeps the event. */
export function eventIdOf(result: ExecutionResult): string | undefined {
  return ids.get(result);
}

/** Gives a result the id of its event. Subscribers that share a result share its id. */
export function setEventId(result: ExecutionResult, id: string): void {
  ids.set(result, id);
}
