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

  add(other: Tally, sign: 1 | -1): void {
    this.calls += sign * other.calls;
    this.errors += sign * other.errors;
    for (const [kind, count] of other.durations.entries()) addTo(this.durations, kind, sign * count);
  }
}

/** The statistics of one operation over the last minute, in memory that does not depend on the number of calls. */
export class Statistics {
  readonly #seconds: Tally[] = [];
  readonly #sum = new Tally(0);
  #second = new Tally(0);

  constructor(private readonly coordinate: string) {}

  /** Adds a call; times are those of `performance.now()`. */
  add(now: number, duration: number, isError: boolean): void {
    this.#turnTo(Math.floor(now / 1000));
    const second = this.#second;
    const size = duration <= shortest ? 0 : Math.ceil(Math.log(duration / shortest) / growth);
    addTo(second.durations, Math.min(size, classes - 1), 1);
    second.calls += 1;
    if (isError) second.errors += 1;
  }

  /** Forgets what is older than a minute. Returns whether there was any. */
  forget(now: number): boolean {
    const at = Math.floor(now / 1000);
    this.#turnTo(at);
    let hasForgotten = false;
    while ((this.#seconds[0]?.at ?? at) <= at - span) {
      this.#sum.add(this.#seconds.shift() as Tally, -1);
      hasForgotten = true;
    }
    return hasForgotten;
  }

  read(): OperationStatistics {
    const window = new Tally(0);
    window.add(this.#sum, 1);
    window.add(this.#second, 1);
    const { calls, errors } = window;
    return { coordinate: this.coordinate, calls, errors, p95: percentile(window, 0.95) };
  }

  #turnTo(at: number): void {
    const last = this.#second;
    if (last.at === at) return;
    if (last.calls > 0) {
      this.#seconds.push(last);
      this.#sum.add(last, 1);
    }
    this.#second = new Tally(at);
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
