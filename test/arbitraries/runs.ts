/** The share of the runs of a property that `npm test` makes. `npm run coverage`, which CI runs, makes all of them. */
const share = process.env.ALL_RUNS === '1' ? 1 : 1 / 8;

/** The number of runs of a property that takes its time, of so many in `npm run coverage`. */
export function runs(all: number): number {
  return Math.ceil(all * share);
}

/** So many of a list of like things, spread over it. */
export function some<Item>(items: readonly Item[]): readonly Item[] {
  return items.filter((_, at) => Number.isInteger(at * share));
}
