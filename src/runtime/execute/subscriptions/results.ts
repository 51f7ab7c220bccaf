import type { ExecutionResult } from 'graphql';
import type { EventPlace } from '../../brokers/event-log.js';

/** The results of a subscription, which know where they stand in the log of its events, if there is one. */
export interface Results extends AsyncGenerator<ExecutionResult, void, void> {
  readonly waiting?: number;
  /** The id of the last event before the results began; undefined if they began after an id of the client. */
  readonly openingId?: string | undefined;
  /** The id of the last event, if all events up to it that are for the subscriber were taken by it. */
  readonly idleId?: string | undefined;
  /** Resolves when the subscriber has taken all earlier events; undefined if it began with the next event. */
  readonly caughtUp?: Promise<void> | undefined;
  /** Whether the results have ended because the server shuts down, and not by themselves. */
  readonly isCut?: boolean;
}

export type ResultStep = IteratorResult<ExecutionResult, void>;

export const lastStep = { done: true as const, value: undefined };

/** Passes results on. Not an async generator, which cannot be ended while it waits for the next result. */
export class PassedResults implements Results {
  constructor(protected readonly source: Results) {}

  get waiting(): number {
    return this.source.waiting ?? 0;
  }

  get openingId(): string | undefined {
    return this.source.openingId;
  }

  get idleId(): string | undefined {
    return this.source.idleId;
  }

  get caughtUp(): Promise<void> | undefined {
    return this.source.caughtUp;
  }

  get isCut(): boolean {
    return this.source.isCut === true;
  }

  next(): Promise<ResultStep> {
    return this.source.next();
  }

  /** Called when the reader stops before the end; may be called more than once. */
  protected left(): void {}

  return(): Promise<ResultStep> {
    this.left();
    return this.source.return();
  }

  throw(error: unknown): Promise<ResultStep> {
    this.left();
    return this.source.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** The events that the results of subscriptions come from. Subscribers that share a result share its event. */
export const eventsOfResults = new WeakMap<
  ExecutionResult,
  {
    /** Undefined if no log keeps the event. */
    readonly place: EventPlace | undefined;
    /** The span that published the event, as in a `traceparent` header; undefined if it was not traced. */
    readonly traceparent?: string | undefined;
  }
>();

/** An open subscription, or a connection that serves some. */
export interface ServedSubscription {
  /** Called at shutdown: the subscription ends, but is not complete, so that its client continues elsewhere. */
  cut(): void;
  /** The name of the subscription; undefined for a connection. */
  readonly subscription?: string | undefined;
  readonly waiting?: number;
  /** Since when the oldest of them waits, by `performance.now()`. */
  readonly waitingSince?: number | undefined;
}

const texts = new WeakMap<ExecutionResult, string>();

/** A result as JSON. Subscribers that share a result share its text: it is printed once. */
export function printResult(result: ExecutionResult): string {
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(toWire(result));
    texts.set(result, text);
  }
  return text;
}

/** A result without the HTTP status in its errors, which is only for engines. */
export function toWire(result: ExecutionResult): ExecutionResult {
  const { errors } = result;
  if (!errors?.some(({ extensions }) => 'http' in extensions)) return result;
  const shown = errors.map((error) => {
    const { http: _, ...extensions } = error.extensions;
    return { ...error.toJSON(), extensions };
  });
  return { ...result, errors: shown as unknown as ExecutionResult['errors'] & object };
}
