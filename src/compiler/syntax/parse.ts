import { type Diagnostic, diagnose, hasErrors, type Outcome } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import { wholeFile } from '../../base/source/span.js';
import { withSvcSpan } from '../../base/tracing/svc-tracing.js';
import type { Comment, Document, Statement } from './ast.js';
import { Grammar } from './grammar.js';
import { errorLimit } from './irregular.js';
import { endOfPart, tokenize } from './lexer.js';

/**
 * Parses one source. It never fails: a mistake is reported once, the parser skips the property or the
 * statement that contains it and continues after it.
 */
export function parse(source: SourceFile): Outcome<Document> {
  return withSvcSpan('gg.parse', (span) => {
    span.setAttributes({ 'gg.file': source.name, 'gg.file.length': source.text.length });
    return parseText(source);
  });
}

function parseText(source: SourceFile): Outcome<Document> {
  grammar ??= new Grammar();
  const { text } = source;
  const statements: Statement[] = [];
  const comments: Comment[] = [];
  const diagnostics: Diagnostic[] = [];
  // The tokens of one part are garbage before the collector would move them.
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = endOfPart(text, from);
    let tokens = tokenize(source, from, to);
    let part = grammar.read(source, tokens);
    if (part.findings.length + tokens.diagnostics.length > 0 && to < text.length) {
      // A mistake may continue beyond the part, so the rest of the text is read as one part.
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

/** Reports a topology without a node, unless there are errors that explain it. */
export function requireNodes(
  documents: readonly Document[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const file = documents[0]?.file.name ?? '';
  if (hasErrors(diagnostics) || documents.some(holdsNode)) return [];
  return [diagnose('GG1017', {}, wholeFile(file))];
}

/** Made at the first parse, because the analysis of the grammar takes some milliseconds. */
let grammar: Grammar | undefined;

function holdsNode({ statements }: Document): boolean {
  return statements.some(({ kind }) => kind === 'Pipeline' || kind === 'CallChain');
}
