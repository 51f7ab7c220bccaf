import { hasErrors, type Outcome } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import { parse } from '../syntax/parse.js';
import * as T from '../syntax/tokens.js';
import { divide, printInline, printLeading, printTrailing } from './comments.js';
import { concat, render } from './layout.js';
import { printStatement } from './print-statement.js';
import { TokenReader } from './token-reader.js';

/**
 * Formats a topology: the same statements and comments, in the layout that `docs/formatting.md`
 * describes. Formatting is idempotent.
 *
 * Lines end like the first line of the source, in `\n` or `\r\n`. A byte order mark is removed.
 *
 * @param source - One file. Its imports are not read.
 * @returns The formatted text and no diagnostics; or, for a source with syntax errors, its text unchanged
 *   and the errors.
 * @example
 * ```ts
 * import { formatTopology } from 'gg-svc/ast';
 *
 * const { value, diagnostics } = formatTopology({ name: 'a.gg', text: '(a)-[:FORK]->(b,c)' });
 * if (diagnostics.length === 0) console.log(value); // (a)-[:FORK]->(b | c)
 * ```
 */
export function formatTopology(source: SourceFile): Outcome<string> {
  const { diagnostics } = parse(source);
  if (hasErrors(diagnostics)) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return { value: source.text, diagnostics: errors };
  }
  const text = printFile(new TokenReader(source));
  const firstBreak = source.text.indexOf('\n');
  const hasReturns = firstBreak > 0 && source.text[firstBreak - 1] === '\r';
  return { value: hasReturns ? text.replaceAll('\n', '\r\n') : text, diagnostics: [] };
}

function printFile(reader: TokenReader): string {
  const chunks: string[] = [];
  let gap = reader.gap();
  let { comments: leading } = gap;
  /** The breaks between the statements of one line of the source. */
  let breaks: number[] = [];
  while (!reader.isAtEnd) {
    const { isSpaced, startsLine } = leading[0] ?? gap;
    pushLine(chunks, isSpaced);
    breaks = startsLine || chunks.length === 0 ? [] : [...breaks, chunks.length - 1];
    const statement = [printLeading(leading, gap, true), printStatement(reader)];
    const end = readEnd(reader);
    const { kept, close, trailing } = end;
    const semicolon = kept.length === 0 ? '' : concat([printInline(kept), ';']);
    chunks.push(render(concat([...statement, semicolon, printTrailing([...close, ...trailing])])));
    // The comment ignores findings of its whole line.
    if (trailing.some(({ text }) => text.includes('gg-ignore'))) for (const at of breaks) chunks[at] = ' ';
    gap = end.gap;
    leading = end.leading;
  }
  const rest = render(printLeading(leading, gap, true)).trimEnd();
  if (rest !== '') {
    pushLine(chunks, leading[0]?.isSpaced === true);
    chunks.push(rest);
  }
  return chunks.length === 0 ? '' : `${chunks.join('')}\n`;
}

/** Ends the previous line, if there is one. */
function pushLine(chunks: string[], leavesEmpty: boolean): void {
  if (chunks.length > 0) chunks.push(leavesEmpty ? '\n\n' : '\n');
}

/** Reads the comments after a statement, and the semicolon that an import may have. */
function readEnd(reader: TokenReader) {
  const before = reader.gap();
  if (!reader.isNext(T.Semicolon)) return { ...divide([], before.comments, !reader.isAtEnd), gap: before };
  reader.take(T.Semicolon);
  const gap = reader.gap();
  return { ...divide(before.comments, gap.comments, !reader.isAtEnd), gap };
}
