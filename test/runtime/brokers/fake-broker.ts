import {
  type BrokerEvent,
  type BrokerListener,
  type DeliveredEvent,
  type EventBroker,
  type EventPosition,
  systemEvents,
} from '../../../src/runtime/brokers/broker.js';
import { ConnectedBroker } from '../../../src/runtime/brokers/connected-broker.js';

/** A log in memory with as many connections as one likes, which can do all that a broker does to its clients. */
export class FakeLog {
  /** @param key - What distinguishes it from the logs of other services. */
  constructor(readonly key = 'events') {}

  /** The events that are kept. */
  events: { readonly event: BrokerEvent; readonly sequence: number }[] = [];
  isUp = true;
  /** The number of batches that are stored, and whose acknowledgement is lost with the connection. */
  lostAcknowledgements = 0;
  /** Whether it stores an event once that is sent twice. */
  knowsIds = true;
  /** Whether what is sent is never answered. */
  isMute = false;
  /** Whether it refuses what is sent. */
  refuses = false;
  /** Whether the log is gone until a process connects. */
  isDeleted = false;
  /** Whether each event comes with the id of the event before it. */
  tellsPrevious = false;
  /** The connections so far. */
  connections = 0;
  /** The calls of `send` so far. */
  sent = 0;
  /** The calls of `read` so far. */
  reads = 0;
  /** Called before and after a page is read. */
  delay: () => Promise<void> | undefined = () => undefined;
  #name = 'one';
  #sequence = 0;
  readonly #losses = new Set<(reason: unknown) => void>();
  readonly #readers = new Set<() => void>();
  readonly #rewinders = new Set<() => void>();

  /** A broker over this log, for one process. A busy machine must not reach the limit. */
  broker(timeout = 10_000): EventBroker {
    return new ConnectedBroker(
      {
        name: 'fake',
        log: this.key,
        connect: async (lost) => {
          if (!this.isUp) throw new Error('refused');
          this.isDeleted = false;
          this.connections += 1;
          this.#losses.add(lost);
          let isOpen = true;
          return {
            maxBytes: 1_000,
            send: (events) => this.#send(events),
            listen: async (from, listener) => {
              const start = { log: this.#name, sequence: from?.sequence ?? this.#sequence };
              let { sequence } = start;
              let isReading = false;
              const read = async () => {
                if (isReading) return;
                isReading = true;
                await Promise.resolve();
                for (;;) {
                  const next = this.events.find((one) => one.sequence > sequence);
                  if (next === undefined || !isOpen) break;
                  sequence = next.sequence;
                  await listener.event(this.#delivered(next));
                }
                isReading = false;
              };
              this.#readers.add(read);
              this.#rewinders.add(() => {
                sequence = Math.min(sequence, this.#sequence);
              });
              void read();
              return start;
            },
            read: async (after, most) => {
              this.reads += 1;
              await this.delay();
              if (this.isDeleted) throw new Error('the log does not exist');
              const kept = this.events.filter(({ sequence }) => sequence > after).slice(0, most);
              const page = {
                log: this.#name,
                last: this.#sequence,
                reached: kept.length < most ? this.#sequence : (kept.at(-1)?.sequence ?? 0),
                events: kept.map((one) => this.#delivered(one)),
              };
              await this.delay();
              if (!isOpen) throw new Error('gone');
              return page;
            },
            close: async () => {
              isOpen = false;
              this.#losses.delete(lost);
            },
          };
        },
      },
      timeout,
    );
  }

  /** The server goes away, with all connections. */
  stop(): void {
    this.isUp = false;
    for (const lost of [...this.#losses]) lost(new Error('gone'));
    this.#losses.clear();
    this.#readers.clear();
    this.#rewinders.clear();
  }

  start(): void {
    this.isUp = true;
  }

  /** Keeps the last events alone. */
  trim(kept: number): void {
    this.events = this.events.slice(-kept);
  }

  /** Forgets everything, and begins another log. */
  forget(): void {
    this.events = [];
    this.#sequence = 0;
    this.#name += '+';
  }

  /** Is deleted while processes are connected; the next one that connects makes it again. */
  delete(): void {
    this.forget();
    this.isDeleted = true;
  }

  /** Loses the last events, as a broker that had not written them to its disk. */
  rewind(count: number): void {
    this.events = this.events.slice(0, -count);
    this.#sequence -= count;
  }

  /** Goes on with its connections at its end, with numbers that were delivered before. */
  redeliver(): void {
    for (const rewind of this.#rewinders) rewind();
  }

  /** Delivers nothing more on the connections that are open, which stay open. */
  fallSilent(): void {
    this.#readers.clear();
  }

  /** Stores an event as another program would. */
  store(event: BrokerEvent): void {
    this.#sequence += 1;
    this.events.push({ event, sequence: this.#sequence });
    for (const read of this.#readers) read();
  }

  #delivered({ event, sequence }: FakeLog['events'][number]): DeliveredEvent {
    const position = { log: this.#name, sequence };
    const previous = this.events.find((one) => one.sequence === sequence - 1)?.event.id;
    return { ...event, position, ...(this.tellsPrevious && previous !== undefined && { previous }) };
  }

  #storeOnce(event: BrokerEvent): number {
    const known = this.knowsIds && this.events.find(({ event: { id } }) => id === event.id);
    if (known) return known.sequence;
    this.store(event);
    return this.#sequence;
  }

  async #send(events: readonly BrokerEvent[]): Promise<readonly EventPosition[]> {
    this.sent += 1;
    if (this.isMute) return new Promise(() => undefined);
    if (this.refuses || this.isDeleted) throw new Error('events are refused');
    const positions = events.map((event) => ({ log: this.#name, sequence: this.#storeOnce(event) }));
    if (this.lostAcknowledgements === 0) return positions;
    this.lostAcknowledgements -= 1;
    throw new Error('no acknowledgement');
  }
}

/** What a listener has taken: payloads, gaps and log lines. */
export class Heard implements BrokerListener {
  readonly payloads: string[] = [];
  /** The subscriptions of these events. */
  readonly names: string[] = [];
  /** The events of brokers themselves. */
  marks = 0;
  readonly gaps: (number | undefined)[] = [];
  readonly lines: string[] = [];

  /** What the next events wait for. */
  pause: Promise<void> | undefined;

  event({ subscription, payload }: BrokerEvent): Promise<void> | undefined {
    if (subscription === systemEvents.lost || subscription === systemEvents.probe) this.marks += 1;
    else {
      this.payloads.push(payload);
      this.names.push(subscription);
    }
    return this.pause;
  }

  gap(missing: number | undefined): void {
    this.payloads.push(`gap of ${missing}`);
    this.gaps.push(missing);
  }

  log(line: string): void {
    this.lines.push(line);
  }
}
