import { PatternError, type PatternTree, parsePattern } from './pattern-tree.js';
import { checkPattern, compilePattern } from './program.js';
import { Search } from './search.js';

/** A regular expression of ECMA-262 with the flag `u` that is searched in a time that grows with the text only. */
export interface Pattern {
  readonly tree: PatternTree;
  /** The number of its parts, with each repetition: the search takes at most so many steps for a character. */
  readonly size: number;
  /** Whether a part of the text matches. */
  readonly test: (text: string) => boolean;
}

/** A pattern, or why a text is none. */
export type PatternReading =
  | { readonly ok: true; readonly pattern: Pattern }
  /** The part that cannot be searched in linear time; undefined if it is not a regular expression. */
  | { readonly ok: false; readonly costly: string | undefined };

/**
 * Reads a pattern. The only place where expressions that come from outside (topologies, imported descriptions,
 * documents) are compiled: a native `RegExp` would block the process with `^(a+)+$`.
 *
 * Back references and modifiers are refused. Lookarounds are accepted where they look at one character, and lookaheads
 * of any form right behind a `^` at the beginning: `^(?=.*\d)(?!.*--).{8,}$`.
 */
export function readPattern(source: string): PatternReading {
  const known = readings.get(source);
  if (known !== undefined) return known;
  const reading = read(source);
  if (readings.size >= mostReadings) readings.clear();
  readings.set(source, reading);
  return reading;
}

/**
 * The pattern of a source that was read before.
 *
 * @throws {Error} If it is none.
 */
export function patternOf(source: string): Pattern {
  const reading = readPattern(source);
  if (reading.ok) return reading.pattern;
  throw new Error(`The pattern cannot be used; it has ${reading.costly ?? 'a syntax error'}: ${source.slice(0, 100)}`);
}

const readings = new Map<string, PatternReading>();
const mostReadings = 500;

const mostCharacters = 5000;
const mostNesting = 100;

function read(source: string): PatternReading {
  if (source.length > mostCharacters) return { ok: false, costly: `more than ${mostCharacters} characters` };
  if (nestingOf(source) > mostNesting) return { ok: false, costly: `groups nested more than ${mostNesting} deep` };
  try {
    new RegExp(source, 'u');
  } catch {
    return { ok: false, costly: undefined };
  }
  try {
    const tree = parsePattern(source);
    const conditions = conditionsOf(tree);
    const size = conditions.reduce((sum, [part]) => sum + checkPattern(part), 0);
    return { ok: true, pattern: { tree, size, test: searchOf(conditions) } };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, costly: error.message };
    throw error;
  }
}

/** Counted before anything recurses. */
function nestingOf(source: string): number {
  let [depth, most, isClass] = [0, 0, false];
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '(') most = Math.max(most, ++depth);
    else if (character === ')') depth--;
  }
  return most;
}

/** A part that a text must match, or must not. */
type Condition = readonly [tree: PatternTree, wanted: boolean];

/** The lookaheads right behind a leading `^` are searches of their own, which begin at the same place as the rest. */
function conditionsOf(tree: PatternTree): readonly Condition[] {
  const [first, ...rest] = tree.kind === 'sequence' ? tree.parts : [];
  if (first?.kind !== 'assertion' || first.assertion !== '^') return [[tree, true]];
  const from = rest.findIndex((part) => part.kind !== 'look' || !part.ahead);
  const looks = rest.slice(0, from === -1 ? rest.length : from);
  const parts = [first, ...rest.slice(looks.length)];
  return [
    ...looks.flatMap((look): readonly Condition[] =>
      look.kind === 'look' ? [[{ kind: 'sequence', parts: [first, look.of] }, !look.negated]] : [],
    ),
    [{ kind: 'sequence', parts }, true],
  ];
}

/** Compiles for the first text: most patterns of a large description are never searched for. */
function searchOf(conditions: readonly Condition[]): Pattern['test'] {
  let searches: readonly (readonly [Search, boolean])[] | undefined;
  return (text) => {
    searches ??= conditions.map(([tree, wanted]) => [new Search(compilePattern(tree)), wanted] as const);
    return searches.every(([search, wanted]) => search.find(text) === wanted);
  };
}
