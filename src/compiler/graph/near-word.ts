import { nameDistance } from './suggest.js';

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

/** Whether two words begin with the same letter, or with the same two in the other order. */
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
