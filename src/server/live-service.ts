import type { Execution } from '../execute/execution.js';
import type { Limits } from '../execute/limits/limits.js';

/** What serves subscriptions need of the server that they belong to. */
export interface LiveService {
  /** What runs its operations. Rejects when the topology cannot be served. */
  execution(): Promise<Execution>;
  /** The context that resolvers get. */
  contextFor(request: Request): unknown;
  /** The path of GraphQL. */
  readonly endpoint: string;
  readonly limits: Pick<Limits, 'csrf' | 'body'>;
}

const services = new WeakMap<object, LiveService>();

/** Lets a server, of whatever engine, be found by the one object that its user holds. */
export function registerLiveService(server: object, service: LiveService): void {
  services.set(server, service);
}

/** What stands behind a server; undefined when it is none of ours. */
export function liveServiceOf(server: object): LiveService | undefined {
  return services.get(server);
}

/** Makes a server ready to run operations, where it is one of ours; that it cannot be is told by its first answer. */
export function prepareOperations(server: object): void {
  liveServiceOf(server)
    ?.execution()
    .catch(() => undefined);
}
