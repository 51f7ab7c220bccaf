import { isPromiseLike } from '../../base/values/maybe-promise.js';
import { runUntil } from '../../base/values/run-until.js';
import type {
  BrokerEvent,
  BrokerListener,
  BrokerLog,
  BrokerState,
  DeliveredEvent,
  EventBroker,
  EventPosition,
  LogPage,
  SharedLog,
  SharedStatement,
} from './broker.js';
import { identify, LogPlace } from './log-place.js';
import { isLossMark, LossMark, markDistance } from './loss-mark.js';
import { type EventSender, notPublished, OutgoingEvents } from './outgoing-events.js';

/** Connects to a broker. What it needs to know of the broker is in its file; the rest is here. */
export interface BrokerDriver {
  readonly name: string;
  /** The name of the stream or table that keeps the events. Absent on a broker that keeps none. */
  readonly log?: string;
  /** See {@link EventBroker.shared}. The positions of events are in the rows of the statement. */
  readonly shared?: Pick<SharedLog, 'url'> & {
    statementOf(events: readonly BrokerEvent[]): Omit<SharedStatement, 'committed'> | undefined;
    /** Takes the rows of the statement after the commit. Returns the positions of the events, by their ids. */
    committed(rows: readonly unknown[]): ReadonlyMap<string, EventPosition>;
  };
  /**
   * Opens a connection.
   *
   * @param lost - To be called when the connection has broken.
   */
  connect(lost: (reason: unknown) => void): Promise<BrokerConnection>;
}

export interface BrokerConnection extends EventSender {
  /**
   * Delivers the events after a position, which the log has, or those from now on, in the order of the log. It reads on
   * when the listener is ready for more.
   *
   * @returns The position where it begins; undefined if the broker keeps no events.
   */
  listen(from: EventPosition | undefined, listener: BrokerListener): Promise<EventPosition | undefined>;
  /** See {@link BrokerLog.read}; absent on a broker that keeps no events. */
  read?(after: number, most: number): Promise<LogPage>;
  close(): Promise<void>;
}

/** How long an event may wait for its acknowledgement, in milliseconds. */
const defaultTimeout = 5_000;

/** How long connecting may take, and listening on a new connection, in milliseconds. */
const connectTimeout = 10_000;

/** How often a read of the log is tried on open connections. A connection that breaks is not counted. */
const readAttempts = 5;

/** How often a process looks whether the log still has its last event, in milliseconds. */
const checkInterval = 5_000;

/** The pauses between attempts to connect, in milliseconds. Each is shortened at random by up to a half. */
const pauses = { first: 50, most: 2_000 };

/** The number of ids that are remembered, to drop events that a broker delivers again. */
const recentIds = 10_000;

/** A broker over a driver, which connects and publishes again, drops repeated events and reports missing ones. */
export class ConnectedBroker implements EventBroker {
  readonly name: string;
  readonly log: BrokerLog | undefined;
  readonly shared: SharedLog | undefined;
  /** The positions of events that transactions have committed, until they are published. */
  readonly #committed = new Map<string, EventPosition>();
  /** One page is read at a time, so that readers of a long backlog do not delay what is published. */
  #reads: Promise<unknown> = Promise.resolve();
  readonly #outgoing: OutgoingEvents;
  #running: Promise<void> | undefined;
  #connection: BrokerConnection | undefined;
  /** Aborted when the connection, or the attempt to connect, has failed. */
  #attempt = new AbortController();
  /** Wakes the readers that wait for a connection, or when the broker is closed. */
  #readers: (() => void)[] = [];
  #listener: BrokerListener | undefined;
  #listening: { resolve(start: EventPosition | undefined): void; reject(error: Error): void } | undefined;
  readonly #place = new LogPlace();
  /** The number of events that the listener takes at the moment. */
  #delivering = 0;
  /** Whether events were lost, which the listener does not know yet. */
  #hasLost = false;
  readonly #mark = new LossMark((event) => this.publish(event));
  readonly #recent = new Set<string>();
  #status: BrokerState['status'] = 'connecting';
  #since = performance.now();
  #isClosed = false;
  /** Aborted when the broker is closed and nothing is left to publish. */
  readonly #end = new AbortController();
  #lastReason = '';

  constructor(
    private readonly driver: BrokerDriver,
    private readonly timeout: number = defaultTimeout,
  ) {
    this.#outgoing = new OutgoingEvents(timeout, (error) => {
      // A lost connection has its own line.
      if (this.#attempt.signal.aborted) return false;
      this.#log('does not take events', error);
      // The stream or table may be gone.
      void this.#check();
      return true;
    });
    this.name = driver.name;
    this.log = driver.log === undefined ? undefined : { name: `${driver.name} ${driver.log}`, read: this.#page };
    const { shared } = driver;
    this.shared = shared && {
      url: shared.url,
      statementsOf: (events) => {
        const statement = shared.statementOf(events);
        const committed = (rows: readonly unknown[]): void => {
          for (const [id, position] of shared.committed(rows)) this.#committed.set(id, position);
        };
        return statement && [{ ...statement, committed }];
      },
    };
  }

  get state(): BrokerState {
    const { refusedSince } = this.#outgoing;
    const isRefusing = this.#status === 'connected' && refusedSince !== undefined;
    return {
      status: isRefusing ? 'refusing' : this.#status,
      duration: Math.round(performance.now() - (isRefusing ? refusedSince : this.#since)),
    };
  }

  publish(event: BrokerEvent): Promise<EventPosition | undefined> {
    const committed = this.#committed.get(event.id);
    if (committed !== undefined) {
      this.#committed.delete(event.id);
      this.#place.published({ ...committed, id: event.id });
      return Promise.resolve(committed);
    }
    if (this.#isClosed) return Promise.reject(notPublished('the server is shutting down'));
    this.#running ??= this.#run();
    return this.#outgoing.add(event);
  }

  listen(listener: BrokerListener): Promise<EventPosition | undefined> {
    if (this.#listener !== undefined || this.#isClosed) {
      return Promise.reject(new Error('An event broker belongs to one server: make one for each.'));
    }
    this.#listener = listener;
    const listening = new Promise<EventPosition | undefined>((resolve, reject) => {
      this.#listening = { resolve, reject };
    });
    if (this.#running === undefined) this.#running = this.#run();
    else this.#attempt.abort(new Error('a listener was added'));
    return listening;
  }

  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#listening?.reject(new Error('The event broker was closed.'));
      for (const wake of this.#readers.splice(0)) wake();
      this.#mark.cancel();
      await this.#outgoing.idle();
      this.#attempt.abort(closed);
      this.#end.abort();
    }
    await this.#running;
  }

  /** Ends when the broker is closed and nothing is left to publish. */
  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#isDone()) {
      const attempt = new AbortController();
      attempt.signal.addEventListener('abort', () => {
        // Nothing more is sent: what was not sent before is certainly not stored.
        if (this.#attempt === attempt) this.#outgoing.sender = undefined;
      });
      this.#attempt = attempt;
      try {
        await this.#connect(attempt);
        failures = 0;
        const checking = setInterval(() => void this.#check(true), checkInterval);
        const end = within(Number.POSITIVE_INFINITY, forever, attempt.signal);
        await end.finally(() => clearInterval(checking));
      } catch (error) {
        this.#log(this.#connection ? 'has lost its connection' : 'cannot be reached', error);
      }
      await this.#disconnect();
      if (this.#isDone()) return;
      const pause = Math.min(pauses.first * 2 ** failures, pauses.most) * (1 - Math.random() / 2);
      failures += 1;
      await within(pause, forever, this.#end.signal).catch(() => undefined);
    }
  }

  #isDone(): boolean {
    return this.#isClosed && this.#outgoing.isIdle;
  }

  async #connect(attempt: AbortController): Promise<void> {
    const lost = attempt.signal;
    const opening = this.driver.connect((reason) => attempt.abort(reason));
    // A connection that opens too late is closed.
    const connection = await within(connectTimeout, () => opening, lost).catch((error) => {
      opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    });
    try {
      if (!this.#isClosed) await within(connectTimeout, () => this.#listenOn(connection, attempt), lost);
    } catch (error) {
      connection.close().catch(() => undefined);
      throw error;
    }
    this.#connection = connection;
    this.#status = 'connected';
    this.#since = performance.now();
    if (this.#lastReason !== '') this.#listener?.log(`The event broker ${this.name} is connected.`);
    this.#lastReason = '';
    // A connection that does not answer is given up.
    const send: EventSender['send'] = async (events) => {
      try {
        const positions = await within(this.timeout / 2, () => connection.send(events), lost);
        for (const [at, { id }] of events.entries()) {
          const position = positions?.[at];
          if (position !== undefined) this.#place.published({ ...position, id });
        }
        return positions;
      } catch (error) {
        if (error instanceof NoAnswer) attempt.abort(error);
        throw error;
      }
    };
    this.#outgoing.sender = { maxBytes: connection.maxBytes, send };
    this.#listening?.resolve(this.#place.given);
    this.#listening = undefined;
    for (const wake of this.#readers.splice(0)) wake();
  }

  readonly #page: BrokerLog['read'] = (after, most) => {
    const page = this.#reads.then(() => this.#read(after, most));
    this.#reads = page.catch(() => undefined);
    return page;
  };

  /** Waits for a connection, and reads again on the next one if it breaks. */
  async #read(after: number, most: number): Promise<LogPage> {
    for (let failures = 0; ; ) {
      if (this.#isClosed) throw new Error('The event broker was closed.');
      const { read } = this.#connection ?? {};
      const attempt = this.#attempt;
      if (read === undefined) {
        await new Promise<void>((resolve) => this.#readers.push(resolve));
        continue;
      }
      try {
        return await within(this.timeout, () => read(after, most), attempt.signal);
      } catch (error) {
        if (error instanceof NoAnswer) attempt.abort(error);
        else if (!attempt.signal.aborted && ++failures >= readAttempts) throw error;
        // A command may fail before its connection is known to be lost.
        await new Promise((resolve) => setTimeout(resolve, pauses.first));
      }
    }
  }

  async #disconnect(): Promise<void> {
    this.#outgoing.sender = undefined;
    if (this.#connection === undefined) return;
    const closing = this.#connection.close();
    this.#connection = undefined;
    this.#status = 'reconnecting';
    this.#since = performance.now();
    await within(connectTimeout, () => closing).catch(() => undefined);
  }

  /** Gives up a connection on which the log cannot be read, has lost the place of the process, or is not delivered. */
  async #check(isRegular = false): Promise<void> {
    const { read } = this.#connection ?? {};
    const attempt = this.#attempt;
    if (read === undefined) return;
    try {
      const isKept = await within(this.timeout, () => this.#place.isKept(read), attempt.signal);
      if (!isKept) attempt.abort(new Error('it has lost events'));
      else if (isRegular && this.#place.hasStopped(this.#delivering > 0))
        attempt.abort(new Error('it delivers no events'));
    } catch (error) {
      attempt.abort(error);
    }
  }

  async #listenOn(connection: BrokerConnection, attempt: AbortController): Promise<void> {
    if (this.#listener === undefined) return;
    const listener = this.#listener;
    const place = this.#place;
    const { read } = connection;
    // A late event of an earlier connection is ignored: the next one delivers it, too.
    const isCurrent = (): boolean => this.#attempt === attempt && !this.#isClosed;
    if (read !== undefined && !(await place.isKept(read))) {
      this.#hasLost = true;
      place.beginAt(undefined);
    }
    const from = place.given;
    const hasLost = this.#hasLost;
    this.#mark.begin();
    const start = await connection.listen(from, {
      event: (event) => (isCurrent() ? this.#deliver(listener, event) : undefined),
      gap: (missing) => (isCurrent() ? this.#reportGap(listener, missing) : undefined),
      log: (message) => listener.log(message),
    });
    if (start === undefined || read === undefined) return;
    const recent = hasLost && (await read(Math.max(0, start.sequence - markDistance), markDistance));
    const begin = from === undefined ? await identify(start, read) : { ...start, id: from.id };
    // An event that came already has set the position.
    if (place.given === from) place.given = begin;
    if (!recent) return;
    this.#reportLoss(listener);
    if (!recent.events.some(isLossMark)) this.#mark.make();
  }

  #deliver(listener: BrokerListener, event: DeliveredEvent): Promise<void> | undefined {
    const { id } = event;
    const isKnown = this.#recent.has(id);
    const missing = this.#place.take(event, isKnown);
    if (missing === 'repeated') return undefined;
    if (missing === 'lost') {
      this.#place.beginAt(event.position && { ...event.position, id });
      this.#hasLost = true;
      this.#mark.make();
    }
    if (isLossMark(event) && this.#mark.take(event)) this.#hasLost = true;
    this.#reportLoss(listener);
    if (typeof missing === 'number' && missing > 0) this.#reportGap(listener, missing);
    if (isKnown) return undefined;
    this.#recent.add(id);
    if (this.#recent.size > recentIds) this.#recent.delete(this.#recent.values().next().value as string);
    const taking = listener.event(event);
    if (!isPromiseLike(taking)) return undefined;
    this.#delivering += 1;
    const taken = (): void => {
      this.#delivering -= 1;
    };
    taking.then(taken, taken);
    return taking;
  }

  #reportLoss(listener: BrokerListener): void {
    if (!this.#hasLost) return;
    this.#hasLost = false;
    this.#reportGap(listener, undefined);
  }

  #reportGap(listener: BrokerListener, missing: number | undefined): void {
    this.#listener?.log(`The event broker ${this.name} no longer has ${missing ?? 'some'} events: they are missing.`);
    listener.gap(missing);
  }

  /** Logs each reason once in a row, because attempts are repeated. */
  #log(what: string, error: unknown): void {
    if (error === closed) return;
    const reason = `${what}: ${reasonOf(error)}`;
    if (reason === this.#lastReason) return;
    this.#lastReason = reason;
    this.#listener?.log(`The event broker ${this.name} ${reason}.`);
  }
}

/** The reason of a connection that ends because the server shuts down. */
const closed = new Error('closed');

class NoAnswer extends Error {}

const forever = (): Promise<never> => new Promise(() => undefined);

/**
 * Waits for the other side for a limited time.
 *
 * @param lost - Aborted when the connection has broken, which also ends the wait.
 */
async function within<T>(timeout: number, run: () => Promise<T>, lost?: AbortSignal): Promise<T> {
  return runUntil({ timeout, client: lost }, run, (why) =>
    Promise.reject(why === 'timeout' ? new NoAnswer(`no answer within ${timeout} ms`) : lost?.reason),
  );
}

/** Node's errors of several addresses have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).replace(/\.$/, '');
}
