/** Gives numbers in [0, 1). */
export type Random = () => number;

/** Numbers that depend on nothing but the seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** An integer from 0 up to the limit, which is excluded. */
export function below(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[below(list.length, random)] as T;
}
