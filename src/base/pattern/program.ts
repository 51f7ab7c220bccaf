import { type CharacterSet, PatternError, type PatternTree } from './pattern-tree.js';

/** All instructions but `jump`, `split` and `match` go on with the next one, if their condition holds. */
export type Instruction =
  | { readonly op: 'take'; readonly set: number }
  | { readonly op: 'split'; readonly other: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'start' | 'end' | 'match' }
  /** Whether a word begins or ends here; `set` is that of the characters of words. */
  | { readonly op: 'boundary'; readonly negated: boolean; readonly set: number }
  /** Whether the next character, or the one before, is in one of the sets; or there is none, with `edge`. */
  | {
      readonly op: 'look';
      readonly ahead: boolean;
      readonly negated: boolean;
      readonly sets: readonly number[];
      readonly edge: boolean;
    };

/** A non-deterministic automaton: where instructions are 0, 1, 2…, the search begins with 0. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly sets: readonly CharacterSet[];
  readonly isAnchored: boolean;
  readonly looksBehind: boolean;
}

/** The greatest number of instructions: `.{0,10000}` has 20,000. */
const mostInstructions = 40_000;

/**
 * Checks an expression without compiling it, in a time that grows with its length only.
 *
 * @returns How many instructions it has, about.
 * @throws {PatternError} For lookarounds that read more than one character, and too large repetitions.
 */
export function checkPattern(tree: PatternTree): number {
  checkLooks(tree);
  const size = sizeOf(tree);
  if (size > mostInstructions) throw new PatternError('repetitions of more than 10,000 characters');
  return size;
}

function checkLooks(tree: PatternTree): void {
  if (tree.kind === 'look') partsOfLook(tree);
  else if (tree.kind === 'repeat') checkLooks(tree.of);
  else if (tree.kind === 'sequence') tree.parts.forEach(checkLooks);
  else if (tree.kind === 'choice') tree.options.forEach(checkLooks);
}

/** The sets that a lookaround looks for, and whether it is content with the beginning or the end of the text. */
function partsOfLook({ ahead, of }: Look): { readonly sets: readonly CharacterSet[]; readonly edge: boolean } {
  const sets: CharacterSet[] = [];
  let edge = false;
  for (const option of of.kind === 'choice' ? of.options : [of]) {
    if (option.kind === 'set') sets.push(option.set);
    else if (option.kind === 'assertion' && option.assertion === (ahead ? '$' : '^')) edge = true;
    else throw new PatternError(`a look${ahead ? 'ahead' : 'behind'} at more than one character`);
  }
  return { sets, edge };
}

type Look = Extract<PatternTree, { kind: 'look' }>;

/** How many instructions a part becomes, at least one. */
function sizeOf(tree: PatternTree): number {
  if (tree.kind === 'sequence') return tree.parts.reduce((sum, part) => sum + sizeOf(part), 1);
  if (tree.kind === 'choice') return tree.options.reduce((sum, option) => sum + sizeOf(option) + 2, 0);
  return tree.kind === 'repeat' ? (sizeOf(tree.of) + 1) * copiesOf(tree) + 1 : 1;
}

function copiesOf({ least, most }: { readonly least: number; readonly most: number }): number {
  return most === Infinity ? Math.max(least, 1) : most;
}

export function compilePattern(tree: PatternTree): Program {
  const instructions: Instruction[] = [];
  const sets: CharacterSet[] = [];
  const setIds = new Map<string, number>();
  const push = (instruction: Instruction): number => instructions.push(instruction) - 1;
  const setId = (set: CharacterSet): number => {
    const known = setIds.get(set.source);
    if (known !== undefined) return known;
    setIds.set(set.source, sets.length);
    return sets.push(set) - 1;
  };
  const add = (part: PatternTree): void => {
    if (part.kind === 'set') push({ op: 'take', set: setId(part.set) });
    else if (part.kind === 'sequence') part.parts.forEach(add);
    else if (part.kind === 'choice') addChoice(part.options);
    else if (part.kind === 'repeat') addRepeat(part);
    else if (part.kind === 'look') {
      const { sets: wanted, edge } = partsOfLook(part);
      push({ op: 'look', ahead: part.ahead, negated: part.negated, sets: wanted.map(setId), edge });
    } else if (part.assertion === '^') push({ op: 'start' });
    else if (part.assertion === '$') push({ op: 'end' });
    else push({ op: 'boundary', negated: part.assertion === '\\B', set: setId(wordCharacters) });
  };
  const addChoice = (options: readonly PatternTree[]): void => {
    const jumps: number[] = [];
    for (const [at, option] of options.entries()) {
      const isLast = at === options.length - 1;
      const split = isLast ? undefined : push({ op: 'match' });
      add(option);
      if (split === undefined) continue;
      jumps.push(push({ op: 'match' }));
      instructions[split] = { op: 'split', other: instructions.length };
    }
    for (const jump of jumps) instructions[jump] = { op: 'jump', to: instructions.length };
  };
  const addRepeat = ({ of, least, most }: Extract<PatternTree, { kind: 'repeat' }>): void => {
    const splits: number[] = [];
    let begin = instructions.length;
    for (let copy = 0; copy < copiesOf({ least, most }); copy++) {
      begin = instructions.length;
      if (copy >= least) splits.push(push({ op: 'match' }));
      add(of);
    }
    if (most === Infinity) push(least === 0 ? { op: 'jump', to: begin } : { op: 'split', other: begin });
    for (const split of splits) instructions[split] = { op: 'split', other: instructions.length };
  };
  add(tree);
  push({ op: 'match' });
  const looksBehind = instructions.some(({ op }) => op === 'boundary' || op === 'look');
  return { instructions, sets, isAnchored: isAnchored(instructions), looksBehind };
}

const wordCharacters: CharacterSet = {
  source: String.raw`\w`,
  has: (codePoint) => /^\w$/u.test(String.fromCodePoint(codePoint)),
};

/** Whether nothing is taken or matched before a `^`, whatever the other conditions say. */
function isAnchored(instructions: readonly Instruction[]): boolean {
  const reached = new Set([0]);
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const at of reached) {
    const instruction = instructions[at] as Instruction;
    if (instruction.op === 'take' || instruction.op === 'match') return false;
    if (instruction.op === 'jump') reached.add(instruction.to);
    else if (instruction.op !== 'start') reached.add(at + 1);
    if (instruction.op === 'split') reached.add(instruction.other);
  }
  return true;
}
