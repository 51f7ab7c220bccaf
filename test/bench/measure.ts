/**
 * How two things are compared: side by side in one process, in alternating rounds, on inputs that no
 * round has seen before. What counts is the ratio within a round; a slow moment of the machine then
 * hits both sides.
 */

/** One of two things that are compared. */
export interface Side<Input> {
  /** Makes an input that nobody has seen, so that no cache keyed by identity can answer. Not timed. */
  readonly fresh: () => Input;
  /** What is timed. Its result is kept until the clock has stopped, so that no work can be left out. */
  readonly run: (input: Input) => unknown;
  /** What a time is divided by before it is compared: the number of edges. Default 1. */
  readonly units?: number;
}

/** How long and how often to measure. */
export interface Effort {
  /** Rounds that count; each times both sides. */
  readonly rounds: number;
  /** About how long one sample of one side takes, in milliseconds. */
  readonly sampleMs: number;
  /** How long each side runs before anything counts, in milliseconds. */
  readonly warmUpMs: number;
  /** About how long a side runs before each of its samples, in milliseconds. */
  readonly settlingMs: number;
}

/** The outcome of a comparison: nanoseconds a unit of each side, and `ours / baseline` round by round. */
export interface Comparison {
  /** Median of our times. */
  readonly ours: number;
  /** Median of the times of the baseline. */
  readonly baseline: number;
  readonly ratio: Spread;
}

/** A median with the extremes around it. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Compares two functions that run in this process. */
export function compareSides<A, B>(ours: Side<A>, baseline: Side<B>, effort: Effort): Comparison {
  const ourCounts = warmUp(ours, effort);
  const baselineCounts = warmUp(baseline, effort);
  const rounds: [number, number][] = [];
  for (let round = 0; round < effort.rounds; round++) {
    rounds.push([sample(ours, ourCounts), sample(baseline, baselineCounts)]);
  }
  return summarize(rounds);
}

/** Compares two functions that measure themselves, such as a process that is started and awaited. */
export function compareSamples(ours: () => number, baseline: () => number, rounds: number): Comparison {
  // The first start of a program fills the caches of the operating system, so it doesn't count.
  ours();
  baseline();
  const samples: [number, number][] = [];
  for (let round = 0; round < rounds; round++) samples.push([ours(), baseline()]);
  return summarize(samples);
}

/** The median and the extremes of some numbers; there must be one at least. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  return { median, min: sorted[0] as number, max: sorted[sorted.length - 1] as number };
}

/**
 * A copy of a text with the same characters: a new, flat string, made the way that reading a file
 * makes one. Concatenated or sliced strings are slower to scan, and neither side should pay for that.
 */
export function freshText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function summarize(rounds: readonly (readonly [number, number])[]): Comparison {
  return {
    ours: spreadOf(rounds.map(([ours]) => ours)).median,
    baseline: spreadOf(rounds.map(([, baseline]) => baseline)).median,
    ratio: spreadOf(rounds.map(([ours, baseline]) => ours / baseline)),
  };
}

/** How many runs of a side come before a sample, and how many are in it. */
interface RunCounts {
  readonly settling: number;
  readonly measured: number;
}

/** Runs a side until the compiler of the engine has settled, and sees how many runs a sample takes. */
function warmUp<Input>(side: Side<Input>, { warmUpMs, sampleMs, settlingMs }: Effort): RunCounts {
  let spent = 0;
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 || spent < warmUpMs; run++) {
    const input = side.fresh();
    const start = process.hrtime.bigint();
    const result = side.run(input);
    const took = Number(process.hrtime.bigint() - start) / 1e6;
    keep(result);
    spent += took;
    fastest = Math.min(fastest, took);
  }
  const runsIn = (milliseconds: number) => Math.max(1, Math.round(milliseconds / fastest));
  return { settling: runsIn(settlingMs), measured: runsIn(sampleMs) };
}

/**
 * Nanoseconds a unit, over some runs on fresh inputs. It is the time that the processor worked for
 * this process, collecting garbage and compiling included: on a machine that others use as well, the
 * time on the wall says more about them.
 */
function sample<Input>(side: Side<Input>, counts: RunCounts): number {
  const inputs = Array.from({ length: counts.measured }, side.fresh);
  const settling = Array.from({ length: counts.settling }, side.fresh);
  // Garbage of the other side, and of making the inputs, must not be collected on our time. A full
  // collection also shrinks the young generation to where a new process has it; so each side first runs
  // for a while unmeasured, until the heap is as its own work keeps it.
  globalThis.gc?.();
  let result: unknown;
  for (const input of settling) {
    // The last result must not live while the next is made: two trees at once would be moved at each collection.
    result = undefined;
    result = side.run(input);
  }
  const start = process.cpuUsage();
  for (const input of inputs) {
    result = undefined;
    result = side.run(input);
  }
  const { user, system } = process.cpuUsage(start);
  keep(result);
  return ((user + system) * 1000) / counts.measured / (side.units ?? 1);
}

let kept: unknown;

/** Holds a result where the compiler can't see that nobody reads it. */
function keep(result: unknown): void {
  kept = result;
  if (kept === keep) throw new Error('invariant: a measured function returned the sink');
  kept = undefined;
}
