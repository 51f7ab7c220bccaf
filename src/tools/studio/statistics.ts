import type { OperationStatistics } from './protocol.js';

/** The window, in seconds. */
const span = 60;

/** The number of classes of durations: each is 5 % wider than the one before, from 10 µs to more than a minute. */
const classes = 330;
const shortest = 0.01;
const growth = Math.log(1.05);

class Tally {
  calls = 0;
  errors = 0;
  readonly durations = new Uint32Array(classes);

  /** @param at - When it began, in seconds. */
  constructor(readonly at: number) {}

  count(kind: number, isError: boolean): void {
    this.calls += 1;
    if (isError) this.errors += 1;
    addTo(this.durations, kind, 1);
  }

  subtract(other: Tally): void {
    this.calls -= other.calls;
    this.errors -= other.errors;
    for (const [kind, count] of other.durations.entries()) addTo(this.durations, kind, -count);
  }
}

/** The statistics of one operation over the last minute, in memory that does not depend on the number of calls. */
export class Statistics {
  /** The seconds with calls, the oldest first. */
  readonly #seconds: Tally[] = [];
  readonly #sum = new Tally(0);

  constructor(private readonly coordinate: string) {}

  /** Adds a call; times are those of `performance.now()`. */
  add(now: number, duration: number, isError: boolean): void {
    const at = Math.floor(now / 1000);
    const size = duration <= shortest ? 0 : Math.ceil(Math.log(duration / shortest) / growth);
    const kind = Math.min(size, classes - 1);
    if (this.#seconds.at(-1)?.at !== at) this.#seconds.push(new Tally(at));
    this.#seconds.at(-1)?.count(kind, isError);
    this.#sum.count(kind, isError);
  }

  /** Forgets what is older than a minute. Returns whether there was any. */
  forget(now: number): boolean {
    const oldest = Math.floor(now / 1000) - span;
    const kept = this.#seconds.findIndex(({ at }) => at > oldest);
    const old = this.#seconds.splice(0, kept === -1 ? this.#seconds.length : kept);
    for (const second of old) this.#sum.subtract(second);
    return old.length > 0;
  }

  read(): OperationStatistics {
    const { calls, errors } = this.#sum;
    return { coordinate: this.coordinate, calls, errors, p95: percentile(this.#sum, 0.95) };
  }
}

/** The upper bound of the class that has the percentile, so at most 5 % more than the duration itself. */
function percentile({ calls, durations }: Tally, share: number): number {
  let rest = Math.ceil(calls * share);
  if (rest === 0) return 0;
  let kind = 0;
  for (; kind < classes - 1; kind++) {
    rest -= durations[kind] ?? 0;
    if (rest <= 0) break;
  }
  return Number((shortest * Math.exp(growth * kind)).toPrecision(3));
}

function addTo(counts: Uint32Array, kind: number, more: number): void {
  counts[kind] = (counts[kind] ?? 0) + more;
}
