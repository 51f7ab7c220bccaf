import { type IToken, isRecognitionException } from 'chevrotain';
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
  StringValue,
  Value,
} from './ast.js';
import { docBefore } from './doc-comment.js';
import { textOfString } from './string-text.js';
import { TapeParser } from './tape-parser.js';
import type { TokenTape } from './token-tape.js';
import * as T from './tokens.js';

/** How deep brackets may nest: far beyond any use, far below where a call stack ends. */
export const nestingLimit = 64;

/**
 * The grammar of `grammar/gg.ebnf`, one method a rule, building the tree as it goes. What the language
 * does not have but people write (an edge without a type, a map in a map) is looked for by hand beside
 * the rules, so that the rules themselves stay the language.
 *
 * Alternatives are made once and kept in fields, because a rule that makes them anew each time spends
 * more on that than on parsing.
 */
export class Grammar extends TapeParser {
  /** Findings of the grammar's own, beside the syntax errors that Chevrotain finds. */
  protected readonly findings: Diagnostic[] = [];
  protected file: SourceFile = { name: '', text: '' };
  private text = '';
  private depth = 0;

  constructor() {
    super(expectations);
    this.performSelfAnalysis();
  }

  /** Takes a source and its tokens as the next input. */
  protected read(file: SourceFile, tape: TokenTape): void {
    this.load(tape);
    this.file = file;
    this.text = file.text;
    this.findings.length = 0;
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
    const hops: Hop[] = [];
    this.MANY(() => {
      hops.push(this.SUBRULE(this.hop));
    });
    return { kind: 'Pipeline', start: head.start, end: this.previousEnd(), head, hops, doc };
  });

  /** barePipeline ::= NAME hop+ */
  private readonly barePipeline = this.rule('barePipeline', (): Pipeline => {
    const doc = this.doc();
    const head = this.bareGroup(this.CONSUME(T.Word));
    const hops: Hop[] = [];
    this.AT_LEAST_ONE(() => {
      hops.push(this.SUBRULE(this.hop));
    });
    return { kind: 'Pipeline', start: head.start, end: this.previousEnd(), head, hops, doc };
  });

  /** hop ::= '-[' ':' TYPE propertyMap? ']->' (group | NAME) */
  private readonly hop = this.rule('hop', (): Hop => {
    const doc = this.doc();
    const start = this.CONSUME(T.EdgeOpen).startOffset;
    let type = this.edgeVariable();
    this.OPTION(() => {
      this.CONSUME(T.Colon);
      type = this.edgeType(this.name(this.CONSUME(T.Word)));
    });
    if (type === undefined) this.find(diagnose('GG1008', {}, this.span(start, this.nextStart())));
    const properties = this.OPTION1(this.optionalMap) ?? none;
    this.CONSUME(T.EdgeClose);
    const target = this.OR(this.targetForms);
    return {
      type: type?.name ?? '',
      typeStart: type?.start ?? start,
      properties,
      target,
      doc,
      start,
      end: this.previousEnd(),
    };
  });

  private readonly targetForms = [
    { ALT: (): NodeGroup => this.SUBRULE(this.group) },
    { ALT: (): NodeGroup => this.bareGroup(this.CONSUME1(T.Word)) },
  ];

  private readonly optionalMap = (): readonly Property[] => this.SUBRULE(this.propertyMap);

  /** group ::= '(' node (('|' | ',') node)* ')' */
  private readonly group = this.rule('group', (): NodeGroup => {
    const start = this.CONSUME(T.LParen).startOffset;
    const nodes = [this.SUBRULE(this.node)];
    this.MANY(() => {
      this.OR(this.separators);
      nodes.push(this.SUBRULE1(this.node));
    });
    this.CONSUME(T.RParen);
    return { nodes, start, end: this.previousEnd() };
  });

  private readonly separators = [{ ALT: () => this.CONSUME(T.Pipe) }, { ALT: () => this.CONSUME(T.Comma) }];

  /** node ::= (NAME | NUMBER) (':' NAME)* propertyMap? */
  private readonly node = this.rule('node', (): NodeTerm => {
    const doc = this.doc();
    const start = this.nextStart();
    const id = this.OR(this.idForms);
    let labels: Name[] | undefined;
    this.MANY(() => {
      this.CONSUME(T.Colon);
      const label = this.name(this.CONSUME1(T.Word));
      if (labels === undefined) labels = [label];
      else labels.push(label);
    });
    const properties = this.OPTION(this.optionalMap) ?? none;
    return { id, idStart: start, labels: labels ?? none, properties, doc, start, end: this.previousEnd() };
  });

  private readonly idForms = [
    { ALT: (): string => this.slice(this.CONSUME(T.Word)) },
    { ALT: (): string => this.numericId(this.CONSUME(T.NumberLiteral)) },
  ];

  /** propertyMap ::= '{' (property (',' property)* ','?)? '}' */
  private readonly propertyMap = this.rule('propertyMap', (): readonly Property[] => {
    this.CONSUME(T.LCurly);
    const properties: Property[] = [];
    const one = () => {
      try {
        properties.push(this.SUBRULE(this.property));
      } catch (error) {
        // A broken property costs itself, not its map and its statement.
        if (!isRecognitionException(error as Error)) throw error;
        this.skipProperty();
      }
      if (this.OPTION(this.comma) === undefined && this.isNext(T.Word)) this.missingComma();
    };
    do this.MANY(one);
    while (this.isProperty());
    this.CONSUME(T.RCurly);
    return properties;
  });

  private readonly comma = () => this.CONSUME(T.Comma);

  /** property ::= NAME (':' | '=') value ('=' value)? */
  private readonly property = this.rule('property', (): Property => {
    const doc = this.doc();
    const token = this.CONSUME(T.Word);
    const start = token.startOffset;
    const key = this.slice(token);
    this.OR(this.signs);
    this.depth = 0;
    const value = this.SUBRULE(this.value);
    const fallback = this.OPTION(this.fallback);
    return { key, value, fallback, doc, start, end: this.previousEnd() };
  });

  private readonly signs = [{ ALT: () => this.CONSUME(T.Colon) }, { ALT: () => this.CONSUME(T.Equals) }];

  private readonly fallback = (): Value => {
    this.CONSUME1(T.Equals);
    return this.SUBRULE1(this.value);
  };

  /** value ::= STRING | NUMBER | 'true' | 'false' | 'null' | NAME '!'? | list */
  private readonly value = this.rule('value', (): Value => this.OR(this.valueForms));

  private readonly valueForms = [
    { ALT: (): Value => this.stringValue(this.CONSUME(T.StringLiteral)) },
    { ALT: (): Value => this.wordValue(this.CONSUME(T.Word)) },
    { ALT: (): Value => this.numberValue(this.CONSUME(T.NumberLiteral)) },
    { ALT: (): Value => this.SUBRULE(this.list) },
    { ALT: (): Value => this.nestedMap(this.CONSUME(T.LCurly)) },
  ];

  /** list ::= '[' (value (',' value)* ','?)? ']' '!'? */
  private readonly list = this.rule('list', (): Value => {
    const start = this.CONSUME(T.LSquare).startOffset;
    const items: Value[] = [];
    if (++this.depth > nestingLimit) this.tooDeep(start, T.LSquare, T.RSquare);
    this.MANY(() => {
      items.push(this.SUBRULE(this.value));
      if (this.OPTION(this.comma) === undefined && this.isValue()) this.reportMissingComma();
    });
    this.CONSUME(T.RSquare);
    const nonNull = this.OPTION1(this.bang) !== undefined;
    this.depth--;
    return { kind: 'List', items, nonNull, start, end: this.previousEnd() };
  });

  private readonly bang = () => this.CONSUME(T.Bang);

  /** callChain ::= NAME (call+ | '(' argument ')' call*) */
  private readonly callChain = this.rule('callChain', (): CallChain => {
    const doc = this.doc();
    const first = this.name(this.CONSUME(T.Word));
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
    return { kind: 'CallChain', steps, doc, start: first.start, end: this.previousEnd() };
  });

  /** call ::= '.' NAME '(' ')' */
  private readonly call = this.rule('call', (): Name => {
    this.CONSUME(T.Dot);
    const name = this.name(this.CONSUME(T.Word));
    this.CONSUME(T.LParen);
    this.endOfCall(name);
    this.CONSUME(T.RParen);
    return name;
  });

  /** argument ::= NAME ('(' argument ')')? */
  private readonly argument = this.rule('argument', (steps: Name[]): void => {
    const name = this.name(this.CONSUME(T.Word));
    this.OPTION(() => {
      const start = this.CONSUME(T.LParen).startOffset;
      if (++this.depth > nestingLimit) this.tooDeep(start, T.LParen, T.RParen);
      else this.SUBRULE(this.argument, { ARGS: [steps] });
      this.CONSUME(T.RParen);
    });
    this.ACTION(() => steps.push(name));
  });

  /** import ::= 'import' (nameList 'from')? STRING ';'? */
  private readonly importDeclaration = this.rule('importDeclaration', (): ImportDeclaration => {
    const { startOffset: start } = this.CONSUME(T.Import);
    const names = this.OPTION(() => {
      const list = this.SUBRULE(this.nameList);
      const from = this.name(this.CONSUME(T.Word));
      if (from.name !== 'from' && !this.RECORDING_PHASE) this.expected('“from”', -1);
      return list;
    });
    const { startOffset: specifierStart, endOffset } = this.CONSUME(T.StringLiteral);
    const specifierEnd = endOffset as number;
    const specifier = textOfString(this.text, specifierStart, specifierEnd);
    this.OPTION1(() => this.CONSUME(T.Semicolon));
    return { kind: 'Import', names, specifier, specifierStart, specifierEnd, start, end: this.previousEnd() };
  });

  /** export ::= 'export' nameList ';'? */
  private readonly exportDeclaration = this.rule('exportDeclaration', (): ExportDeclaration => {
    const { startOffset: start } = this.CONSUME(T.Export);
    const names = this.SUBRULE(this.nameList);
    this.OPTION(() => this.CONSUME(T.Semicolon));
    return { kind: 'Export', names, start, end: this.previousEnd() };
  });

  /** nameList ::= '{' (NAME (',' NAME)* ','?)? '}' */
  private readonly nameList = this.rule('nameList', (): readonly Name[] => {
    this.CONSUME(T.LCurly);
    const names: Name[] = [];
    this.MANY(() => {
      names.push(this.name(this.CONSUME(T.Word)));
      if (this.OPTION(this.comma) === undefined && this.isNext(T.Word)) this.renamedImport();
    });
    this.CONSUME(T.RCurly);
    return names;
  });

  /** Declares a rule. A broken one ends at once; `propertyMap` and the caller decide where to go on. */
  private rule<Arguments extends unknown[], Result>(name: string, body: (...args: Arguments) => Result) {
    return this.RULE(name, body, { resyncEnabled: false });
  }

  // What a token stands for. Each of these reads the offsets of its token at once.

  private slice(token: IToken): string {
    return this.text.slice(token.startOffset, token.endOffset);
  }

  private name(token: IToken): Name {
    const { startOffset: start } = token;
    const end = token.endOffset as number;
    return { name: this.text.slice(start, end), start, end };
  }

  private stringValue(token: IToken): StringValue {
    const { startOffset: start } = token;
    const end = token.endOffset as number;
    return { kind: 'String', value: textOfString(this.text, start, end), start, end };
  }

  private numberValue(token: IToken): Value {
    const { startOffset: start } = token;
    const end = token.endOffset as number;
    const digits = this.text.slice(start, end);
    return { kind: 'Number', value: Number(digits), integer: /^-?\d+$/.test(digits), start, end };
  }

  private wordValue(token: IToken): Value {
    const { startOffset: start } = token;
    const end = token.endOffset as number;
    const name = this.text.slice(start, end);
    if (name === 'true' || name === 'false') return { kind: 'Boolean', value: name === 'true', start, end };
    if (name === 'null') return { kind: 'Null', start, end };
    const nonNull = this.OPTION(this.bang) !== undefined;
    return { kind: 'Word', name, nonNull, start, end: this.previousEnd() };
  }

  private numericId(token: IToken): string {
    const { name: id, start, end } = this.name(token);
    if (/^\w+$/.test(id) || this.RECORDING_PHASE) return id;
    const suggestion = id.replace(/\W/g, '_');
    this.find(diagnose('GG1016', { name: id, suggestion }, this.span(start, end)));
    return suggestion;
  }

  private bareGroup(token: IToken): NodeGroup {
    const { name: id, start, end } = this.name(token);
    if (!this.RECORDING_PHASE) {
      const span = this.span(start, end);
      const fix = { description: `Write (${id})`, edits: [{ span, text: `(${id})` }] };
      this.find(diagnose('GG1011', { name: id }, span, { fix }));
    }
    const node: NodeTerm = { id, idStart: start, labels: none, properties: none, doc: undefined, start, end };
    return { nodes: [node], start, end };
  }

  private doc(): string | undefined {
    return this.tokens.docs.length === 0 ? undefined : docBefore(this.tokens, this.text, this.currIdx + 1);
  }

  // What the language does not have, but people write.

  /** `-[name:TYPE]->` and `-[TYPE]->`: the word is passed over; without a colon it is the type. */
  private edgeVariable(): Name | undefined {
    if (!this.isNext(T.Word)) return undefined;
    const word = this.takeName();
    if (this.isNext(T.Colon)) {
      this.find(diagnose('GG1010', { variable: word.name }, this.span(word.start, word.end)));
      return undefined;
    }
    this.expected('“:”', -1);
    return word;
  }

  private edgeType(type: Name): Name {
    if (!/^[A-Z][A-Z0-9_]*$/.test(type.name) && !this.RECORDING_PHASE) {
      const upper = type.name.toUpperCase();
      const span = this.span(type.start, type.end);
      const fix = { description: `Write ${upper}`, edits: [{ span, text: upper }] };
      this.find(diagnose('GG1012', { type: type.name, upper }, span, { fix }));
    }
    if (this.isNext(T.Pipe)) {
      const start = this.nextStart();
      while (this.isNext(T.Pipe) || this.isNext(T.Colon) || this.isNext(T.Word)) this.currIdx++;
      this.find(diagnose('GG1009', {}, this.span(start, this.previousEnd())));
    }
    return type;
  }

  private nestedMap(token: IToken): Value {
    const { startOffset: start } = token;
    if (!this.RECORDING_PHASE) this.find(diagnose('GG1018', {}, this.span(start, start + 1)));
    this.skipBalanced(T.LCurly, T.RCurly);
    this.CONSUME(T.RCurly);
    return { kind: 'Null', start, end: this.previousEnd() };
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
    if (this.isNext(T.RParen)) this.find(diagnose('GG1015', { name }, this.span(start, this.previousEnd())));
    else this.currIdx = from;
  }

  private renamedImport(): void {
    const start = this.nextStart();
    while (this.isNext(T.Word)) this.currIdx++;
    const found = quoted(this.text.slice(start, this.previousEnd()));
    this.find(diagnose('GG1019', { found }, this.span(start, this.previousEnd())));
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
    const end = this.previousEnd();
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

  /** Consumes a word outside the rules. */
  private takeName(): Name {
    this.currIdx++;
    return this.name(this.LA_FAST(0));
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

/** What a rule expects where none of its alternatives fits. */
const expectations: ReadonlyMap<string, string> = new Map([
  ['statement', 'a node or an edge'],
  ['hop', 'a node'],
  ['group', 'a node'],
  ['node', 'the name of a node'],
  ['property', '“:”'],
  ['value', 'a value'],
  ['callChain', 'a call'],
]);

/** One array for all that have nothing, so that a tree does not hold thousands of empty ones. */
const none: readonly never[] = [];

function quoted(text: string): string {
  return `“${text}”`;
}
