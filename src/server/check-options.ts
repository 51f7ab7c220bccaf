import { eventFormats } from '../api/cloud-event.js';
import type { Caller } from '../auth/caller.js';
import { isBroker } from '../brokers/broker.js';
import type { EventTargetLike } from '../brokers/event-hub.js';
import { MemoryEvents } from '../brokers/memory.js';
import { restPrefix } from '../schema/server-paths.js';
import type { GqlServerOptions } from './options.js';
import { reservedPaths } from './resources.js';

/** Checks the options at run time, for programs without type checking. */
export function checkOptions<TContext>(options: GqlServerOptions<TContext>): void {
  const { topologies, resolvers, endpoint, events, eventFormat, authenticate } = options;
  const isInput = (input: unknown): boolean => {
    if (typeof input === 'string') return true;
    const { name, source } = (input ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && typeof source === 'string';
  };
  if (!Array.isArray(topologies) || topologies.length === 0 || !topologies.every(isInput)) {
    throw new TypeError(
      'topologies must be a list of paths, globs, URLs or { name, source }, and not empty.',
    );
  }
  if (resolvers !== undefined && (typeof resolvers !== 'object' || resolvers === null)) {
    throw new TypeError('resolvers must be an object: { Query: { field: (parent, args) => … } }.');
  }
  const isTarget = typeof (events as Partial<EventTargetLike> | undefined)?.dispatchEvent === 'function';
  if (events !== undefined && !isBroker(events) && !(events instanceof MemoryEvents) && !isTarget) {
    throw new TypeError('events must be an EventTarget or a broker, such as redisEvents({ url }).');
  }
  const authenticators = [authenticate].flat();
  if (authenticate !== undefined && !(authenticators.length > 0 && authenticators.every(isFunction))) {
    throw new TypeError('authenticate must be a function, or a list of functions that is not empty.');
  }
  if (eventFormat !== undefined && !eventFormats.includes(eventFormat)) {
    throw new TypeError(`eventFormat must be ${eventFormats.join(' or ')}.`);
  }
  if (endpoint === undefined) return;
  const isPath = typeof endpoint === 'string' && /^(\/[\w.~-]+)+$/.test(endpoint);
  if (!isPath || reservedPaths.includes(endpoint)) {
    throw new TypeError(
      `endpoint must be a path that is not in use, such as /graphql or ${restPrefix}graphql.`,
    );
  }
}

/** Whether an option is a function. */
export function isFunction<T>(value: T): value is T & ((request: Request, caller: Caller) => unknown) {
  return typeof value === 'function';
}
