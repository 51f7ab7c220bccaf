import type { Hop, Name, NodeGroup, NodeTerm, Pipeline, Property, Value } from './ast.js';
import { DocCursor } from './doc-cursor.js';
import { numberAt, requiredWordAt, stringAt, wordAt } from './literals.js';
import { endOfGroup, isSeparator } from './plain-shape.js';
import type { DocComment } from './token-tape.js';
import { tokenIndex as token } from './tokens.js';

/** The tokens of a source as a tree keeps them: its own copy of the arrays, with the text they cut. */
export interface KeptTape {
  readonly text: string;
  readonly types: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly docs: readonly DocComment[];
}

/**
 * A pipeline of which the tape has shown that nothing is wrong with it (`plain-shape.ts`). The tree holds
 * its place on the tape alone, and makes its nodes and hops when they are read, anew each time: whoever
 * reads a statement once leaves nothing behind, and a large tree that nobody has read yet is a few
 * objects. Moving live objects about is what parsing a large file costs most.
 */
export class PlainPipeline implements Pipeline {
  constructor(
    private readonly tape: KeptTape,
    private readonly first: number,
    private readonly last: number,
  ) {}

  get kind(): 'Pipeline' {
    return 'Pipeline';
  }

  get start(): number {
    return this.tape.starts[this.first] as number;
  }

  get end(): number {
    return this.tape.ends[this.last] as number;
  }

  get doc(): string | undefined {
    return new DocCursor(this.tape.text, this.tape.docs, this.first).before(this.first);
  }

  get head(): NodeGroup {
    return new TapeReader(this.tape, this.first).group();
  }

  get hops(): readonly Hop[] {
    const behind = endOfGroup(this.tape.types, this.first);
    if (behind > this.last) return none;
    const reader = new TapeReader(this.tape, behind);
    const hops: Hop[] = [];
    while (reader.at <= this.last) hops.push(reader.hop());
    return hops;
  }

  /** The same data as a plain object. */
  toJSON(): Pipeline {
    const { kind, start, end, head, hops, doc } = this;
    return { kind, start, end, head, hops, doc };
  }
}

/** Makes the parts of a pipeline, in their order; what it may meet is what `plain-shape.ts` lets through. */
class TapeReader {
  private readonly text: string;
  private readonly types: Int32Array;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private readonly docs: DocCursor;

  constructor(
    { text, types, starts, ends, docs }: KeptTape,
    public at: number,
  ) {
    this.text = text;
    this.types = types;
    this.starts = starts;
    this.ends = ends;
    this.docs = new DocCursor(text, docs, at);
  }

  hop(): Hop {
    const doc = this.docs.before(this.at);
    const start = this.start();
    const typeToken = this.at + 2;
    this.at += 3;
    const properties = this.map();
    this.at++;
    const target = this.group();
    return {
      type: this.textOf(typeToken),
      typeStart: this.starts[typeToken] as number,
      properties,
      target,
      doc,
      start,
      end: target.end,
    };
  }

  group(): NodeGroup {
    const start = this.start();
    this.at++;
    const nodes = [this.term()];
    while (isSeparator(this.types[this.at])) {
      this.at++;
      nodes.push(this.term());
    }
    this.at++;
    return { nodes, start, end: this.lastEnd() };
  }

  private term(): NodeTerm {
    const doc = this.docs.before(this.at);
    const start = this.start();
    const id = this.textOf(this.at++);
    const labels = this.labels();
    const properties = this.map();
    return { id, labels, properties, doc, start, end: this.lastEnd() };
  }

  private labels(): readonly Name[] {
    if (this.types[this.at] !== token.colon) return none;
    const labels: Name[] = [];
    while (this.takes(token.colon)) {
      labels.push({ name: this.textOf(this.at), start: this.start(), end: this.ends[this.at] as number });
      this.at++;
    }
    return labels;
  }

  private map(): readonly Property[] {
    if (!this.takes(token.leftCurly)) return none;
    const properties: Property[] = [];
    while (!this.takes(token.rightCurly)) {
      properties.push(this.property());
      this.takes(token.comma);
    }
    return properties;
  }

  private property(): Property {
    const doc = this.docs.before(this.at);
    const start = this.start();
    const key = this.textOf(this.at);
    this.at += 2;
    const value = this.value();
    const fallback = this.takes(token.equals) ? this.value() : undefined;
    return { key, value, fallback, doc, start, end: this.lastEnd() };
  }

  private value(): Value {
    const { text } = this;
    const start = this.start();
    const end = this.ends[this.at] as number;
    switch (this.types[this.at++]) {
      case token.string:
        return stringAt(text, start, end);
      case token.number:
        return numberAt(text, start, end);
      case token.word:
        return this.takes(token.bang)
          ? requiredWordAt(text, start, end, this.lastEnd())
          : wordAt(text, start, end);
      default:
        return this.list(start);
    }
  }

  private list(start: number): Value {
    const items: Value[] = [];
    while (!this.takes(token.rightSquare)) {
      items.push(this.value());
      this.takes(token.comma);
    }
    const nonNull = this.takes(token.bang);
    return { kind: 'List', items, nonNull, start, end: this.lastEnd() };
  }

  private takes(wanted: number): boolean {
    if (this.types[this.at] !== wanted) return false;
    this.at++;
    return true;
  }

  private start(): number {
    return this.starts[this.at] as number;
  }

  private lastEnd(): number {
    return this.ends[this.at - 1] as number;
  }

  private textOf(at: number): string {
    return this.text.slice(this.starts[at], this.ends[at]);
  }
}

/** One array for all that have nothing, so that a tree does not hold thousands of empty ones. */
const none: readonly never[] = [];
