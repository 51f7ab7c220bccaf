import type { WebSocket } from 'ws';

const running = new WeakMap<WebSocket, Set<Promise<unknown>>>();

/** Notes that a query or a mutation of a connection is under way, until it has ended. */
export function noteRunning<Result>(client: WebSocket, operation: Promise<Result>): Promise<Result> {
  const operations = running.get(client) ?? new Set();
  running.set(client, operations.add(operation));
  const forget = (): void => void operations.delete(operation);
  operation.then(forget, forget);
  return operation;
}

/** Resolves when no query or mutation of a connection is under way. */
export async function hasEnded(client: WebSocket): Promise<void> {
  for (let open = running.get(client); open !== undefined && open.size > 0; ) await Promise.allSettled(open);
}
