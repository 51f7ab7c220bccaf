import { randomUUID } from 'node:crypto';
import { activeTraceparent } from '../../base/tracing/trace-context.js';
import type { EventCarrier, HubListener } from './event-hub.js';
import { EventLog } from './event-log.js';
import type { KeptEvent } from './log-pages.js';

/** The limits of the events that a server keeps, for {@link memoryEvents}. */
export interface MemoryEventsOptions {
  /** How many events are kept, at most 16 MiB of them. Default: 10000. */
  readonly maxLength?: number;
  /** How long an event is kept, in milliseconds. Default: unlimited. */
  readonly maxAge?: number;
  /** The number of partitions of the events, a power of two up to 64. Default: 1. */
  readonly partitions?: number;
}

/** Events that stay in their process. {@link memoryEvents} makes it. */
export class MemoryEvents {
  /** @internal */
  constructor(readonly options: MemoryEventsOptions) {}
}

/**
 * Keeps the last events in the memory of the server, which is the default. They are lost when it ends, and no other
 * process gets them.
 *
 * @example
 * ```ts
 * import { createGqlServer, memoryEvents } from 'gg-svc';
 *
 * const server = createGqlServer({ topologies: ['service.gg'], events: memoryEvents({ maxLength: 1_000 }) });
 * ```
 */
export function memoryEvents(options: MemoryEventsOptions = {}): MemoryEvents {
  return new MemoryEvents(options);
}

/** The maximum size of all kept events, by an estimate. */
const mostBytes = 16 * 1024 * 1024;

interface Kept {
  readonly event: KeptEvent;
  readonly bytes: number;
  /** By `performance.now()`, which no one sets back. */
  readonly keptAt: number;
}

/** Carries events in this process, and keeps the last ones. */
export function carryInMemory({ options }: MemoryEvents): EventCarrier {
  const { maxAge = Number.POSITIVE_INFINITY, partitions = 1 } = options;
  const maxLength = Math.ceil((options.maxLength ?? 10_000) / partitions);
  const maxBytes = mostBytes / partitions;
  let name: string | undefined;
  /** Made when a request first needs it: workers have no random values while they start. */
  const logName = (): string => {
    name ??= randomUUID();
    return name;
  };
  /** The receipts of the kept events to which their publisher gave an id. */
  const receipts = new Map<string, string>();
  const followers = new Map<string, HubListener>();
  /** Those before `start` are gone. */
  let kept: (Kept | undefined)[] = [];
  let start = 0;
  let dropped = 0;
  let bytes = 0;

  const dropOld = (): void => {
    const oldest = performance.now() - maxAge;
    for (let first = kept[start]; first !== undefined; first = kept[start]) {
      if (kept.length - start <= maxLength && bytes <= maxBytes && first.keptAt >= oldest) break;
      bytes -= first.bytes;
      if (first.event.id !== undefined) receipts.delete(first.event.id);
      kept[start] = undefined;
      start += 1;
      dropped += 1;
    }
    if (start < 1_000 || start * 2 < kept.length) return;
    kept = kept.slice(start);
    start = 0;
  };
  const lastNumber = (): number => dropped + kept.length - start;

  const log = new EventLog({
    name: 'memory',
    isLocal: true,
    read(after, most) {
      dropOld();
      const skipped = Math.max(0, after - dropped);
      const page = kept.slice(start + skipped, start + skipped + most) as Kept[];
      const before = dropped + skipped;
      const events = page.map(({ event }, at): KeptEvent => {
        return { ...event, position: { log: logName(), sequence: before + at + 1 } };
      });
      const last = lastNumber();
      return { log: logName(), last, reached: Math.min(last, before + events.length), events };
    },
    valueOf: ({ payload }) => payload,
    latest() {
      return { log: logName(), sequence: lastNumber(), id: kept.at(-1)?.event.id };
    },
  });
  return {
    log,
    publish(subscription, payload, id) {
      const receipt = id === undefined ? undefined : receipts.get(id);
      if (receipt !== undefined) return receipt;
      const copy = tryToCopy(payload);
      const storedAt = Date.now();
      const traceparent = activeTraceparent();
      const event = { id, subscription, payload: copy.value, storedAt, traceparent };
      kept.push({ event, bytes: copy.bytes, keptAt: performance.now() });
      bytes += copy.bytes;
      const place = log.placeOfEvent({ log: logName(), sequence: lastNumber() }, id, storedAt);
      if (id !== undefined) receipts.set(id, place.id);
      dropOld();
      followers.get(subscription)?.event(payload, place, traceparent);
      return place.id;
    },
    follow(subscription, listener) {
      followers.set(subscription, listener);
      return () => followers.delete(subscription);
    },
    opening: () => undefined,
  };
}

/** Reading an object may run code that throws; subscribers get the error. */
function tryToCopy(payload: unknown): ReturnType<typeof copyOf> {
  try {
    return copyOf(payload);
  } catch {
    return { value: payload, bytes: opaqueBytes };
  }
}

/** The depth to which an event is copied. */
const maxDepth = 32;

/** Copies the plain data of an event, which its publisher may change. The size is an estimate. */
function copyOf(value: unknown, depth = 0): { readonly value: unknown; readonly bytes: number } {
  if (typeof value === 'string') return { value, bytes: 16 + value.length * 2 };
  if (typeof value !== 'object' || value === null || depth > maxDepth) return { value, bytes: 8 };
  if (value instanceof Date) return { value: new Date(value), bytes: 16 };
  let bytes = 32;
  const copied = (member: unknown): unknown => {
    const copy = copyOf(member, depth + 1);
    bytes += copy.bytes;
    return copy.value;
  };
  if (Array.isArray(value)) return { value: value.map(copied), bytes };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return { value, bytes: opaqueBytes };
  const members = Object.entries(Object.getOwnPropertyDescriptors(value));
  if (members.some(([, { get }]) => get !== undefined)) return { value, bytes: opaqueBytes };
  const copy: object = Object.create(prototype);
  for (const [name, descriptor] of members) {
    bytes += 8 + name.length;
    Object.defineProperty(copy, name, { ...descriptor, value: copied(descriptor.value) });
  }
  return { value: copy, bytes };
}

/** The estimated size of an object that is not copied. */
const opaqueBytes = 1_024;
