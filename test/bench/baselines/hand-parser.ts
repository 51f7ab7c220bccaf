import type { SourceFile } from '../../../src/source/source-file.js';
import type {
  Comment,
  Document,
  Hop,
  Name,
  NodeGroup,
  NodeTerm,
  Pipeline,
  Property,
  Value,
} from '../../../src/syntax/ast.js';

/**
 * The fastest parser of the language that we know how to write without a toolkit: it reads the
 * characters directly, makes no tokens, and builds the same tree with the same spans. What it leaves
 * out is what a benchmark doesn't have: imports, exports, call chains, the escapes of strings,
 * recovery. It throws at the first mistake. Its only purpose is to show how much of the time of the
 * real parser is the price of a grammar, of recovery and of diagnostics.
 */
export function parseByHand(source: SourceFile): Document {
  return new HandParser(source).document();
}

enum Char {
  LineFeed = 10,
  Space = 32,
  Bang = 33,
  DoubleQuote = 34,
  SingleQuote = 39,
  LParen = 40,
  RParen = 41,
  Star = 42,
  Comma = 44,
  Minus = 45,
  Slash = 47,
  Nine = 57,
  Colon = 58,
  Equals = 61,
  Greater = 62,
  LSquare = 91,
  RSquare = 93,
  LCurly = 123,
  Pipe = 124,
  RCurly = 125,
}

/** Character classes: 1 part of a word, 2 white space. */
const classes = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_') {
  classes[character.charCodeAt(0)] = 1;
}
for (const character of '\t\n\v\f\r ') classes[character.charCodeAt(0)] = 2;

class HandParser {
  private readonly text: string;
  private readonly comments: Comment[] = [];
  private at = 0;
  /** Where the last token ended: nodes of the tree end there, not at the comments after it. */
  private last = 0;
  /** The doc comment that was read last, and the place of the token after it. */
  private doc: string | undefined;
  private docAt = -1;
  private pendingDoc: string | undefined;

  constructor(private readonly source: SourceFile) {
    this.text = source.text;
  }

  document(): Document {
    const statements: Pipeline[] = [];
    this.skip(0);
    while (this.at < this.text.length) statements.push(this.pipeline());
    return { file: this.source, statements, comments: this.comments };
  }

  private pipeline(): Pipeline {
    const start = this.at;
    const doc = this.docBefore(start);
    const head = this.group();
    const hops: Hop[] = [];
    while (this.text.charCodeAt(this.at) === Char.Minus) hops.push(this.hop());
    return { kind: 'Pipeline', head, hops, doc, start, end: this.last };
  }

  private hop(): Hop {
    const start = this.at;
    const doc = this.docBefore(start);
    this.expect(Char.Minus);
    this.expect(Char.LSquare);
    this.expect(Char.Colon);
    const typeStart = this.at;
    const type = this.word();
    const properties = this.properties();
    this.expect(Char.RSquare);
    this.expect(Char.Minus);
    this.expect(Char.Greater);
    const target = this.group();
    return { type, typeStart, properties, target, doc, start, end: this.last };
  }

  private group(): NodeGroup {
    const start = this.at;
    this.expect(Char.LParen);
    const nodes = [this.node()];
    while (this.accept(Char.Pipe) || this.accept(Char.Comma)) nodes.push(this.node());
    this.expect(Char.RParen);
    return { nodes, start, end: this.last };
  }

  private node(): NodeTerm {
    const start = this.at;
    const doc = this.docBefore(start);
    const id = this.word();
    let labels: Name[] = none;
    while (this.accept(Char.Colon)) {
      if (labels === none) labels = [];
      labels.push(this.name());
    }
    const properties = this.properties();
    return { id, labels, properties, doc, start, end: this.last };
  }

  private properties(): Property[] {
    if (!this.accept(Char.LCurly)) return none;
    const properties: Property[] = [];
    while (!this.accept(Char.RCurly)) {
      properties.push(this.property());
      if (!this.accept(Char.Comma)) {
        this.expect(Char.RCurly);
        break;
      }
    }
    return properties;
  }

  private property(): Property {
    const start = this.at;
    const doc = this.docBefore(start);
    const key = this.word();
    if (!this.accept(Char.Colon)) this.expect(Char.Equals);
    const value = this.value();
    const fallback = this.accept(Char.Equals) ? this.value() : undefined;
    return { key, value, fallback, doc, start, end: this.last };
  }

  private value(): Value {
    const code = this.text.charCodeAt(this.at);
    if (code === Char.SingleQuote || code === Char.DoubleQuote) return this.string(code);
    if (code === Char.LSquare) return this.list();
    if (code === Char.Minus || code <= Char.Nine) return this.number();
    const start = this.at;
    const name = this.word();
    if (name === 'true' || name === 'false') {
      return { kind: 'Boolean', value: name === 'true', start, end: this.last };
    }
    if (name === 'null') return { kind: 'Null', start, end: this.last };
    const nonNull = this.accept(Char.Bang);
    return { kind: 'Word', name, nonNull, start, end: this.last };
  }

  private string(quote: number): Value {
    const start = this.at;
    const close = this.text.indexOf(quote === Char.SingleQuote ? "'" : '"', start + 1);
    if (close === -1) this.fail();
    this.moveTo(close + 1);
    return { kind: 'String', value: this.text.slice(start + 1, close), start, end: close + 1 };
  }

  private number(): Value {
    const start = this.at;
    let integer = true;
    let end = start + 1;
    let code = this.text.charCodeAt(end);
    // A point, a sign of an exponent and word characters: `Number` judges whether they make sense.
    while ((classes[code] as number) === 1 || code === 46 || code === 43 || code === Char.Minus) {
      if (code < 48 || code > Char.Nine) integer = false;
      code = this.text.charCodeAt(++end);
    }
    this.moveTo(end);
    return { kind: 'Number', value: Number(this.text.slice(start, end)), integer, start, end };
  }

  private list(): Value {
    const start = this.at;
    this.expect(Char.LSquare);
    const items: Value[] = [];
    while (!this.accept(Char.RSquare)) {
      items.push(this.value());
      if (!this.accept(Char.Comma)) {
        this.expect(Char.RSquare);
        break;
      }
    }
    const nonNull = this.accept(Char.Bang);
    return { kind: 'List', items, nonNull, start, end: this.last };
  }

  private name(): Name {
    const start = this.at;
    const name = this.word();
    return { name, start, end: this.last };
  }

  private word(): string {
    const { text } = this;
    const start = this.at;
    let at = start;
    while (classes[text.charCodeAt(at)] === 1) at++;
    if (at === start) this.fail();
    this.moveTo(at);
    return text.slice(start, at);
  }

  private accept(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.moveTo(this.at + 1);
    return true;
  }

  private expect(code: number): void {
    if (!this.accept(code)) this.fail();
  }

  /** Ends a token where `end` is, and goes on to the next one. */
  private moveTo(end: number): void {
    this.last = end;
    const code = this.text.charCodeAt(end);
    // Most tokens are followed by another one directly, or by a single blank.
    if (code === Char.Space) this.skip(end + 1);
    else if (classes[code] === 2 || code === Char.Slash) this.skip(end);
    else this.at = end;
  }

  private skip(from: number): void {
    const { text } = this;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (classes[code] === 2) at++;
      else if (code === Char.Slash) at = this.comment(at);
      else break;
    }
    this.at = at;
    if (this.pendingDoc !== undefined) {
      this.doc = this.pendingDoc;
      this.docAt = at;
      this.pendingDoc = undefined;
    }
  }

  /** The doc comment that stands directly before `at`. */
  private docBefore(at: number): string | undefined {
    return this.docAt === at ? this.doc : undefined;
  }

  /** Notes the comment at `start` and answers where it ends. */
  private comment(start: number): number {
    const { text } = this;
    const isBlock = text.charCodeAt(start + 1) === Char.Star;
    const close = isBlock ? text.indexOf('*/', start + 2) + 2 : text.indexOf('\n', start);
    const end = close < start ? text.length : close;
    const isDoc = !isBlock && text.charCodeAt(start + 2) === Char.Slash;
    this.comments.push({ kind: isBlock ? 'block' : isDoc ? 'doc' : 'line', start, end });
    if (isDoc) {
      const line = text.slice(start + (text.charCodeAt(start + 3) === Char.Space ? 4 : 3), end).trimEnd();
      this.pendingDoc = this.pendingDoc === undefined ? line : `${this.pendingDoc}\n${line}`;
    }
    return end;
  }

  private fail(): never {
    throw new Error(`invariant: the benchmark's own parser can't read offset ${this.at}`);
  }
}

/** Shared by all nodes that have nothing to list; nobody adds to it. */
const none: never[] = [];
