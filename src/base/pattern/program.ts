import { type CharacterSet, PatternError, type PatternTree } from './pattern-tree.js';

/**
 * An instruction of a program. All but `jump`, `split` and `match` go on with the next one: `take` after a character of
 * the set, the others where their condition holds.
 */
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
  /** Whether it can only match from the beginning of the text. */
  readonly isAnchored: boolean;
  /** Whether a condition asks for the character before. */
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

export function compilePattern(tree: PatternTree): Program {
  return new Compiler().compile(tree);
}

function checkLooks(tree: PatternTree): void {
  if (tree.kind === 'look') partsOfLook(tree);
  else if (tree.kind === 'repeat') checkLooks(tree.of);
  else if (tree.kind === 'sequence') tree.parts.forEach(checkLooks);
  else if (tree.kind === 'choice') tree.options.forEach(checkLooks);
}

/** The sets that a lookaround looks for, and whether it is content with the beginning or the end of the text. */
function partsOfLook({ ahead, of }: Look): {
  readonly sets: readonly CharacterSet[];
  readonly edge: boolean;
} {
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
  switch (tree.kind) {
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case 'choice':
      return tree.options.reduce((sum, option) => sum + sizeOf(option) + 2, 0);
    case 'repeat':
      return (sizeOf(tree.of) + 1) * copiesOf(tree) + 1;
    default:
      return 1;
  }
}

function copiesOf({ least, most }: { readonly least: number; readonly most: number }): number {
  return most === Infinity ? Math.max(least, 1) : most;
}

class Compiler {
  readonly #instructions: Instruction[] = [];
  readonly #sets: CharacterSet[] = [];
  readonly #setIds = new Map<string, number>();

  compile(tree: PatternTree): Program {
    this.#add(tree);
    this.#push({ op: 'match' });
    const instructions = this.#instructions;
    const looksBehind = instructions.some(({ op }) => op === 'boundary' || op === 'look');
    return { instructions, sets: this.#sets, isAnchored: isAnchored(instructions), looksBehind };
  }

  #add(tree: PatternTree): void {
    switch (tree.kind) {
      case 'set':
        this.#push({ op: 'take', set: this.#setId(tree.set) });
        break;
      case 'sequence':
        for (const part of tree.parts) this.#add(part);
        break;
      case 'choice':
        this.#addChoice(tree.options);
        break;
      case 'repeat':
        this.#addRepeat(tree);
        break;
      case 'assertion':
        this.#push(this.#assertion(tree.assertion));
        break;
      case 'look':
        this.#push(this.#look(tree));
    }
  }

  #addChoice(options: readonly PatternTree[]): void {
    const jumps: number[] = [];
    for (const [at, option] of options.entries()) {
      const isLast = at === options.length - 1;
      const split = isLast ? undefined : this.#push({ op: 'match' });
      this.#add(option);
      if (split === undefined) continue;
      jumps.push(this.#push({ op: 'match' }));
      this.#instructions[split] = { op: 'split', other: this.#instructions.length };
    }
    for (const jump of jumps) this.#instructions[jump] = { op: 'jump', to: this.#instructions.length };
  }

  #addRepeat({ of, least, most }: Extract<PatternTree, { kind: 'repeat' }>): void {
    const splits: number[] = [];
    let begin = this.#instructions.length;
    for (let copy = 0; copy < copiesOf({ least, most }); copy++) {
      begin = this.#instructions.length;
      if (copy >= least) splits.push(this.#push({ op: 'match' }));
      this.#add(of);
    }
    if (most === Infinity && least === 0) this.#push({ op: 'jump', to: begin });
    else if (most === Infinity) {
      this.#push({ op: 'split', other: begin });
    }
    for (const split of splits) this.#instructions[split] = { op: 'split', other: this.#instructions.length };
  }

  #assertion(assertion: string): Instruction {
    if (assertion === '^') return { op: 'start' };
    if (assertion === '$') return { op: 'end' };
    return { op: 'boundary', negated: assertion === '\\B', set: this.#setId(wordCharacters) };
  }

  #look(look: Look): Instruction {
    const { sets, edge } = partsOfLook(look);
    const { ahead, negated } = look;
    return { op: 'look', ahead, negated, sets: sets.map((set) => this.#setId(set)), edge };
  }

  #setId(set: CharacterSet): number {
    const known = this.#setIds.get(set.source);
    if (known !== undefined) return known;
    this.#setIds.set(set.source, this.#sets.length);
    return this.#sets.push(set) - 1;
  }

  #push(instruction: Instruction): number {
    return this.#instructions.push(instruction) - 1;
  }
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
