import type { Effort } from './measure.js';

/**
 * How long to measure an input of a size. A sample is long enough to hold the garbage collections that
 * its own work causes. The largest inputs take a second each, so they get fewer rounds.
 */
export function effortFor(edges: number, isQuick: boolean): Effort {
  const rounds = 5;
  return {
    rounds: edges >= 100_000 ? Math.ceil(rounds / 2) : rounds,
    sampleMs: isQuick ? 40 : 80,
    warmUpMs: isQuick ? 250 : 400,
    settlingMs: isQuick ? 60 : 100,
  };
}

/** The same for work whose inputs cost more to make than to use. */
export function effortForCostlyInput(edges: number, isQuick: boolean): Effort {
  const effort = effortFor(edges, isQuick);
  return { ...effort, sampleMs: 60, settlingMs: isQuick || edges > 100 ? 60 : 600, warmUpMs: isQuick ? 150 : 400 };
}

/**
 * The same for whole runs of the compiler. A full collection before a sample also frees the hidden classes of the last
 * run, and with them the machine code that was compiled for these: the engine needs some runs to compile it again, some
 * hundred of a small input.
 */
export function effortForCompiler(edges: number, isQuick: boolean): Effort {
  const effort = effortFor(edges, isQuick);
  if (isQuick) return { ...effort, sampleMs: 200, settlingMs: 400, warmUpMs: 500 };
  const isSmall = edges <= 100;
  return { ...effort, sampleMs: 200, settlingMs: isSmall ? 3_000 : 600, warmUpMs: isSmall ? 4_000 : 1_000 };
}
