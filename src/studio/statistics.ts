import type { OperationStatistics } from './protocol.js';

/** The window, in seconds. */
const span = 60;

/** The number of classes of durations: each is 5 % wider than the one before, from 10 µs to more than a minute. */
const classes = 330;
const shortest = 0.01;
const growth = Math.log(1.05);

/** The calls of one second. */
interface Second {
  readonly at: number;
  calls: number;
  errors: number;
  /** The number of calls by the class of their duration. */
  readonly durations: Uint32Array;
}

/** The statistics of one operation over the last minute, in memory that does not depend on the number of calls. */
export class Statistics {
  readonly #seconds: Second[] = [];
  readonly #durations = new Uint32Array(classes);
  #calls = 0;
  #errors = 0;

  constructor(private readonly coordinate: string) {}

  /** Adds a call; times are in milliseconds. */
  add(now: number, duration: number, isError: boolean): void {
    const at = Math.floor(now / 1000);
    let second = this.#seconds.at(-1);
    if (second?.at !== at) {
      second = { at, calls: 0, errors: 0, durations: new Uint32Array(classes) };
      this.#seconds.push(second);
    }
    const size = duration <= shortest ? 0 : Math.ceil(Math.log(duration / shortest) / growth);
    const kind = Math.min(size, classes - 1);
    second.calls += 1;
    addTo(second.durations, kind, 1);
    addTo(this.#durations, kind, 1);
    this.#calls += 1;
    if (!isError) return;
    second.errors += 1;
    this.#errors += 1;
  }

  /** Forgets what is older than a minute. Returns whether there was any. */
  forget(now: number): boolean {
    const oldest = Math.floor(now / 1000) - span;
    let hasForgotten = false;
    for (
      let second = this.#seconds[0];
      second !== undefined && second.at <= oldest;
      second = this.#seconds[0]
    ) {
      this.#seconds.shift();
      this.#calls -= second.calls;
      this.#errors -= second.errors;
      for (const [kind, count] of second.durations.entries()) addTo(this.#durations, kind, -count);
      hasForgotten = true;
    }
    return hasForgotten;
  }

  /** The figures of the window. */
  read(): OperationStatistics {
    const { coordinate } = this;
    return { coordinate, calls: this.#calls, errors: this.#errors, p95: this.#percentile(0.95) };
  }

  /** The upper bound of the class that has the percentile, so at most 5 % more than the duration itself. */
  #percentile(share: number): number {
    let rest = Math.ceil(this.#calls * share);
    if (rest === 0) return 0;
    let kind = 0;
    for (; kind < classes - 1; kind++) {
      rest -= this.#durations[kind] ?? 0;
      if (rest <= 0) break;
    }
    return Number((shortest * Math.exp(growth * kind)).toPrecision(3));
  }
}

function addTo(counts: Uint32Array, kind: number, more: number): void {
  counts[kind] = (counts[kind] ?? 0) + more;
}
