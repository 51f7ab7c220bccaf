import type { GraphQLField } from 'graphql';
import type { EventHub } from '../../brokers/event-hub.js';
import type { FieldResolver } from '../resolvers/default-resolvers.js';
import { eventsLost, type ForkSource, type ForkStep, openFork } from './fork-source.js';

/**
 * Merges the events of a subscription's FORK edges with those of its own source. The arguments filter both. The
 * source has backpressure: the next event is requested after the last one was executed. Events of mutations have no
 * backpressure and wait in a queue of limited length.
 */
export function joinEvents(
  hub: EventHub,
  field: GraphQLField<unknown, unknown>,
  subscribe: FieldResolver,
): FieldResolver {
  return async (parent, args, context, info) => {
    // The listener is added before the source is opened, so that no event is lost.
    const fork = await openFork(hub, field, args, info);
    try {
      const source = (await subscribe(parent, args, context, info)) as AsyncIterable<unknown>;
      return new JoinedEvents(source[Symbol.asyncIterator](), fork, context);
    } catch (error) {
      void fork.return();
      throw error;
    }
  };
}

type Arrival =
  | { readonly from: 'source'; readonly step: IteratorResult<unknown> }
  | { readonly from: 'fork'; readonly step: IteratorResult<ForkStep, void> }
  | { readonly from: 'failure'; readonly error: unknown };

const done = { done: true as const, value: undefined };

class JoinedEvents implements AsyncIterableIterator<unknown, void> {
  readonly #asked = { source: false, fork: false };
  #arrivals: Arrival[] = [];
  #wake: () => void = () => undefined;
  #isOpen = true;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly source: AsyncIterator<unknown>,
    private readonly fork: ForkSource,
    private readonly context: unknown,
  ) {}

  next(): Promise<IteratorResult<unknown, void>> {
    const next = this.#last.then(() => this.#step());
    this.#last = next.catch(() => undefined);
    return next;
  }

  async return(): Promise<IteratorResult<unknown, void>> {
    this.#close();
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #step(): Promise<IteratorResult<unknown, void>> {
    while (this.#isOpen) {
      const arrival = this.#arrivals.shift();
      if (arrival === undefined) {
        this.#ask();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (arrival.from === 'failure') {
        this.#close();
        throw arrival.error;
      } else {
        this.#asked[arrival.from] = false;
        if (arrival.step.done === true) {
          this.#close();
        } else {
          const event = arrival.from === 'fork' ? this.#eventOf(arrival.step.value) : arrival.step.value;
          if (await this.#isMeant(event)) return { done: false, value: event };
        }
      }
    }
    return done;
  }

  /** Each source has at most one open request. */
  #ask(): void {
    const arrived = (arrival: Arrival): void => {
      this.#arrivals.push(arrival);
      this.#wake();
    };
    const failed = (error: unknown): void => arrived({ from: 'failure', error });
    if (!this.#asked.source) {
      this.#asked.source = true;
      this.source.next().then((step) => arrived({ from: 'source', step }), failed);
    }
    if (!this.#asked.fork) {
      this.#asked.fork = true;
      this.fork.next().then((step) => arrived({ from: 'fork', step }), failed);
    }
  }

  #eventOf(step: ForkStep): unknown {
    if (step !== 'overflow' && 'payload' in step) return step.payload;
    this.#close();
    throw step === 'overflow' ? this.fork.tooSlow() : eventsLost(step.missing);
  }

  /** An error of a source fails all subscribers. */
  async #isMeant(event: unknown): Promise<boolean> {
    const { filter } = this.fork;
    return filter === undefined || event instanceof Error || (await filter(event, this.context));
  }

  #close(): void {
    this.#isOpen = false;
    this.#arrivals = [];
    this.#wake();
    void this.fork.return();
    this.source.return?.().then(undefined, () => undefined);
  }
}
