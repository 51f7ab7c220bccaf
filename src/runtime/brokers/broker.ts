/**
 * Carries events between processes. A broker belongs to one server, which listens to it, publishes to it and closes it.
 * `redisEvents`, `redisStreamEvents`, `natsEvents` and `postgresEvents` make one; a program may bring its own.
 */
export interface EventBroker {
  /** The name in logs and health reports. */
  readonly name: string;
  /** The connection now. */
  readonly state: BrokerState;
  /**
   * Publishes an event.
   *
   * @returns A promise that resolves when the broker has acknowledged the event, with its position if the broker keeps
   * events. An event that was stored before has the position of the first time.
   * @throws {Error} If it did not in time. It may have stored the event nevertheless.
   */
  publish(event: BrokerEvent): Promise<EventPosition | undefined> | Promise<void>;
  /**
   * Listens to the events of all processes, its own included, from now on until `close`. A broker that keeps events
   * continues after its last event when it has lost its connection. There is one listener.
   *
   * @returns A promise that resolves when the first connection listens, and rejects only if `close` comes first. With
   * the position after which the listener gets events, clients can resume before their first event.
   */
  listen(listener: BrokerListener): Promise<EventPosition | undefined> | Promise<void>;
  /** Stops listening, waits for the events that are being published, and closes the connections. */
  close(): Promise<void>;
  /**
   * The log of a broker that keeps events, so that subscribers can continue after an event; absent if it keeps none.
   */
  readonly log?: BrokerLog | undefined;
  /** How a transaction of the same database stores events; absent on a broker without a database. */
  readonly shared?: SharedLog | undefined;
}

/** A log that is a table, so that events are committed with the rows that they tell of. */
export interface SharedLog {
  /** The URL of the database. */
  readonly url: string;
  /**
   * The statements that store events, in the order in which to run them; undefined while a table is not known to exist.
   */
  statementsOf(events: readonly BrokerEvent[]): readonly SharedStatement[] | undefined;
}

/** A statement that stores events. */
export interface SharedStatement {
  /** The text. */
  readonly sql: string;
  /** The values of `$1`, `$2`, … */
  readonly parameters: readonly unknown[];
  /** Takes the rows of the statement after the commit: their events are acknowledged. */
  committed(rows: readonly unknown[]): void;
}

/** The events that a broker keeps. */
export interface BrokerLog {
  /** Distinguishes the log from the logs of other services, whose event ids are refused: `nats gg-svc`. */
  readonly name: string;
  /**
   * Reads the oldest kept events after a position, in the order of the log. It finds each event that was delivered to a
   * listener before the call.
   *
   * @param after - The number of the event before them; 0 to begin with the oldest one.
   * @param most - The maximum number of events.
   */
  read(after: number, most: number): Promise<LogPage>;
}

/** Some events of a log. */
export interface LogPage<Event = DeliveredEvent> {
  /** Identifies the log: see {@link EventPosition}. */
  readonly log: string;
  /** The number of the last event, which may no longer be kept; 0 if there was none yet. */
  readonly last: number;
  /** The number up to which all kept events were read. */
  readonly reached: number;
  /** The events, each with its position. */
  readonly events: readonly Event[];
}

/** An event as brokers carry it. */
export interface BrokerEvent {
  /** Identifies the event: publishing it again does not deliver it again. */
  readonly id: string;
  /** The name of the subscription field. */
  readonly subscription: string;
  /** The value of the field as JSON. */
  readonly payload: string;
  /** The id that the event is about, for a broker with partitions: events with the same key keep their order. */
  readonly key?: string | undefined;
  /** The span that published it, as in a `traceparent` header; absent while tracing is off. */
  readonly traceparent?: string | undefined;
}

/**
 * The subscriptions of events that brokers publish themselves; no schema has such names. `probe` finds out whether events
 * are taken again; `lost` marks the place at which the log came back without events that it had acknowledged.
 */
export const systemEvents = { probe: '__probe', lost: '__lost' } as const;

/** An event that a broker delivers. */
export interface DeliveredEvent extends BrokerEvent {
  /** The id of the event before it in the log; absent if the broker does not tell. */
  readonly previous?: string | undefined;
  /** Its place in the log; undefined if the broker keeps no events. */
  readonly position?: EventPosition;
  /** When the broker stored it, in milliseconds since 1970; absent if the broker does not tell. */
  readonly storedAt?: number | undefined;
}

/** A place in the log of a broker. */
export interface EventPosition {
  /** Identifies the log: another one begins when the broker has lost all events. */
  readonly log: string;
  /** The number of the event in its log. The numbers of a log have no gaps. */
  readonly sequence: number;
}

/** The position before the first event of a log that does not exist yet. */
export const beforeFirst: EventPosition = { log: '', sequence: 0 };

/** Takes what a broker delivers. */
export interface BrokerListener {
  /**
   * Takes an event. Events come in the order of the log, each once.
   *
   * @returns A promise that settles when the next event may come; undefined if it may come at once.
   */
  event(event: DeliveredEvent): Promise<void> | undefined;
  /**
   * Takes the notice that events are missing before the next one, because the broker no longer has them.
   *
   * @param missing - How many; undefined if unknown, because the log is another one, or came back older than it was.
   * Then the events that follow begin at the newest end.
   */
  gap(missing: number | undefined): void;
  /** Takes a line for the log of the server: the connection was lost, or is there again. */
  log(message: string): void;
}

/** The state of a broker's connection. */
export interface BrokerState {
  /**
   * `connecting` before the first connection, `reconnecting` after each later one; `refusing` on a connection on which the
   * broker does not take events.
   */
  readonly status: 'connecting' | 'connected' | 'reconnecting' | 'refusing';
  /** How long it has been so, in milliseconds. */
  readonly duration: number;
}

/** An event was not acknowledged. Its message names no addresses, because clients get it. */
export class EventNotPublishedError extends Error {
  override readonly name = 'EventNotPublishedError';
  /** The code of the error that clients get. */
  readonly code = 'EVENT_NOT_PUBLISHED';

  /**
   * @param mayBeStored - Whether the broker may have stored the event, because only its acknowledgement is missing. Publish
   * the event again with the same id then: it is stored once.
   */
  constructor(
    message: string,
    readonly mayBeStored: boolean,
  ) {
    super(message);
  }
}

/** Whether an object is a broker and not an EventTarget. */
export function isBroker(events: object | null | undefined): events is EventBroker {
  const { publish, listen } = (events ?? {}) as Partial<EventBroker>;
  return typeof publish === 'function' && typeof listen === 'function';
}
