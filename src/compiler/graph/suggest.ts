import { appendTo } from './maps.js';
/** Finds the known name that a mistyped name most likely means. */
export interface Suggester {
  /** The nearest known name; undefined when none is near enough. */
  readonly nearest: (word: string) => string | undefined;
}

/**
 * After this many comparisons a suggester makes no more suggestions. Ten thousand unknown words among ten thousand
 * types would cost a hundred million comparisons, for hints that no user reads to the end.
 */
const comparisonBudget = 100_000;

/** Makes a suggester over the known names; of equally near names the first wins. */
export function createSuggester(names: Iterable<string>): Suggester {
  const byLength = new Map<number, string[]>();
  let order: Map<string, number> | undefined;
  let budget = comparisonBudget;
  const prepare = (): Map<string, number> => {
    const positions = new Map<string, number>();
    for (const name of names) {
      positions.set(name, positions.size);
      appendTo(byLength, name.length, name);
    }
    return positions;
  };
  return {
    nearest: (word) => {
      if (budget <= 0) return undefined;
      order ??= prepare();
      const limit = word.length <= 3 ? 1 : word.length <= 6 ? 2 : 3;
      let best: string | undefined;
      let bestDistance = limit + 1;
      for (let length = word.length - limit; length <= word.length + limit; length++) {
        for (const name of byLength.get(length) ?? []) {
          budget -= 1;
          const distance = nameDistance(word, name, bestDistance);
          if (distance > limit || distance > bestDistance) continue;
          const sooner = best !== undefined && (order.get(name) ?? 0) < (order.get(best) ?? 0);
          if (distance < bestDistance || sooner) {
            best = name;
            bestDistance = distance;
          }
        }
      }
      return best;
    },
  };
}

/**
 * The distance of two names: the insertions, deletions, replacements and swaps of neighbours that turn one into the
 * other (optimal string alignment); names that differ only in case are half a step apart. The count stops above
 * `atMost`.
 */
export function nameDistance(one: string, other: string, atMost = Number.POSITIVE_INFINITY): number {
  if (one === other) return 0;
  const a = one.toLowerCase();
  const b = other.toLowerCase();
  if (a === b) return 0.5;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest > atMost) return smallest;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] as number;
}
