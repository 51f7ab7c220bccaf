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
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
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

/**
 * ` Did you mean readUser?`, or nothing if no known name is similar.
 *
 * @param show - How the name is written. Default: as it is.
 */
export function didYouMean(name: string, known: Iterable<string>, show = (near: string) => near): string {
  const suggestion = createSuggester(known).nearest(name);
  return suggestion === undefined ? '' : ` Did you mean ${show(suggestion)}?`;
}

/**
 * The word with a meaning that a word without one is probably a misspelling of; undefined if there is none.
 *
 * Both begin with the same letter, or their first two letters are swapped. Words that differ only in case are near.
 * Else one letter may be missing, added, wrong, or swapped with its neighbour; in a word of seven letters or more, two.
 * In a word of up to four letters no letter may be wrong: too many words of four letters differ in one.
 */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    // Most words differ here, so that the distance is rarely computed.
    if (Math.abs(word.length - candidate.length) > 2) continue;
    if (!beginsAlike(lower, candidate.toLowerCase())) continue;
    if (otherWords.has(lower)) return undefined;
    const distance = nameDistance(word, candidate, 2);
    if (distance < bestDistance && isNear(lower, candidate.toLowerCase(), distance)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function beginsAlike(word: string, known: string): boolean {
  return word[0] === known[0] || (word[0] === known[1] && word[1] === known[0]);
}

function isNear(word: string, known: string, distance: number): boolean {
  if (distance > (known.length < 7 ? 1 : 2)) return false;
  if (known.length > 4 || word.length !== known.length) return true;
  return [...word].sort().join('') === [...known].sort().join('');
}

/**
 * Words in their own right, which are never taken for misspellings: those of public topologies, and the English words
 * that the rule would find near to a word with a meaning.
 */
const otherWords: ReadonlySet<string> = new Set(
  [
    // Public topologies: the properties of edges, then edge types that are not part of the API.
    'strategy mode role reason case expect failure schedule order weight op fn',
    'measure tunnel sliver vent observe interfere member_of subgroup_of may_contain claim check depends_on contains',
    'subject predicate conclusion ranked_candidate reject',
    // Near PROCESS, FOLD, FORK and RACE.
    'press princess proceed proceeds processed processes processor progress prowess prices proves probes proses',
    'for racer raced',
    // Near the words on edges and nodes.
    'operatic operating operational operative operator oration unison alter aster rote rouge rouse rout router routed',
    'states stats statue statues stratus thrown throes throng pager paged',
    'infernal interim intern interned internet interns interval intervals integral interwar',
    'retains retorts recurs returned returnee valued valves',
    // Near the labels.
    'interact interlace scala probe probes',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Makes a function that finds the id nearly equal to another, because one of the two may be misspelt. Ids of less than
 * four letters are all similar, and ids that differ only in their numbers are meant to differ.
 */
export function createNearId(ids: Iterable<string>): (id: string) => string | undefined {
  const suggester = createSuggester(ids);
  return (id) => {
    const near = id.length < 4 ? undefined : suggester.nearest(id);
    if (near === undefined || near.length < 4) return undefined;
    return near.replace(/\d/g, '') === id.replace(/\d/g, '') ? undefined : near;
  };
}
