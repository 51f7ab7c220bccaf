// Length: a Chevrotain grammar is one class, and its rules are best read together.
import { isRecognitionException, type TokenType } from 'chevrotain';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { SourceFile } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import type {
  CallChain,
  ExportDeclaration,
  Hop,
  ImportDeclaration,
  Name,
  NodeGroup,
  NodeTerm,
  Pipeline,
  Property,
  Statement,
  Value,
} from './ast.js';
import { DocCursor } from './doc-cursor.js';
import { numberAt, requiredWordAt, stringAt, textOfString, wordAt } from './literals.js';
import { choice, TapeParser } from './tape-parser.js';
import type { TokenTape } from './token-tape.js';
import * as T from './tokens.js';

/** How deep brackets may nest: far beyond any use, far below where a call stack ends. */
export const nestingLimit = 64;

/**
 * The grammar of `grammar/gg.ebnf`, one method a rule, building the tree as it goes. What the language
 * does not have but people write (an edge without a type, a map in a map) is looked for by hand beside
 * the rules, so that the rules themselves stay the language.
 *
 * Entering a rule costs as much as reading three tokens. So what is entered most (a node, a hop, a
 * property map and its properties) is a part of the rules that hold it, with occurrence numbers that
 * are distinct in each of them, and only what stands inside itself or opens a statement is a rule.
 *
 * The functions that Chevrotain takes are made once and kept in fields, because a rule that makes them
 * anew each time spends more on that than on parsing.
 */
export class Grammar extends TapeParser {
  /** Findings of the grammar's own, beside the syntax errors that Chevrotain finds. */
  protected readonly findings: Diagnostic[] = [];
  protected file: SourceFile = { name: '', text: '' };
  private text = '';
  private depth = 0;
  /** Where the type of the edge being read stands. */
  private typeStart = 0;
  private docs = new DocCursor('', [], 0);
  /**
   * What the open repetitions have collected so far, inner ones on top: an array is cut from it at its
   * exact size when a repetition ends. Arrays that grew by pushing would keep more room than content.
   */
  private readonly collected: unknown[] = [];
  private top = 0;
  private readonly edgeTypes = new Set<string>();

  constructor() {
    super(expectation);
    this.performSelfAnalysis();
  }

  /** Takes a source and its tokens as the next input. */
  protected read(file: SourceFile, tape: TokenTape): void {
    this.load(tape);
    this.file = file;
    this.text = file.text;
    this.findings.length = 0;
    this.collected.length = 0;
  }

  /** Forgets what a statement that broke had collected, and goes back to the doc comments it had passed. */
  protected beginStatement(): void {
    this.top = 0;
    this.docs = new DocCursor(this.text, this.tokens.docs, this.currIdx + 1);
  }

  /** statement ::= pipeline | barePipeline | callChain | import | export */
  protected readonly statement = this.rule('statement', (): Statement => this.OR(this.statementForms));

  private readonly statementForms = [
    { ALT: (): Statement => this.SUBRULE(this.pipeline) },
    { ALT: (): Statement => this.SUBRULE(this.barePipeline) },
    { ALT: (): Statement => this.SUBRULE(this.callChain) },
    { ALT: (): Statement => this.SUBRULE(this.importDeclaration) },
    { ALT: (): Statement => this.SUBRULE(this.exportDeclaration) },
  ];

  /** pipeline ::= group hop* */
  protected readonly pipeline = this.rule('pipeline', (): Pipeline => {
    const doc = this.doc();
    const head = this.SUBRULE(this.group);
    if (!this.isNext(T.EdgeOpen) && !this.RECORDING_PHASE) {
      return { kind: 'Pipeline', start: head.start, end: head.end, head, hops: none, doc };
    }
    const base = this.top;
    this.several(0, T.EdgeOpen, this.hop);
    const hops = this.collect<Hop>(base);
    return { kind: 'Pipeline', start: head.start, end: this.lastEnd(), head, hops, doc };
  });

  /** barePipeline ::= NAME hop+ */
  private readonly barePipeline = this.rule('barePipeline', (): Pipeline => {
    const doc = this.doc();
    this.CONSUME(T.Word);
    const head = this.bareGroup();
    const base = this.top;
    this.AT_LEAST_ONE(this.hop);
    const hops = this.collect<Hop>(base);
    return { kind: 'Pipeline', start: head.start, end: this.lastEnd(), head, hops, doc };
  });

  /** hop ::= '-[' ':' TYPE propertyMap? ']->' (group | NAME) */
  private readonly hop = (): void => {
    const doc = this.doc();
    const start = this.nextStart();
    this.CONSUME(T.EdgeOpen);
    const word = this.isNext(T.Word) ? this.edgeVariable() : undefined;
    const type = this.maybe(0, T.Colon, this.colonAndType) ?? word;
    const { typeStart } = this;
    if (type === undefined) this.find(diagnose('GG1008', {}, this.span(start, this.nextStart())));
    const properties = this.maybe(1, T.LCurly, this.propertyMap) ?? none;
    this.CONSUME(T.EdgeClose);
    const target = this.oneOf(0, this.targetForms);
    const hop: Hop = {
      type: type ?? '',
      typeStart: type === undefined ? start : typeStart,
      properties,
      target,
      doc,
      start,
      end: this.lastEnd(),
    };
    this.keep(hop);
  };

  private readonly colonAndType = (): string => {
    this.CONSUME(T.Colon);
    this.CONSUME2(T.Word);
    return this.edgeType();
  };

  private readonly targetForms = choice(
    [T.LParen, (): NodeGroup => this.SUBRULE1(this.group)],
    [
      T.Word,
      (): NodeGroup => {
        this.CONSUME1(T.Word);
        return this.bareGroup();
      },
    ],
  );

  /** group ::= '(' node (('|' | ',') node)* ')' */
  private readonly group = this.rule('group', (): NodeGroup => {
    const start = this.nextStart();
    const base = this.top;
    this.CONSUME(T.LParen);
    this.separated(T.Pipe, T.Comma, this.node);
    this.CONSUME(T.RParen);
    return { nodes: this.collect<NodeTerm>(base), start, end: this.lastEnd() };
  });

  /** node ::= (NAME | NUMBER) (':' NAME)* propertyMap? */
  private readonly node = (): void => {
    const doc = this.doc();
    const start = this.nextStart();
    const id = this.oneOf(0, this.idForms);
    const labels = this.maybe(0, T.Colon, this.labelList) ?? none;
    const properties = this.maybe(1, T.LCurly, this.propertyMap) ?? none;
    this.keep({ id, labels, properties, doc, start, end: this.lastEnd() } satisfies NodeTerm);
  };

  private readonly labelList = (): readonly Name[] => {
    const base = this.top;
    this.oneLabel();
    this.several(0, T.Colon, this.oneMoreLabel);
    return this.collect<Name>(base);
  };

  private readonly oneLabel = () => {
    this.CONSUME(T.Colon);
    this.CONSUME1(T.Word);
    this.keep(this.name());
  };

  private readonly oneMoreLabel = () => {
    this.CONSUME1(T.Colon);
    this.CONSUME2(T.Word);
    this.keep(this.name());
  };

  private readonly idForms = choice(
    [
      T.Word,
      (): string => {
        this.CONSUME(T.Word);
        return this.lastText();
      },
    ],
    [
      T.NumberLiteral,
      (): string => {
        this.CONSUME(T.NumberLiteral);
        return this.numericId();
      },
    ],
  );

  /** propertyMap ::= '{' (property (',' property)* ','?)? '}' */
  private readonly propertyMap = (): readonly Property[] => {
    this.CONSUME3(T.LCurly);
    const base = this.top;
    do this.several(3, T.Word, this.oneProperty);
    while (this.isProperty());
    this.CONSUME3(T.RCurly);
    return this.collect<Property>(base);
  };

  private readonly oneProperty = () => {
    const base = this.top;
    try {
      this.property();
    } catch (error) {
      // A broken property costs itself, not its map and its statement.
      if (!isRecognitionException(error as Error)) throw error;
      this.top = base;
      this.skipProperty();
    }
    if (!this.takes(3, T.Comma) && this.isNext(T.Word)) this.missingComma();
  };

  /** property ::= NAME (':' | '=') value ('=' value)? */
  private property(): void {
    const doc = this.doc();
    const start = this.nextStart();
    this.CONSUME3(T.Word);
    const key = this.lastText();
    if (this.isNext(T.Equals)) this.currIdx++;
    else this.CONSUME3(T.Colon);
    this.depth = 0;
    const value = this.oneOf(4, this.valueForms);
    const fallback = this.maybe(4, T.Equals, this.fallback);
    this.keep({ key, value, fallback, doc, start, end: this.lastEnd() } satisfies Property);
  }

  private readonly fallback = (): Value => {
    this.CONSUME4(T.Equals);
    return this.SUBRULE(this.value);
  };

  /** value ::= STRING | NUMBER | 'true' | 'false' | 'null' | NAME '!'? | list */
  private readonly value = this.rule('value', (): Value => this.oneOf(0, this.valueForms));

  private readonly valueForms = choice(
    [
      T.StringLiteral,
      (): Value => {
        this.CONSUME4(T.StringLiteral);
        return this.stringValue();
      },
    ],
    [
      T.Word,
      (): Value => {
        this.CONSUME4(T.Word);
        return this.wordValue();
      },
    ],
    [
      T.NumberLiteral,
      (): Value => {
        this.CONSUME4(T.NumberLiteral);
        return this.numberValue();
      },
    ],
    [T.LSquare, (): Value => this.SUBRULE(this.list)],
    [
      T.LCurly,
      (): Value => {
        this.CONSUME4(T.LCurly);
        return this.nestedMap();
      },
    ],
  );

  /** list ::= '[' (value (',' value)* ','?)? ']' '!'? */
  private readonly list = this.rule('list', (): Value => {
    const start = this.nextStart();
    this.CONSUME(T.LSquare);
    const base = this.top;
    if (++this.depth > nestingLimit) this.tooDeep(start, T.LSquare, T.RSquare);
    this.MANY(this.oneItem);
    this.CONSUME(T.RSquare);
    const items = this.collect<Value>(base);
    const nonNull = this.takes(1, T.Bang);
    this.depth--;
    return { kind: 'List', items, nonNull, start, end: this.lastEnd() };
  });

  private readonly oneItem = () => {
    this.keep(this.SUBRULE(this.value));
    if (!this.takes(0, T.Comma) && this.isValue()) this.reportMissingComma();
  };

  /** callChain ::= NAME (call+ | '(' argument ')' call*) */
  private readonly callChain = this.rule('callChain', (): CallChain => {
    const doc = this.doc();
    this.CONSUME(T.Word);
    const first = this.name();
    const steps: Name[] = [];
    this.depth = 0;
    this.OR([
      {
        ALT: () => {
          steps.push(first);
          this.AT_LEAST_ONE(() => steps.push(this.SUBRULE(this.call)));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.LParen);
          this.SUBRULE(this.argument, { ARGS: [steps] });
          this.endOfCall(first);
          this.CONSUME(T.RParen);
          steps.push(first);
          this.MANY(() => {
            steps.push(this.SUBRULE1(this.call));
          });
        },
      },
    ]);
    return { kind: 'CallChain', steps, doc, start: first.start, end: this.lastEnd() };
  });

  /** call ::= '.' NAME '(' ')' */
  private readonly call = this.rule('call', (): Name => {
    this.CONSUME(T.Dot);
    this.CONSUME(T.Word);
    const name = this.name();
    this.CONSUME(T.LParen);
    this.endOfCall(name);
    this.CONSUME(T.RParen);
    return name;
  });

  /** argument ::= NAME ('(' argument ')')? */
  private readonly argument = this.rule('argument', (steps: Name[]): void => {
    this.CONSUME(T.Word);
    const name = this.name();
    this.OPTION(() => {
      const start = this.nextStart();
      this.CONSUME(T.LParen);
      if (++this.depth > nestingLimit) this.tooDeep(start, T.LParen, T.RParen);
      else this.SUBRULE(this.argument, { ARGS: [steps] });
      this.CONSUME(T.RParen);
    });
    this.ACTION(() => steps.push(name));
  });

  /** import ::= 'import' (nameList 'from')? STRING ';'? */
  private readonly importDeclaration = this.rule('importDeclaration', (): ImportDeclaration => {
    const start = this.nextStart();
    this.CONSUME(T.Import);
    const names = this.OPTION(() => {
      const list = this.SUBRULE(this.nameList);
      this.CONSUME(T.Word);
      if (this.lastText() !== 'from' && !this.RECORDING_PHASE) this.expected('“from”', -1);
      return list;
    });
    this.CONSUME(T.StringLiteral);
    const specifierStart = this.lastStart();
    const specifierEnd = this.lastEnd();
    const specifier = textOfString(this.text, specifierStart, specifierEnd);
    this.takes(1, T.Semicolon);
    return { kind: 'Import', names, specifier, specifierStart, specifierEnd, start, end: this.lastEnd() };
  });

  /** export ::= 'export' nameList ';'? */
  private readonly exportDeclaration = this.rule('exportDeclaration', (): ExportDeclaration => {
    const start = this.nextStart();
    this.CONSUME(T.Export);
    const names = this.SUBRULE(this.nameList);
    this.takes(0, T.Semicolon);
    return { kind: 'Export', names, start, end: this.lastEnd() };
  });

  /** nameList ::= '{' (NAME (',' NAME)* ','?)? '}' */
  private readonly nameList = this.rule('nameList', (): readonly Name[] => {
    this.CONSUME(T.LCurly);
    const names: Name[] = [];
    this.MANY(() => {
      this.CONSUME(T.Word);
      names.push(this.name());
      if (!this.takes(0, T.Comma) && this.isNext(T.Word)) this.renamedImport();
    });
    this.CONSUME(T.RCurly);
    return names;
  });

  /** Declares a rule. A broken one ends at once; `propertyMap` and the caller decide where to go on. */
  private rule<Arguments extends unknown[], Result>(name: string, body: (...args: Arguments) => Result) {
    return this.RULE(name, body, { resyncEnabled: false });
  }

  private keep(item: unknown): void {
    this.collected[this.top++] = item;
  }

  private collect<Item>(base: number): Item[] {
    const { collected } = this;
    const length = this.top - base;
    this.top = base;
    // Most lists have few items, and a literal is made in a fraction of the time of a slice.
    if (length === 1) return [collected[base]] as Item[];
    if (length === 2) return [collected[base], collected[base + 1]] as Item[];
    if (length === 3) return [collected[base], collected[base + 1], collected[base + 2]] as Item[];
    if (length === 4) {
      return [collected[base], collected[base + 1], collected[base + 2], collected[base + 3]] as Item[];
    }
    return collected.slice(base, base + length) as Item[];
  }

  // What the token that was consumed last stands for.

  private lastText(): string {
    return this.text.slice(this.lastStart(), this.lastEnd());
  }

  private name(): Name {
    return {
      name: this.lastText(),
      start: this.lastStart(),
      end: this.lastEnd(),
    };
  }

  private stringValue(): Value {
    return stringAt(this.text, this.lastStart(), this.lastEnd());
  }

  private numberValue(): Value {
    return numberAt(this.text, this.lastStart(), this.lastEnd());
  }

  private wordValue(): Value {
    const start = this.lastStart();
    const end = this.lastEnd();
    if (!this.takes(5, T.Bang)) return wordAt(this.text, start, end);
    return requiredWordAt(this.text, start, end, this.lastEnd());
  }

  private numericId(): string {
    const id = this.lastText();
    if (/^\w+$/.test(id) || this.RECORDING_PHASE) return id;
    const suggestion = id.replace(/\W/g, '_');
    this.find(diagnose('GG1016', { name: id, suggestion }, this.span(this.lastStart(), this.lastEnd())));
    return suggestion;
  }

  private bareGroup(): NodeGroup {
    const { name: id, start, end } = this.name();
    if (!this.RECORDING_PHASE) {
      const span = this.span(start, end);
      const fix = { description: `Write (${id})`, edits: [{ span, text: `(${id})` }] };
      this.find(diagnose('GG1011', { name: id }, span, { fix }));
    }
    const node: NodeTerm = { id, labels: none, properties: none, doc: undefined, start, end };
    return { nodes: [node], start, end };
  }

  private doc(): string | undefined {
    return this.docs.before(this.currIdx + 1);
  }

  // What the language does not have, but people write.

  /** `-[name:TYPE]->` and `-[TYPE]->`: the word is passed over; without a colon it is the type. */
  private edgeVariable(): string | undefined {
    this.currIdx++;
    const word = this.lastText();
    this.typeStart = this.lastStart();
    if (this.isNext(T.Colon)) {
      this.find(diagnose('GG1010', { variable: word }, this.span(this.lastStart(), this.lastEnd())));
      return undefined;
    }
    this.expected('“:”', -1);
    return word;
  }

  private edgeType(): string {
    const type = this.lastText();
    this.typeStart = this.lastStart();
    if (!this.isEdgeType(type) && !this.RECORDING_PHASE) {
      const upper = type.toUpperCase();
      const span = this.span(this.lastStart(), this.lastEnd());
      const fix = { description: `Write ${upper}`, edits: [{ span, text: upper }] };
      this.find(diagnose('GG1012', { type, upper }, span, { fix }));
    }
    if (this.isNext(T.Pipe)) {
      const start = this.nextStart();
      while (this.isNext(T.Pipe) || this.isNext(T.Colon) || this.isNext(T.Word)) this.currIdx++;
      this.find(diagnose('GG1009', {}, this.span(start, this.lastEnd())));
    }
    return type;
  }

  /** A topology has a handful of edge types, so each is only looked at once. */
  protected isEdgeType(name: string): boolean {
    if (this.edgeTypes.has(name)) return true;
    const isType = /^[A-Z][A-Z0-9_]*$/.test(name);
    if (isType && this.edgeTypes.size < 100) this.edgeTypes.add(name);
    return isType;
  }

  private nestedMap(): Value {
    const start = this.lastStart();
    if (!this.RECORDING_PHASE) this.find(diagnose('GG1018', {}, this.span(start, start + 1)));
    this.skipBalanced(T.LCurly, T.RCurly);
    this.CONSUME4(T.RCurly);
    return { kind: 'Null', start, end: this.lastEnd() };
  }

  private tooDeep(start: number, open: typeof T.LParen, close: typeof T.LParen): void {
    if (this.RECORDING_PHASE) return;
    this.find(diagnose('GG1006', { limit: nestingLimit }, this.span(start, start + 1)));
    this.skipBalanced(open, close);
  }

  private endOfCall({ name }: Name): void {
    if (this.RECORDING_PHASE || this.isNext(T.RParen) || this.isAtEnd()) return;
    const start = this.nextStart();
    const from = this.currIdx;
    while (!this.isNext(T.RParen) && !this.isNext(T.LParen) && !this.isAtEnd()) this.currIdx++;
    if (this.isNext(T.RParen)) this.find(diagnose('GG1015', { name }, this.span(start, this.lastEnd())));
    else this.currIdx = from;
  }

  private renamedImport(): void {
    const start = this.nextStart();
    while (this.isNext(T.Word)) this.currIdx++;
    const found = quoted(this.text.slice(start, this.lastEnd()));
    this.find(diagnose('GG1019', { found }, this.span(start, this.lastEnd())));
    if (this.isNext(T.Comma)) this.currIdx++;
  }

  /** Two properties with nothing between them lack a comma; anything else is passed over. */
  private missingComma(): void {
    if (this.isNext(T.Colon, 1) || this.isNext(T.Equals, 1)) {
      this.reportMissingComma();
      return;
    }
    this.expected('“,” or “}”');
    this.skipProperty();
    if (this.isNext(T.Comma)) this.currIdx++;
  }

  private reportMissingComma(): void {
    const end = this.lastEnd();
    const before = this.describeNext();
    const fix = { description: 'Insert a comma', edits: [{ span: this.span(end, end), text: ',' }] };
    this.find(diagnose('GG1005', { before }, this.span(end, end), { fix }));
  }

  /** Looks behind the last property: true when something stood there that had to be passed over. */
  private isProperty(): boolean {
    if (this.RECORDING_PHASE || this.isNext(T.RCurly) || this.isPropertyEnd()) return false;
    this.expected('a property');
    this.skipProperty();
    if (this.isNext(T.Comma)) this.currIdx++;
    return true;
  }

  /** Moves to the comma or the bracket behind a broken property. */
  private skipProperty(): void {
    while (!this.isNext(T.Comma) && !this.isNext(T.RCurly) && !this.isPropertyEnd()) {
      const opens = this.isNext(T.LSquare) ? T.RSquare : this.isNext(T.LCurly) ? T.RCurly : undefined;
      const type = this.isNext(T.LSquare) ? T.LSquare : T.LCurly;
      this.currIdx++;
      if (opens === undefined) continue;
      this.skipBalanced(type, opens);
      if (this.isNext(opens)) this.currIdx++;
    }
  }

  /** Whether the next token can only stand behind the map that is being read. */
  private isPropertyEnd(): boolean {
    return (
      this.isNext(T.RParen) ||
      this.isNext(T.EdgeClose) ||
      this.isNext(T.EdgeOpen) ||
      this.isNext(T.LParen) ||
      this.isAtEnd()
    );
  }

  /** Moves to the bracket that closes the one just read, or to where it can no longer come. */
  private skipBalanced(open: typeof T.LParen, close: typeof T.LParen): void {
    for (let depth = 0; !this.isAtEnd(); this.currIdx++) {
      if (this.isNext(open)) depth++;
      else if (this.isNext(close) && depth-- === 0) return;
      else if (open !== T.LParen && this.isNext(T.RParen)) return;
    }
  }

  private isValue(): boolean {
    return (
      this.isNext(T.Word) ||
      this.isNext(T.StringLiteral) ||
      this.isNext(T.NumberLiteral) ||
      this.isNext(T.LSquare)
    );
  }

  /** Notes a syntax error at the next token, or at one `ahead` of it. */
  protected expected(expected: string, ahead = 0): void {
    this.syntaxErrors.push({ expected, token: this.currIdx + 1 + ahead });
  }

  /** How a diagnostic speaks of the next token. */
  protected describeNext(): string {
    return this.describe(this.currIdx + 1);
  }

  /** How a diagnostic speaks of a token. */
  protected describe(token: number): string {
    const { starts, ends, length } = this.tokens;
    if (token >= length) return 'the end of the file';
    const text = this.text.slice(starts[token], ends[token]);
    return quoted(text.length > 30 ? `${text.slice(0, 29)}…` : text);
  }

  protected find(diagnostic: Diagnostic): void {
    this.findings.push(diagnostic);
  }

  protected span(start: number, end: number): Span {
    return { file: this.file.name, start, end };
  }
}

/** What is expected where none of several parts fits, told by the tokens that they begin with. */
function expectation(firsts: readonly (TokenType | undefined)[]): string {
  if (firsts.includes(T.Import)) return 'a node or an edge';
  if (firsts.includes(T.StringLiteral)) return 'a value';
  if (firsts.includes(T.NumberLiteral)) return 'the name of a node';
  if (firsts.includes(T.Dot)) return 'a call';
  return firsts.includes(T.EdgeOpen) ? 'an edge' : 'a node';
}

/** One array for all that have nothing, so that a tree does not hold thousands of empty ones. */
const none: readonly never[] = [];

function quoted(text: string): string {
  return `“${text}”`;
}
