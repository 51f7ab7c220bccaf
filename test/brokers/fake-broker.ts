import {
  type BrokerEvent,
  type BrokerListener,
  beforeFirst,
  type EventBroker,
  type EventPosition,
} from '../../src/brokers/broker.js';
import { createBroker } from '../../src/brokers/connected-broker.js';

/** A log in memory with as many connections as one likes, which can do all that a broker does to its clients. */
export class FakeLog {
  /** @param key - What distinguishes it from the logs of other services. */
  constructor(private readonly key = 'events') {}

  /** The events that are kept. */
  events: { readonly event: BrokerEvent; readonly sequence: number }[] = [];
  isUp = true;
  /** The number of batches that are stored, and whose acknowledgement is lost with the connection. */
  lostAcknowledgements = 0;
  /** Whether it stores an event once that is sent twice. */
  knowsIds = true;
  /** Whether what is sent is never answered. */
  isMute = false;
  /** The calls of `send` so far. */
  sent = 0;
  /** Called before and after a page is read. */
  delay: () => Promise<void> | undefined = () => undefined;
  #name = 'one';
  #sequence = 0;
  readonly #losses = new Set<(reason: unknown) => void>();
  readonly #readers = new Set<() => void>();

  /** A broker over this log, for one process. */
  broker(timeout = 2_000): EventBroker {
    return createBroker(
      {
        name: 'fake',
        log: this.key,
        connect: async (lost) => {
          if (!this.isUp) throw new Error('refused');
          this.#losses.add(lost);
          let isOpen = true;
          return {
            maxBytes: 1_000,
            send: (events) => this.#send(events),
            listen: async (from, listener) => {
              const last = { log: this.#name, sequence: this.#sequence };
              const start = from === undefined ? last : from.log === this.#name ? from : beforeFirst;
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
                  await deliver(listener, next, this.#name);
                }
                isReading = false;
              };
              this.#readers.add(read);
              void read();
              return start;
            },
            read: async (after, most) => {
              await this.delay();
              const kept = this.events.filter(({ sequence }) => sequence > after).slice(0, most);
              const page = {
                log: this.#name,
                last: this.#sequence,
                reached: kept.length < most ? this.#sequence : (kept.at(-1)?.sequence ?? 0),
                events: kept.map(({ event, sequence }) => ({
                  ...event,
                  position: { log: this.#name, sequence },
                })),
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

  /** Loses the last events, as a broker that had not written them to its disk. */
  rewind(count: number): void {
    this.events = this.events.slice(0, -count);
    this.#sequence -= count;
  }

  /** Stores an event as another program would. */
  store(event: BrokerEvent): void {
    this.#sequence += 1;
    this.events.push({ event, sequence: this.#sequence });
    for (const read of this.#readers) read();
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
    const positions = events.map((event) => ({ log: this.#name, sequence: this.#storeOnce(event) }));
    if (this.lostAcknowledgements === 0) return positions;
    this.lostAcknowledgements -= 1;
    throw new Error('no acknowledgement');
  }
}

function deliver(
  listener: BrokerListener,
  { event, sequence }: FakeLog['events'][number],
  log: string,
): Promise<void> | undefined {
  return listener.event({ ...event, position: { log, sequence } });
}

/** What a listener has taken: payloads, gaps and log lines. */
export class Heard implements BrokerListener {
  readonly payloads: string[] = [];
  readonly gaps: (number | undefined)[] = [];
  readonly lines: string[] = [];

  event({ payload }: BrokerEvent): undefined {
    this.payloads.push(payload);
  }

  gap(missing: number | undefined): void {
    this.payloads.push(`gap of ${missing}`);
    this.gaps.push(missing);
  }

  log(line: string): void {
    this.lines.push(line);
  }
}
