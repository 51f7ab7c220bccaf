import { type Diagnostic, diagnose, hasErrors } from '../diagnostics/diagnostic.js';
import type { Outcome } from '../diagnostics/outcome.js';
import type { SourceFile } from '../source/source-file.js';
import type { Comment, Document, GraphAST, Statement } from './ast.js';
import { Grammar } from './grammar.js';
import { errorLimit } from './irregular.js';
import { endOfPart, tokenize } from './lexer.js';

/**
 * Parses one source. It never fails: a mistake costs the property or the statement it stands in, is
 * reported once, and the parser reads on behind it.
 */
export function parse(source: SourceFile): Outcome<Document> {
  grammar ??= new Grammar();
  const { text } = source;
  const statements: Statement[] = [];
  const comments: Comment[] = [];
  const diagnostics: Diagnostic[] = [];
  // Tokens of one part at a time are garbage before the collector would move them.
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = endOfPart(text, from);
    let tokens = tokenize(source, from, to);
    let part = grammar.read(source, tokens);
    if (part.findings.length + tokens.diagnostics.length > 0 && to < text.length) {
      // A mistake may reach beyond the part, so the rest of the text is read in one piece.
      to = text.length;
      tokens = tokenize(source, from, to);
      part = grammar.read(source, tokens);
    }
    for (const statement of part.statements) statements.push(statement);
    for (const comment of tokens.comments) comments.push(comment);
    diagnostics.push(...tokens.diagnostics, ...part.findings);
  }
  diagnostics.sort((a, b) => a.span.start - b.span.start);
  if (diagnostics.length >= errorLimit) {
    const { end } = (diagnostics[errorLimit - 1] as Diagnostic).span;
    const span = { file: source.name, start: end, end };
    diagnostics.splice(errorLimit, diagnostics.length, diagnose('GG1020', { limit: errorLimit }, span));
  }
  return { value: { file: source, statements, comments }, diagnostics };
}

/**
 * Parses several sources into one tree, and reports a topology without a node. Imports are left as they
 * are written.
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

/** Made at the first parse, because the analysis of the grammar takes some milliseconds. */
let grammar: Grammar | undefined;

function holdsNode({ statements }: Document): boolean {
  return statements.some(({ kind }) => kind === 'Pipeline' || kind === 'CallChain');
}
