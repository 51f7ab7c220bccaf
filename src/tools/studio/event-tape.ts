import { defined } from '../../base/values/defined.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { maxRecorded } from '../../runtime/http/telemetry/recorded-size.js';
import type { PublishedEvent } from './protocol.js';
import { shownBody } from './redact-call.js';

export const keptEvents = 200;

interface TapeEntry extends Pick<PublishedEvent, 'id' | 'subscription' | 'at'> {
  /** The payload as JSON; undefined if it is too large or has no JSON form. */
  readonly text: string | undefined;
  /** A payload that is an object reaches the subscribers of this process as it is. */
  readonly object: WeakRef<object> | undefined;
  deliveredTo: number;
  problem: string | undefined;
}

export class EventTape {
  #entries: TapeEntry[] = [];
  readonly #changed = new Set<TapeEntry>();
  readonly #prefix = Date.now().toString(36);
  #count = 0;

  /** Adds an event. Returns a function that takes why it was refused. */
  add(subscription: string, payload: unknown, problem: string | undefined): (reason: string) => void {
    this.#count += 1;
    const id = `${this.#prefix}-${this.#count}`;
    const at = Date.now();
    const object = isObject(payload) ? new WeakRef(payload) : undefined;
    const entry: TapeEntry = { id, subscription, at, text: jsonOf(payload), object, deliveredTo: 0, problem };
    this.#entries.push(entry);
    if (this.#entries.length > keptEvents) this.#changed.delete(this.#entries.shift() as TapeEntry);
    this.#changed.add(entry);
    return (reason) => {
      entry.problem = reason;
      if (this.#entries.includes(entry)) this.#changed.add(entry);
    };
  }

  /** Counts subscribers that have got an event. An event of another process is not on the tape. */
  deliver(subscription: string, payload: unknown, subscribers: number): void {
    const candidates = this.#entries.filter((one) => one.subscription === subscription);
    let entry = isObject(payload) && candidates.findLast((one) => one.object?.deref() === payload);
    if (!entry) {
      const text = jsonOf(payload);
      entry = candidates.findLast((one) => one.text === text);
    }
    if (entry === undefined) return;
    entry.deliveredTo += subscribers;
    this.#changed.add(entry);
  }

  /** Marks all events as changed, for a page that has connected. */
  touch(): void {
    for (const entry of this.#entries) this.#changed.add(entry);
  }

  /** The events that were added or have changed since the last call, the oldest first. */
  take(): readonly PublishedEvent[] {
    const taken = [...this.#changed].sort((one, other) => one.at - other.at);
    this.#changed.clear();
    return taken.map(shown);
  }

  /** The payload of an event as it was published; undefined without one. */
  payloadOf(id: string): { readonly subscription: string; readonly payload: unknown } | undefined {
    const { subscription = '', text } = this.#entries.find((one) => one.id === id) ?? {};
    return text === undefined ? undefined : { subscription, payload: JSON.parse(text) };
  }
}

function shown({ text, object: _, ...event }: TapeEntry): PublishedEvent {
  const body = text && shownBody(text, [], 2 * maxRecorded);
  return defined({ ...event, payload: body === undefined ? undefined : (JSON.parse(body) as JsonValue) });
}

function jsonOf(payload: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(payload);
    return text !== undefined && text.length <= maxRecorded ? text : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
