import { type ExecutionArgs, execute, type OperationDefinitionNode } from 'graphql';
import { countPromise } from '../../../base/values/guarded-list.js';
import { type Place, PropertyReads } from '../../../base/values/property-reads.js';
import type { VariableValues } from '../graphql-js/releases.js';
import { type OperationRoot, ResumedRoot } from '../resolvers/operation-root.js';
import { beginText, endText, type JsonText, pieceLength, takePiece, takeText } from './json-text.js';
import { type Printed, PrintedResult } from './printed-result.js';

/**
 * Prints the value at an index of a list as JSON. Returns false unless graphql-js would certainly give the same result.
 *
 * @param place - The place of the list or field that the value is in.
 * @param at - The index of the value in its list; -1 if it is the value of a field.
 */
export type ValuePrinter = (values: unknown[], index: number, turn: PlanTurn, place: Place, at: number) => boolean;

/** An operation with one root field, and how its value is printed. */
export interface OperationPlan {
  readonly operation: OperationDefinitionNode;
  readonly readVariables: (given: Readonly<Record<string, unknown>>) => VariableValues | undefined;
  /** The response name of the root field, as JSON. */
  readonly key: string;
  /** Calls the resolver of the root field and prints its value. */
  readonly print: (turn: PlanTurn) => boolean;
  /** The names of the properties that the plan reads. No object may inherit them from `Object.prototype`. */
  readonly names: readonly string[];
  /** How many values in a row the plan could not print. */
  misfits: number;
}

/** The text of a value, in order. The text of a value that was not there yet is filled in when it arrives. */
type Pieces = (string | Uint8Array | Pieces)[];

export class PlanRun {
  readonly reads = new PropertyReads();
  /** The text before the last of the first turn. */
  readonly #pieces: Pieces = [];
  #last = '';
  hasThrown = false;
  /** How many values have not arrived yet. */
  #pending = 0;
  /** Whether graphql-js continues the operation. */
  #isGivenUp = false;
  #settle: ((result: Promise<Printed>) => void) | undefined;

  constructor(
    private readonly plan: OperationPlan,
    readonly args: ExecutionArgs,
    readonly root: OperationRoot,
    readonly variables: VariableValues,
  ) {}

  /** Prints the first turn; the result is a promise if not all values are there. */
  print(): Printed | Promise<Printed> {
    const turn = new PlanTurn(this, this.reads.first, this.#pieces);
    const last = turn.print(this.plan.print);
    if (last === undefined) return this.#giveUp(!this.hasThrown);
    this.#last = last;
    if (this.#pending === 0) return this.#result();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Waits for a value, whose text goes into the pieces. Returns a promise of the value as the plan has read it. */
  wait(value: unknown, place: Place, pieces: Pieces, print: ValuePrinter): Promise<unknown> {
    this.#pending += 1;
    const turn = new PlanTurn(this, this.reads.begin(place), pieces);
    const arrived = Promise.resolve(value).then(
      (settled) => {
        const held = [settled];
        if (this.#isGivenUp) return settled;
        const last = turn.print((own) => print(held, 0, own, place, -1));
        if (last === undefined) this.#end(() => this.#giveUp(!this.hasThrown));
        else {
          pieces.push(last);
          if (--this.#pending === 0) this.#end(() => this.#result());
        }
        return held[0];
      },
      (error: unknown) => {
        if (!this.#isGivenUp) this.#end(() => this.#giveUp(false));
        throw error;
      },
    );
    // graphql-js does not ask for it if an error makes a value around it null.
    arrived.catch(() => undefined);
    return arrived;
  }

  #end(make: () => Printed | Promise<Printed>): void {
    this.#settle?.(new Promise((resolve) => resolve(make())));
  }

  /** Lets graphql-js continue. An error of a resolver is no misfit of the plan. */
  #giveUp(isMisfit: boolean): Printed | Promise<Printed> {
    this.#isGivenUp = true;
    if (isMisfit) this.plan.misfits += 1;
    return execute({ ...this.args, rootValue: new ResumedRoot(this.root, this.reads) });
  }

  #result(): PrintedResult {
    this.plan.misfits = 0;
    return new PrintedResult(this.plan.key, joined(this.#pieces, this.#last));
  }
}

/** The values that are printed one after the other, without waiting. */
export class PlanTurn {
  constructor(
    readonly run: PlanRun,
    readonly values: unknown[],
    private readonly pieces: Pieces,
  ) {}

  /** Returns the text behind its pieces; undefined if the plan does not cover a value. */
  print(print: (turn: PlanTurn) => boolean): string | undefined {
    const outer = beginText();
    try {
      return print(this) ? takeText() : undefined;
    } catch {
      // A trap of a Proxy threw. graphql-js gets the same error and reports the field.
      return undefined;
    } finally {
      endText(outer);
    }
  }

  /** Adds text that is JSON already. */
  pass(text: string): true {
    this.pieces.push(takeText(), text);
    return true;
  }

  /** Gives long text away. */
  relieve(): void {
    const piece = takePiece();
    if (piece !== undefined) this.pieces.push(piece);
  }

  /** The turn of a later item of a list: see {@link PropertyReads}. */
  ofItem(place: Place): PlanTurn {
    return new PlanTurn(this.run, this.run.reads.begin(place), this.pieces);
  }

  /** Prints the rest without the promise at an index. */
  wait(values: unknown[], index: number, place: Place, print: ValuePrinter): true {
    countPromise();
    const pieces: Pieces = [];
    this.pieces.push(takeText(), pieces);
    values[index] = this.run.wait(values[index], place, pieces, print);
    return true;
  }
}

function joined(pieces: Pieces, last: string): JsonText {
  if (pieces.length === 0) return last;
  const done: Uint8Array[] = [];
  let text = '';
  let short = 0;
  const give = (): void => {
    if (text !== '') done.push(Buffer.from(text));
    text = '';
    short = 0;
  };
  const add = (piece: Pieces[number]): void => {
    if (typeof piece === 'string') {
      text += piece;
      // A long string stays one: its bytes would be a copy in memory that is new to the process.
      if (piece.length <= pieceLength) short += piece.length;
      if (short > pieceLength) give();
    } else if (Array.isArray(piece)) {
      for (const inner of piece) add(inner);
    } else {
      give();
      done.push(piece);
    }
  };
  add(pieces);
  add(last);
  if (done.length === 0) return text;
  give();
  return done;
}
