import { OptionError } from '../../base/diagnostics/option-error.js';
import type { Analysis } from '../../compiler/analyze.js';
import { eventFormats } from '../../compiler/api/cloud-event.js';
import { restPrefix } from '../../compiler/schema/server-paths.js';
import type { Caller } from '../auth/caller.js';
import { isBroker } from '../brokers/broker.js';
import type { EventTargetLike } from '../brokers/event-hub.js';
import { MemoryEvents } from '../brokers/memory.js';
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
  const isTopology = Array.isArray(topologies)
    ? topologies.length > 0 && topologies.every(isInput)
    : (topologies as Partial<Analysis> | undefined)?.ir !== undefined;
  if (!isTopology) {
    throw new OptionError(
      'topologies',
      'be a list of paths, globs, URLs or { name, source }, and not empty; or the result of compile()',
    );
  }
  if (resolvers !== undefined && (typeof resolvers !== 'object' || resolvers === null)) {
    throw new OptionError('resolvers', 'be an object: { Query: { field: (parent, args) => … } }');
  }
  const isTarget = typeof (events as Partial<EventTargetLike> | undefined)?.dispatchEvent === 'function';
  if (events !== undefined && !isBroker(events) && !(events instanceof MemoryEvents) && !isTarget) {
    throw new OptionError('events', 'be an EventTarget or a broker, such as redisEvents({ url })');
  }
  const authenticators = [authenticate].flat();
  if (authenticate !== undefined && !(authenticators.length > 0 && authenticators.every(isFunction))) {
    throw new OptionError('authenticate', 'be a function, or a list of functions that is not empty');
  }
  if (eventFormat !== undefined && !eventFormats.includes(eventFormat)) {
    throw new OptionError('eventFormat', `be ${eventFormats.join(' or ')}`);
  }
  if (endpoint === undefined) return;
  const isPath = typeof endpoint === 'string' && /^(\/[\w.~-]+)+$/.test(endpoint);
  if (!isPath || reservedPaths.includes(endpoint)) {
    throw new OptionError('endpoint', `be a path that is not in use, such as /graphql or ${restPrefix}graphql`);
  }
}

export function isFunction<T>(value: T): value is T & ((request: Request, caller: Caller) => unknown) {
  return typeof value === 'function';
}
