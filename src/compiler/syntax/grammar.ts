// Length: a Chevrotain grammar is one class, and its rules are best read together.
import { EOF, type ParserMethod, type TokenType } from 'chevrotain';
import { type Diagnostic, diagnose, writeInstead } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import type {
  CallChain,
  Comment,
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
import { errorLimit } from './irregular.js';
import { endOf, type Token, type TokenList } from './lexer.js';
import { numberValue, textOfString, wordValue } from './literals.js';
import { RecoveringParser } from './recovery.js';
import * as T from './tokens.js';

/** The maximum nesting of brackets: far beyond any real use, far below the limit of the call stack. */
const nestingLimit = 64;

/**
 * The grammar of `grammar/gg.ebnf`. Each rule returns its part of the tree. Common mistakes (an edge
 * without a type, a map in a map) are recognized by methods beside the rules, so that the rules describe
 * the language alone.
 *
 * Entering a rule costs as much as reading several tokens. So a node, a hop and a property are parts of the
 * rules that contain them. The functions passed to Chevrotain are fields, because creating them for each
 * token would cost more than parsing it.
 */
export class Grammar extends RecoveringParser {
  private statements: Statement[] = [];
  private docs: readonly Comment[] = [];
  private docAt = 0;
  /** The offset of the next doc comment; `Infinity` after the last. */
  private nextDoc = Number.POSITIVE_INFINITY;
  private depth = 0;
  /**
   * A stack of the items of the open repetitions. When a repetition ends, its items are cut off as an array
   * of exactly their number; arrays grown by `push` would keep unused capacity.
   */
  private readonly collected: unknown[] = [];
  private top = 0;

  constructor(skipValidations = true) {
    super(skipValidations);
    this.performSelfAnalysis();
  }

  /** Reads the statements of a token list and reports their mistakes. */
  read(
    file: SourceFile,
    { tokens, comments, diagnostics }: TokenList,
  ): { statements: Statement[]; findings: readonly Diagnostic[] } {
    const statements: Statement[] = [];
    this.statements = statements;
    this.file = file;
    this.lexical = diagnostics;
    this.docs = comments.filter(({ kind }) => kind === 'doc');
    this.moveDocs(0);
    this.input = tokens;
    this.topology();
    const findings = this.findings.splice(0);
    // The parser outlives the call and must not keep the text in memory.
    this.file = { name: '', text: '' };
    this.statements = [];
    this.lexical = none;
    this.docs = none;
    this.collected.length = 0;
    this.input = [];
    return { statements, findings };
  }

  /** topology ::= statement* */
  private readonly topology = this.RULE('topology', (): void => {
    do this.MANY(this.oneStatement);
    while (this.skipStray());
  });

  private readonly oneStatement = (): void => {
    if (this.isForeignBlock()) {
      this.foreignBlock();
      return;
    }
    const first = this.LA(1);
    const count = this.findings.length;
    this.top = 0;
    if (!this.isStrayWord() && this.attempt(this.statement)) {
      if (!this.hasMismatches && this.findings.length === count) return;
    } else {
      this.skipStatement(first);
      this.rewindDocs();
    }
    this.report(first.startOffset, count);
    this.stopAtLimit();
  };

  private readonly statement = (): void => {
    const statement = this.OR(this.statementForms);
    this.statements.push(statement);
  };

  private readonly statementForms = [
    { ALT: (): Statement => this.SUBRULE(this.pipeline) },
    { ALT: (): Statement => this.SUBRULE(this.named) },
    { ALT: (): Statement => this.SUBRULE(this.importDeclaration) },
    { ALT: (): Statement => this.SUBRULE(this.exportDeclaration) },
  ];

  /** pipeline ::= group hop* */
  private readonly pipeline = this.RULE('pipeline', (): Pipeline => {
    const doc = this.doc();
    const head = this.SUBRULE(this.group);
    const base = this.top;
    this.MANY(this.hop);
    const hops = this.collect<Hop>(base);
    return { kind: 'Pipeline', start: head.start, end: this.end(), head, hops, doc };
  });

  /** hop ::= '-[' ':' TYPE properties? ']->' (group | NAME) */
  private readonly hop = (): void => {
    const doc = this.doc();
    const start = this.CONSUME(T.EdgeOpen).startOffset;
    const word = this.edgeVariable();
    const typeToken = this.OPTION(this.colonAndType) ?? word;
    if (typeToken === undefined) this.find(diagnose('GG1008', {}, this.span(start, this.nextStart())));
    const type = typeToken?.image ?? '';
    const typeStart = typeToken?.startOffset ?? start;
    const properties = this.OPTION1(this.someProperties) ?? this.missingMap();
    this.sign(1, T.EdgeClose, beforeTarget);
    const target = this.OR(this.targets);
    this.keep({ type, typeStart, properties, target, doc, start, end: this.end() } satisfies Hop);
  };

  private readonly colonAndType = (): Token => {
    this.CONSUME(T.Colon);
    return this.edgeType(this.CONSUME(T.Word));
  };

  private readonly targets = [
    { ALT: (): NodeGroup => this.SUBRULE1(this.group) },
    { ALT: (): NodeGroup => this.bareGroup(this.CONSUME1(T.Word)) },
  ];

  /** group ::= '(' node (('|' | ',') node)* ')' */
  private readonly group = this.RULE('group', (): NodeGroup => {
    const base = this.top;
    const start = this.CONSUME(T.LParen).startOffset;
    this.AT_LEAST_ONE_SEP(this.nodes);
    this.sign(1, T.RParen, afterGroup);
    return { nodes: this.collect<NodeTerm>(base), start, end: this.end() };
  });

  /** node ::= (NAME | NUMBER) (':' NAME)* properties? */
  private readonly node = (): void => {
    const doc = this.doc();
    const token = this.OR(this.ids);
    const base = this.top;
    this.MANY(this.label);
    const labels = this.collect<Name>(base);
    const properties = this.OPTION(this.someProperties) ?? this.missingMap();
    const id = token.tokenType === T.NumberLiteral ? this.numericId(token) : token.image;
    this.keep({ id, labels, properties, doc, start: token.startOffset, end: this.end() } satisfies NodeTerm);
  };

  private readonly nodes = { SEP: T.Separator, DEF: this.node };

  private readonly ids = [{ ALT: () => this.CONSUME(T.Word) }, { ALT: () => this.CONSUME(T.NumberLiteral) }];

  private readonly label = (): void => {
    this.CONSUME(T.Colon);
    this.keep(nameOf(this.CONSUME1(T.Word)));
  };

  private readonly someProperties = (): readonly Property[] => this.SUBRULE(this.properties);

  /** properties ::= '{' (property (',' property)* ','?)? '}' */
  private readonly properties = this.RULE('properties', (): readonly Property[] => {
    this.CONSUME(T.LCurly);
    const base = this.top;
    do this.MANY(this.oneProperty);
    while (this.skipStrayProperty());
    this.sign(1, T.RCurly, afterProperties);
    return this.collect<Property>(base);
  });

  private readonly oneProperty = (): void => {
    const base = this.top;
    // A broken property is skipped; its map and its statement go on.
    if (!this.attempt(this.property)) {
      this.top = base;
      this.skipProperty();
    }
    if (this.OPTION2(this.comma) === undefined && this.isNext(T.Word)) this.missingComma();
  };

  /** property ::= NAME (parameters ':' | ':' | '=') value ('=' value)? */
  private readonly property = (): void => {
    const doc = this.doc();
    const token = this.CONSUME(T.Word);
    const hasSign = this.isNext(T.Equals) || !this.isMissing(T.Colon, beforeValue);
    const args = hasSign ? this.OR(this.signs) : undefined;
    this.depth = 0;
    const value = this.OR1(this.value1);
    const fallback = this.OPTION(this.fallback);
    const { startOffset: start, image: key } = token;
    const property = { key, value, fallback, doc, start, end: this.end() };
    this.keep((args === undefined ? property : { ...property, args }) satisfies Property);
  };

  private readonly signs = [
    { ALT: (): undefined => void this.CONSUME(T.Colon) },
    { ALT: (): undefined => void this.CONSUME(T.Equals) },
    {
      ALT: (): readonly Property[] => {
        const args = this.SUBRULE(this.parameters);
        this.sign(1, T.Colon, beforeValue);
        return args;
      },
    },
  ];

  /** parameters ::= '(' parameter (',' parameter)* ','? ')' */
  private readonly parameters = this.RULE('parameters', (): readonly Property[] => {
    this.CONSUME(T.LParen);
    const base = this.top;
    if (this.isNext(T.RParen)) this.expected('an argument');
    else if (!this.attempt(this.someParameters)) {
      // The parts of a broken parameter may be parts of a list.
      this.top = base;
      this.skipParameters();
    } else if (this.arrayForm()) this.skipParameters();
    this.sign(1, T.RParen, beforeSign);
    return this.collect<Property>(base);
  });

  private readonly someParameters = (): void => {
    this.AT_LEAST_ONE(this.parameter);
  };

  /** parameter ::= NAME ':' value ('=' value)? */
  private readonly parameter = (): void => {
    const doc = this.doc();
    const { startOffset: start, image: key } = this.CONSUME(T.Word);
    this.CONSUME2(T.Colon);
    this.depth = 0;
    const value = this.OR1(this.value1);
    const fallback = this.OPTION(this.fallback);
    this.keep({ key, value, fallback, doc, start, end: this.end() } satisfies Property);
    if (this.OPTION2(this.comma) === undefined && this.isNext(T.Word)) this.reportMissingComma();
  };

  private readonly fallback = (): Value => {
    this.CONSUME1(T.Equals);
    return this.OR2(this.value2);
  };

  private readonly comma = () => this.CONSUME(T.Comma);

  /** list ::= '[' (value (',' value)* ','?)? ']' '!'? */
  private readonly list: ParserMethod<[], Value> = this.RULE('list', (): Value => {
    const start = this.CONSUME(T.LSquare).startOffset;
    const base = this.top;
    if (++this.depth > nestingLimit) this.tooDeep(start, T.LSquare, T.RSquare);
    this.MANY(this.item);
    this.sign(1, T.RSquare, afterList);
    const items = this.collect<Value>(base);
    const nonNull = this.OPTION(this.bang) !== undefined;
    this.depth--;
    return { kind: 'List', items, nonNull, start, end: this.end() };
  });

  private readonly bang = () => this.CONSUME(T.Bang);

  private readonly item = (): void => {
    const doc = this.doc();
    const value = this.OR1(this.value1);
    this.keep(doc === undefined ? value : { ...value, doc });
    if (this.OPTION2(this.comma) === undefined && this.isValue()) this.reportMissingComma();
  };

  /** value ::= STRING | NUMBER | 'true' | 'false' | 'null' | NAME '!'? | list */
  private readonly value1 = this.valueForms(3);
  private readonly value2 = this.valueForms(4);

  /** The forms of a value, for the rules that contain one; `index` is their occurrence in the rule. */
  private valueForms(index: number) {
    const bang = () => this.consume(index, T.Bang);
    return [
      {
        ALT: (): Value => {
          const { image, startOffset: start } = this.consume(index, T.StringLiteral);
          return { kind: 'String', value: textOfString(image), start, end: start + image.length };
        },
      },
      {
        ALT: (): Value => {
          const { image, startOffset: start } = this.consume(index, T.Word);
          const nonNull = this.option(index, bang) !== undefined;
          return wordValue(image, nonNull, start, this.end());
        },
      },
      {
        ALT: (): Value => {
          const { image, startOffset: start } = this.consume(index, T.NumberLiteral);
          return numberValue(image, start, start + image.length);
        },
      },
      { ALT: (): Value => this.subrule(index, this.list) },
      { ALT: (): Value => this.nestedMap(index) },
    ];
  }

  /** named ::= NAME (hop+ | call+ | '(' argument ')' call*) */
  private readonly named = this.RULE('named', (): Pipeline | CallChain => {
    const doc = this.doc();
    const first = this.CONSUME2(T.Word);
    const { startOffset: start } = first;
    const steps: Name[] = [];
    let head: NodeGroup | undefined;
    const base = this.top;
    this.depth = 0;
    this.OR3([
      {
        ALT: () => {
          head = this.bareGroup(first);
          this.AT_LEAST_ONE(this.hop);
        },
      },
      {
        ALT: () => {
          steps.push(nameOf(first));
          this.AT_LEAST_ONE1(() => steps.push(this.SUBRULE2(this.call)));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.LParen);
          this.SUBRULE(this.argument, { ARGS: [steps] });
          this.endOfCall(first);
          this.sign(2, T.RParen, afterCall);
          steps.push(nameOf(first));
          this.MANY(() => steps.push(this.SUBRULE3(this.call)));
        },
      },
    ]);
    const hops = this.collect<Hop>(base);
    const end = this.end();
    if (head === undefined) return { kind: 'CallChain', steps, doc, start, end };
    return { kind: 'Pipeline', start, end, head, hops, doc };
  });

  /** call ::= '.' NAME '(' ')' */
  private readonly call = this.RULE('call', (): Name => {
    this.CONSUME(T.Dot);
    const token = this.CONSUME(T.Word);
    if (this.isCutOff()) return nameOf(token);
    this.sign(0, T.LParen, endOfCall);
    this.endOfCall(token);
    this.sign(1, T.RParen, afterCall);
    return nameOf(token);
  });

  /** argument ::= NAME ('(' argument ')')? */
  private readonly argument: ParserMethod<[Name[]], void> = this.RULE('argument', (steps: Name[]): void => {
    const token = this.CONSUME(T.Word);
    this.OPTION(() => {
      const start = this.CONSUME(T.LParen).startOffset;
      if (++this.depth > nestingLimit) this.tooDeep(start, T.LParen, T.RParen);
      else this.SUBRULE(this.argument, { ARGS: [steps] });
      this.sign(1, T.RParen, endOfCall);
    });
    this.ACTION(() => steps.push(nameOf(token)));
  });

  /** import ::= 'import' (names 'from')? STRING ';'? */
  private readonly importDeclaration = this.RULE('importDeclaration', (): ImportDeclaration => {
    const start = this.CONSUME(T.Import).startOffset;
    const names = this.OPTION(() => {
      const list = this.SUBRULE(this.names);
      const previous = this.LA(0);
      const token = this.CONSUME(T.Word);
      if (token.image !== 'from') this.expected('“from”', token, previous);
      return list;
    });
    const text = this.CONSUME(T.StringLiteral);
    if (this.isNext(T.Word) && this.isNext(T.Word, 2) && !this.isFirstOnLine()) this.renamedImport();
    this.OPTION1(this.semicolon);
    return {
      kind: 'Import',
      names,
      specifier: textOfString(text.image),
      specifierStart: text.startOffset,
      specifierEnd: endOf(text),
      start,
      end: this.end(),
    };
  });

  /** export ::= 'export' names ';'? */
  private readonly exportDeclaration = this.RULE('exportDeclaration', (): ExportDeclaration => {
    const start = this.CONSUME(T.Export).startOffset;
    const names = this.SUBRULE(this.names);
    this.OPTION1(this.semicolon);
    return { kind: 'Export', names, start, end: this.end() };
  });

  private readonly semicolon = () => this.CONSUME(T.Semicolon);

  /** names ::= '{' (NAME (',' NAME)* ','?)? '}' */
  private readonly names = this.RULE('names', (): readonly Name[] => {
    this.CONSUME(T.LCurly);
    const names: Name[] = [];
    this.MANY(() => {
      names.push(nameOf(this.CONSUME(T.Word)));
      if (this.OPTION(this.comma) === undefined && this.isNext(T.Word)) this.renamedImport();
    });
    this.sign(1, T.RCurly, afterNames);
    return names;
  });

  private keep(item: unknown): void {
    this.collected[this.top++] = item;
  }

  private collect<Item>(base: number): readonly Item[] {
    const { collected } = this;
    const length = this.top - base;
    this.top = base;
    // Most lists are short, and an array literal is much faster than a slice.
    if (length === 0) return none;
    if (length === 1) return [collected[base]] as Item[];
    if (length === 2) return [collected[base], collected[base + 1]] as Item[];
    if (length === 3) return [collected[base], collected[base + 1], collected[base + 2]] as Item[];
    if (length === 4) {
      return [collected[base], collected[base + 1], collected[base + 2], collected[base + 3]] as Item[];
    }
    return collected.slice(base, base + length) as Item[];
  }

  private end(): number {
    return endOf(this.LA(0));
  }

  private nextStart(): number {
    return this.isAtEnd() ? this.file.text.length : this.LA(1).startOffset;
  }

  // Doc comments.

  /** The doc comments directly before the next token. */
  private doc(): string | undefined {
    return this.LA(1).startOffset < this.nextDoc ? undefined : this.takeDocs();
  }

  private takeDocs(): string | undefined {
    const from = this.end();
    const to = this.nextStart();
    let text: string | undefined;
    let { docAt } = this;
    for (let doc = this.docs[docAt]; doc !== undefined && doc.start < to; doc = this.docs[++docAt]) {
      if (doc.start < from) continue;
      const line = docLine(this.file.text, doc);
      text = text === undefined ? line : `${text}\n${line}`;
    }
    this.moveDocs(docAt);
    return text;
  }

  private moveDocs(to: number): void {
    this.docAt = to;
    this.nextDoc = this.docs[to]?.start ?? Number.POSITIVE_INFINITY;
  }

  /** Returns to the doc comments before the next token, which a broken statement may have consumed. */
  private rewindDocs(): void {
    const from = this.end();
    let { docAt } = this;
    while (docAt > 0 && (this.docs[docAt - 1] as Comment).start >= from) docAt--;
    this.moveDocs(docAt);
  }

  // Common mistakes.

  /** Reports a top-level name that begins neither an edge nor a call. The parenthesis of a call is on its line. */
  private isStrayWord(): boolean {
    if (!this.isNext(T.Word) || this.isNext(T.EdgeOpen, 2) || this.isNext(T.Dot, 2)) return false;
    if (this.isNext(T.LParen, 2) && !this.breaksLine(this.LA(1), this.LA(2))) return false;
    if (this.isNext(T.Word, 2) && !this.breaksLine(this.LA(1), this.LA(2))) {
      const { image } = this.LA(1);
      if (image === 'import') this.find(this.importForm(this.LA(2)));
      if (image === 'export') this.expected(T.LCurly.LABEL as string, this.LA(2), this.LA(1));
      if (image === 'import' || image === 'export') return true;
    }
    this.expected('a node or an edge');
    return true;
  }

  private importForm(token: Token): Diagnostic {
    return diagnose('GG1019', { found: this.describeToken(token) }, this.spanOf(token));
  }

  /** Skips what cannot begin a statement; false at the end of the file. */
  private skipStray(): boolean {
    if (this.RECORDING_PHASE || this.isAtEnd()) return false;
    const first = this.LA(1);
    const count = this.findings.length;
    this.expected('a node or an edge');
    this.skipStatement(first);
    this.report(first.startOffset, count);
    this.stopAtLimit();
    return true;
  }

  private stopAtLimit(): void {
    if (this.findings.length >= errorLimit) while (!this.isAtEnd()) this.SKIP_TOKEN();
  }

  /** Keeps the edges inside a block of another language and skips the rest of it. */
  private foreignBlock(): void {
    const { image: word, startOffset: start } = this.LA(1);
    while (!this.isNext(T.LCurly)) this.SKIP_TOKEN();
    this.find(diagnose('GG1013', { word }, this.span(start, this.end())));
    this.SKIP_TOKEN();
    for (let depth = 1; depth > 0 && !this.isAtEnd(); ) {
      if (this.isNext(T.LParen) && this.foreignEdges()) continue;
      if (this.isNext(T.LCurly)) depth++;
      if (this.isNext(T.RCurly)) depth--;
      this.SKIP_TOKEN();
    }
    // The rest of the line of the last brace belongs to the block.
    while (!this.isAtEnd() && !this.isFirstOnLine()) this.SKIP_TOKEN();
    this.stopAtLimit();
  }

  /** Reads a pipeline inside a foreign block. If there is none, it neither consumes nor reports anything. */
  private foreignEdges(): boolean {
    const count = this.findings.length;
    const { startOffset: start } = this.LA(1);
    const isPipeline = this.BACKTRACK(this.pipeline).call(this);
    this.forget(count);
    this.rewindDocs();
    this.top = 0;
    if (!isPipeline) return false;
    const pipeline = this.SUBRULE9(this.pipeline);
    if (pipeline.hops.length > 0) {
      this.statements.push(pipeline);
      this.report(start, count);
    } else this.forget(count);
    return true;
  }

  /** Skips the word in `-[name:TYPE]->` and `-[TYPE]->`. Without a colon, it is returned as the type. */
  private edgeVariable(): Token | undefined {
    if (this.RECORDING_PHASE || !this.isNext(T.Word)) return undefined;
    const previous = this.LA(0);
    const word = this.LA(1);
    this.SKIP_TOKEN();
    if (this.isNext(T.Colon)) {
      this.find(diagnose('GG1010', { variable: word.image }, this.spanOf(word)));
      return undefined;
    }
    this.expected('“:”', word, previous);
    return word;
  }

  private edgeType(token: Token): Token {
    const { image: type } = token;
    if (!typeForm.test(type) && !this.RECORDING_PHASE) {
      const upper = type.toUpperCase();
      const span = this.spanOf(token);
      this.find(diagnose('GG1012', { type, upper }, span, writeInstead(upper, span)));
    }
    if (this.isNext(T.Pipe)) {
      const { startOffset: start } = this.LA(1);
      while (this.isNext(T.Pipe) || this.isNext(T.Colon) || this.isNext(T.Word)) this.SKIP_TOKEN();
      this.find(diagnose('GG1009', {}, this.span(start, this.end())));
    }
    return token;
  }

  private numericId(token: Token): string {
    const { image: name } = token;
    if (/^\w+$/.test(name)) return name;
    const suggestion = name.replace(/\W/g, '_');
    this.find(diagnose('GG1016', { name, suggestion }, this.spanOf(token)));
    return suggestion;
  }

  private bareGroup(token: Token): NodeGroup {
    const { image: id, startOffset: start } = token;
    const end = endOf(token);
    if (!this.RECORDING_PHASE) {
      const span = this.spanOf(token);
      const fix = { description: `Write (${id})`, edits: [{ span, text: `(${id})` }] };
      this.find(diagnose('GG1011', { name: id }, span, { fix }));
    }
    return { nodes: [{ id, labels: none, properties: none, doc: undefined, start, end }], start, end };
  }

  private nestedMap(index: number): Value {
    const { startOffset: start } = this.consume(index, T.LCurly);
    this.find(diagnose('GG1018', {}, this.span(start, start + 1)));
    if (!this.RECORDING_PHASE) this.skipBalanced(T.LCurly, T.RCurly);
    this.consume(index, T.RCurly);
    return { kind: 'Null', start, end: this.end() };
  }

  private tooDeep(start: number, open: TokenType, close: TokenType): void {
    if (this.RECORDING_PHASE) return;
    this.find(diagnose('GG1006', { limit: nestingLimit }, this.span(start, start + 1)));
    this.skipBalanced(open, close);
  }

  /** Reports a call without parentheses, if the next line begins with a node. */
  private isCutOff(): boolean {
    if (this.RECORDING_PHASE || !this.isNext(T.LParen) || this.isNext(T.RParen, 2)) return false;
    if (!this.isFirstOnLine()) return false;
    this.expected(T.LParen.LABEL as string);
    return true;
  }

  private endOfCall({ image: name }: Token): void {
    if (this.RECORDING_PHASE) return;
    let distance = 1;
    while (!inCall.has(this.LA(distance).tokenType)) distance++;
    if (distance === 1 || !this.isNext(T.RParen, distance)) return;
    const { startOffset: start } = this.LA(1);
    for (; distance > 1; distance--) this.SKIP_TOKEN();
    this.find(diagnose('GG1015', { name }, this.span(start, this.end())));
  }

  private renamedImport(): void {
    const { startOffset: start } = this.LA(1);
    while (this.isNext(T.Word)) this.SKIP_TOKEN();
    const found = `“${this.file.text.slice(start, this.end())}”`;
    this.find(diagnose('GG1019', { found }, this.span(start, this.end())));
    this.skips(T.Comma);
  }

  /** Reports a missing `{` before properties, also where parentheses stand for the braces, and skips the properties. */
  private missingMap(): readonly Property[] {
    if (this.RECORDING_PHASE) return none;
    const isKey = this.isNext(T.Word) && (this.isNext(T.Colon, 2) || this.isNext(T.Equals, 2));
    if (!isKey && !this.isMapInParentheses()) return none;
    this.expected(T.LCurly.LABEL as string);
    if (!isKey) this.SKIP_TOKEN();
    while (!behindMap.has(this.LA(1).tokenType)) this.SKIP_TOKEN();
    if (!this.skips(T.RCurly) && !isKey) this.skips(T.RParen);
    return none;
  }

  /** Whether `(key: … )]->` comes next, inside an edge. */
  private isMapInParentheses(): boolean {
    if (!this.isNext(T.LParen) || !this.isNext(T.Word, 2) || !this.isNext(T.Colon, 3)) return false;
    let distance = 4;
    while (!behindMap.has(this.LA(distance).tokenType)) distance++;
    return this.isNext(T.RParen, distance) && this.isNext(T.EdgeClose, distance + 1);
  }

  /** Reports a missing comma between two properties; skips anything else. */
  private missingComma(): void {
    if (this.isNext(T.Colon, 2) || this.isNext(T.Equals, 2)) {
      this.reportMissingComma();
      return;
    }
    this.expected('“,” or “}”');
    this.skipProperty();
    this.skips(T.Comma);
  }

  private reportMissingComma(): void {
    const end = this.end();
    const span = this.span(end, end);
    const fix = { description: 'Insert a comma', edits: [{ span, text: ',' }] };
    this.find(diagnose('GG1005', { before: this.describeToken(this.LA(1)) }, span, { fix }));
  }

  /** Skips tokens that begin no property; false at the end of the map. */
  private skipStrayProperty(): boolean {
    if (this.RECORDING_PHASE || this.isNext(T.RCurly) || this.isPropertyEnd()) return false;
    if (!this.arrayForm()) this.expected('a property');
    this.skipProperty();
    this.skips(T.Comma);
    return true;
  }

  /** Reports `String[]`, of which `String` was read. */
  private arrayForm(): boolean {
    const hasBang = this.isNext(T.Bang, 0);
    const word = hasBang ? this.LA(-1) : this.LA(0);
    if (!this.isNext(T.LSquare) || !this.isNext(T.RSquare, 2) || word.tokenType !== T.Word) return false;
    this.SKIP_TOKEN();
    this.SKIP_TOKEN();
    const list = `[${word.image}${hasBang ? '!' : ''}]${this.skips(T.Bang) ? '!' : ''}`;
    const span = this.span(word.startOffset, this.end());
    const found = this.file.text.slice(span.start, span.end);
    this.find(diagnose('GG1023', { found, list }, span, writeInstead(list, span)));
    return true;
  }

  /** Skips the rest of a broken list of parameters, to a token that can only come after it. */
  private skipParameters(): void {
    while (!this.isAtEnd() && !this.isNext(T.RParen) && !this.isNext(T.RCurly) && !this.isNext(T.EdgeOpen)) {
      this.SKIP_TOKEN();
    }
  }

  private isValue(): boolean {
    return beforeValue.has(this.LA(1).tokenType);
  }
}

function nameOf({ image: name, startOffset: start }: Token): Name {
  return { name, start, end: start + name.length };
}

/** A line of documentation without its slashes and the one space after them. */
function docLine(text: string, { start, end }: Comment): string {
  const space = text.charCodeAt(start + 3) === 32 ? 1 : 0;
  return text.slice(start + 3 + space, end).trimEnd();
}

/** Shared by all empty lists, so that a tree does not hold thousands of empty arrays. */
const none: readonly never[] = [];

/** A map without its opening bracket ends before one of these. */
const behindMap = new Set<TokenType>([T.RCurly, T.RParen, T.EdgeClose, T.EdgeOpen, EOF]);

const typeForm = /^[A-Z][A-Z0-9_]*$/;

/** Tokens that can follow a sign: where one of them comes instead of the sign, the sign is missing. */
const beforeTarget = new Set<TokenType>([T.LParen, T.Word]);
const beforeValue = new Set<TokenType>([T.Word, T.StringLiteral, T.NumberLiteral, T.LSquare]);
const beforeSign = new Set<TokenType>([T.Colon]);
const afterGroup = new Set<TokenType>([T.EdgeOpen]);
const afterProperties = new Set<TokenType>([T.Pipe, T.Comma, T.RParen, T.EdgeClose]);
const afterList = new Set<TokenType>([T.Comma, T.Equals, T.RCurly, T.RSquare]);
const afterCall = new Set<TokenType>([T.Dot]);
const afterNames = new Set<TokenType>([T.StringLiteral]);
const endOfCall = new Set<TokenType>([T.RParen]);
const inCall = new Set<TokenType>([T.RParen, T.LParen, EOF]);
