import type { Instruction, Program } from './program.js';

/**
 * The search for a program in texts: all ways to match are followed at once (Thompson, 1968), so that the time grows
 * with the length of the text. Sets of instructions that were met are kept with what follows them, as states of a
 * deterministic automaton.
 */
export class Search {
  readonly #program: Program;
  readonly #classes: CharacterClasses;
  readonly #states = new Map<string, State>();
  /** The numbers of instructions that the kept states have together. */
  #kept = 0;
  #steps = 0;
  readonly #seen: Uint32Array;
  #round = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#classes = new CharacterClasses(program);
    this.#seen = new Uint32Array(program.instructions.length);
  }

  /** Whether a part of the text matches; undefined if that takes more steps than are allowed. */
  find(text: string): boolean | undefined {
    this.#steps = 0;
    let state = this.#stateOf([], noCharacter);
    for (let at = 0; at < text.length; at++) {
      const codePoint = text.codePointAt(at) as number;
      if (codePoint > 0xff_ff) at++;
      const next = this.#follow(state, this.#classes.of(codePoint));
      if (typeof next === 'boolean') return next;
      if (this.#steps > mostSteps) return undefined;
      state = next;
    }
    return this.#follow(state, noCharacter) === true;
  }

  #follow(state: State, next: number): State | boolean {
    const known = state.next[next];
    if (known !== undefined) return known;
    const found = this.#step(state, next);
    state.next[next] = found;
    return found;
  }

  /** The successor of a state: true for a match, and false if none is possible any more. */
  #step({ pending, before }: State, next: number): State | boolean {
    const { instructions, isAnchored, looksBehind } = this.#program;
    const taken: number[] = [];
    const open = isAnchored && before !== noCharacter ? [...pending] : [...pending, 0];
    this.#round++;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#seen[at] === this.#round) continue;
      this.#seen[at] = this.#round;
      this.#steps++;
      const instruction = instructions[at] as Instruction;
      if (instruction.op === 'match') return true;
      if (instruction.op === 'take') {
        if (this.#classes.isIn(next, instruction.set)) taken.push(at + 1);
      } else if (instruction.op === 'jump') open.push(instruction.to);
      else if (instruction.op === 'split') open.push(instruction.other, at + 1);
      else if (this.#holds(instruction, before, next)) open.push(at + 1);
    }
    if (taken.length === 0 && isAnchored) return false;
    taken.sort((one, other) => one - other);
    return this.#stateOf(taken, looksBehind ? next : anyCharacter);
  }

  #holds(
    condition: Exclude<Instruction, { op: 'match' | 'take' | 'jump' | 'split' }>,
    before: number,
    next: number,
  ): boolean {
    const classes = this.#classes;
    if (condition.op === 'look') {
      const { ahead, negated, sets, edge } = condition;
      const side = ahead ? next : before;
      return (sets.some((set) => classes.isIn(side, set)) || (edge && side === noCharacter)) !== negated;
    }
    if (condition.op !== 'boundary') return (condition.op === 'end' ? next : before) === noCharacter;
    const { set, negated } = condition;
    return (classes.isIn(before, set) !== classes.isIn(next, set)) !== negated;
  }

  #stateOf(pending: readonly number[], before: number): State {
    const key = `${before}:${pending.join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#kept > mostKept) {
      this.#states.clear();
      this.#kept = 0;
    }
    const state: State = { pending, before, next: [] };
    this.#states.set(key, state);
    this.#kept += pending.length + 10;
    return state;
  }
}

/** The limit of steps in one text, less than a second. Only large repetitions of what overlaps come near it. */
const mostSteps = 5_000_000;

/** The limit of what is kept of one program: a megabyte. */
const mostKept = 50_000;

/** The class before the first character, and after the last one. */
const noCharacter = 0;

/** The class of the character before, for programs that do not look behind. */
const anyCharacter = 1;

/** The instructions that wait for the next character, after a character of a class, and what follows by class. */
interface State {
  readonly pending: readonly number[];
  readonly before: number;
  readonly next: (State | boolean | undefined)[];
}

/** The characters that a program cannot tell apart form a class. */
class CharacterClasses {
  /** The sets that each class belongs to. */
  readonly #setsOf: ReadonlySet<number>[] = [new Set(), new Set()];
  readonly #ids = new Map<string, number>();
  readonly #ofAscii = new Int32Array(128);
  readonly #ofOthers = new Map<number, number>();

  constructor(private readonly program: Program) {}

  of(codePoint: number): number {
    const known = codePoint < 128 ? this.#ofAscii[codePoint] : this.#ofOthers.get(codePoint);
    if (known) return known;
    const sets = this.program.sets.flatMap(({ has }, set) => (has(codePoint) ? [set] : []));
    const key = sets.join();
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#setsOf.push(new Set(sets)) - 1;
      this.#ids.set(key, id);
    }
    if (codePoint < 128) this.#ofAscii[codePoint] = id;
    else {
      if (this.#ofOthers.size >= mostOthers) this.#ofOthers.clear();
      this.#ofOthers.set(codePoint, id);
    }
    return id;
  }

  isIn(id: number, set: number): boolean {
    return this.#setsOf[id]?.has(set) === true;
  }
}

const mostOthers = 4096;
