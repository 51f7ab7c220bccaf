import { type Diagnostic, diagnose, hasErrors } from '../diagnostics/diagnostic.js';
import type { Outcome } from '../diagnostics/outcome.js';
import type { SourceFile } from '../source/source-file.js';
import type { Document, GraphAST, Statement } from './ast.js';
import { Grammar } from './grammar.js';
import { type KeptTape, PlainPipeline } from './plain-pipeline.js';
import { endOfPipeline } from './plain-shape.js';
import { errorLimit, scan } from './scan.js';
import type { Mismatch } from './tape-parser.js';
import { sentinels, TapeBuffer, type TokenTape } from './token-tape.js';
import * as T from './tokens.js';

/**
 * Parses one source. It never fails: a mistake costs the property or the statement it stands in, is
 * reported once, and the rest is read on.
 */
export function parse(source: SourceFile): Outcome<Document> {
  parser ??= new DocumentParser();
  return parser.document(source);
}

/**
 * Parses several sources into one tree, with what there is to say about all of them together; imports
 * are left as they are written.
 */
export function parseTopology(sources: readonly SourceFile[]): Outcome<GraphAST> {
  const outcomes = sources.map(parse);
  const documents = outcomes.map((outcome) => outcome.value);
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  return {
    value: { kind: 'GraphAST', documents },
    diagnostics: diagnostics.concat(requireNodes(documents, diagnostics)),
  };
}

/** A topology without a single node is an error, unless one of the errors before explains it. */
export function requireNodes(
  documents: readonly Document[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const file = documents[0]?.file.name ?? '';
  if (hasErrors(diagnostics) || documents.some(holdsNode)) return [];
  return [diagnose('GG1017', {}, { file, start: 0, end: 0 })];
}

/** Analysing the grammar takes some milliseconds, so one parser is made and kept; it holds no input. */
let parser: DocumentParser | undefined;

/** Goes from statement to statement, and from a broken one to where the next can begin. */
class DocumentParser extends Grammar {
  /** How many blocks of another language are open around the next token. */
  private foreignDepth = 0;
  private readonly buffer = new TapeBuffer();
  /** What the tree of this source keeps of the tape, once there is a statement that needs it. */
  private kept: KeptTape | undefined = undefined;

  document(source: SourceFile): Outcome<Document> {
    const tape = scan(source, this.buffer);
    this.read(source, tape);
    this.foreignDepth = 0;
    this.kept = undefined;
    const statements: Statement[] = [];
    while (!this.isAtEnd() && this.findings.length < errorLimit) {
      if (this.foreignDepth > 0) this.insideForeignBlock(statements);
      else if (this.isForeignBlock()) this.openForeignBlock();
      else this.next(statements);
    }
    const diagnostics = [...tape.diagnostics, ...this.findings].sort((a, b) => a.span.start - b.span.start);
    if (diagnostics.length >= errorLimit) {
      const at = (diagnostics[errorLimit - 1] as Diagnostic).span.end;
      diagnostics.splice(
        errorLimit,
        diagnostics.length,
        diagnose('GG1020', { limit: errorLimit }, this.span(at, at)),
      );
    }
    const document = { file: source, statements, comments: tape.comments };
    // The parser outlives the call; the text must not.
    this.read({ name: '', text: '' }, tape);
    this.kept = undefined;
    return { value: document, diagnostics };
  }

  /** Reads one statement, reports what is wrong with it, and ends where the next may begin. */
  private next(statements: Statement[]): void {
    const plain = this.plainPipeline();
    if (plain !== undefined) {
      statements.push(plain);
      return;
    }
    this.beginStatement();
    const first = this.currIdx + 1;
    const findings = this.findings.length;
    // Most statements begin with a parenthesis; asking for the rule by name saves a look at the others.
    const statement = this.isNext(T.LParen) ? this.pipeline() : this.otherStatement();
    if (statement !== undefined) statements.push(statement);
    else this.skipStatement(first);
    if (this.syntaxErrors.length > 0 || this.findings.length > findings) this.report(first, findings);
  }

  /** Takes the next statement without the rules of the grammar, if nothing can be said against it. */
  private plainPipeline(): PlainPipeline | undefined {
    const first = this.currIdx + 1;
    const behind = endOfPipeline(this.types, first, this.isEdgeTypeAt);
    if (behind === -1) return undefined;
    this.currIdx = behind - 1;
    this.kept ??= keep(this.file.text, this.tokens);
    return new PlainPipeline(this.kept, first, behind - 1);
  }

  private readonly isEdgeTypeAt = (token: number) =>
    this.isEdgeType(this.file.text.slice(this.starts[token], this.ends[token]));

  /** A name and a parenthesis are a call only on one line; over two lines the name is a mistake. */
  private otherStatement(): Statement | undefined {
    if (this.isNext(T.Word) && this.isNext(T.LParen, 1)) {
      const { starts, ends } = this.tokens;
      const between = this.file.text.slice(ends[this.currIdx + 1], starts[this.currIdx + 2]);
      if (/[\n\r]/.test(between)) {
        this.expected('a node or an edge');
        return undefined;
      }
    }
    return this.statement();
  }

  /**
   * Turns what the grammar found into diagnostics. Where the scanner has reported a mistake inside
   * the statement, what the grammar says of it is a consequence and is left out.
   */
  private report(first: number, findings: number): void {
    const { starts, ends, diagnostics } = this.tokens;
    const start = starts[first] as number;
    const isConsequence = (end: number) =>
      diagnostics.some(
        ({ span, severity }) => severity === 'error' && span.start >= start && span.start <= end,
      );
    const last = this.findings.at(-1);
    if (this.findings.length > findings && last?.severity === 'error' && isConsequence(last.span.end)) {
      this.findings.length = findings;
    }
    let previous = -2;
    for (const error of this.syntaxErrors) {
      const end = ends[Math.min(error.token, this.tokens.length - 1)] as number;
      // An error right behind another one is the same mistake seen again.
      if (error.token > previous + 1 && !isConsequence(end)) this.find(this.explain(error));
      previous = error.token;
    }
    this.syntaxErrors.length = 0;
  }

  private explain({ expected, token }: Mismatch): Diagnostic {
    const { types, starts, ends, length } = this.tokens;
    const start = starts[token] as number;
    const previousEnd = token === 0 ? 0 : (ends[token - 1] as number);
    // A bracket that is missing before a new line is missed at the end of the line that lacks it; but a
    // closing bracket on the new line shows that the one inside it was to stand there as well.
    const isMissed = expected.startsWith('“') && !closers.has(types[token] as number);
    const isNextLine = token > 0 && /[\n\r]/.test(this.file.text.slice(previousEnd, start));
    if (token >= length || (isMissed && isNextLine)) {
      const found = token >= length ? this.describe(token) : 'the end of the line';
      return diagnose('GG1001', { found, expected }, this.span(previousEnd, previousEnd));
    }
    return diagnose(
      'GG1001',
      { found: this.describe(token), expected },
      this.span(start, ends[token] as number),
    );
  }

  /** Moves to where a statement can begin: a line that starts like one, or `(` right after `)`. */
  private skipStatement(first: number): void {
    if (this.currIdx + 1 === first) this.currIdx++;
    while (!this.isAtEnd() && !this.isStatementStart()) this.currIdx++;
  }

  private isStatementStart(): boolean {
    if (this.isNext(T.Import) || this.isNext(T.Export)) return true;
    if (this.isNext(T.LParen)) return this.isNext(T.RParen, -1) || this.isFirstOnLine();
    if (!this.isNext(T.Word) || !this.isFirstOnLine()) return false;
    return (
      this.isNext(T.EdgeOpen, 1) || this.isNext(T.Dot, 1) || this.isNext(T.LParen, 1) || this.isForeignBlock()
    );
  }

  private isFirstOnLine(): boolean {
    return /[\n\r]/.test(this.file.text.slice(this.lastEnd(), this.nextStart()));
  }

  /** `word … {`: the head of a block, which other languages have and this one has not. */
  private isForeignBlock(): boolean {
    if (!this.isNext(T.Word)) return false;
    for (let ahead = 1; ahead <= maxHeadTokens; ahead++) {
      if (this.isNext(T.LCurly, ahead)) return true;
      if (
        !this.isNext(T.Word, ahead) &&
        !this.isNext(T.StringLiteral, ahead) &&
        !this.isNext(T.NumberLiteral, ahead)
      ) {
        return false;
      }
    }
    return false;
  }

  private openForeignBlock(): void {
    const word = this.file.text.slice(this.nextStart(), this.tokens.ends[this.currIdx + 1]);
    const start = this.nextStart();
    while (!this.isNext(T.LCurly)) this.currIdx++;
    this.find(diagnose('GG1013', { word }, this.span(start, this.lastEnd())));
    this.currIdx++;
    this.foreignDepth = 1;
  }

  /** Takes the edges in a foreign block and passes over the rest of it without a word. */
  private insideForeignBlock(statements: Statement[]): void {
    if (this.isNext(T.LParen)) {
      this.beginStatement();
      const first = this.currIdx + 1;
      const findings = this.findings.length;
      const pipeline = this.pipeline();
      if (pipeline !== undefined && pipeline.hops.length > 0) {
        statements.push(pipeline);
        this.report(first, findings);
        return;
      }
      this.findings.length = findings;
      this.syntaxErrors.length = 0;
      this.currIdx = first - 1;
    }
    if (this.isNext(T.LCurly)) this.foreignDepth++;
    if (this.isNext(T.RCurly)) this.foreignDepth--;
    this.currIdx++;
    // What else stands on the line of the last brace belongs to the block.
    if (this.foreignDepth === 0) while (!this.isAtEnd() && !this.isFirstOnLine()) this.currIdx++;
  }
}

/** The tokens of a source, for as long as its tree lives: the tape itself is written over by the next. */
function keep(text: string, { types, starts, ends, docs, length }: TokenTape): KeptTape {
  const end = length + sentinels;
  return { text, types: types.slice(0, end), starts: starts.slice(0, end), ends: ends.slice(0, end), docs };
}

const closers = new Set([T.RParen, T.RCurly, T.RSquare, T.EdgeClose].map(T.indexOf));

/** More words than this before a brace are prose, not the head of a block. */
const maxHeadTokens = 8;

function holdsNode({ statements }: Document): boolean {
  return statements.some(({ kind }) => kind === 'Pipeline' || kind === 'CallChain');
}
