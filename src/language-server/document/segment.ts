import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Comment, Statement } from '../../syntax/ast.js';
import { parse } from '../../syntax/parse.js';

/**
 * A stretch of a file that is parsed by itself. All offsets in it count from its own beginning, so that
 * an edit before it moves it without touching it.
 */
export interface Segment {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
  /** What the parser has to say about it, in the order of the places. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a stretch of the file of that name. */
export function parseSegment(name: string, text: string): Segment {
  const { value, diagnostics } = parse({ name, text });
  return { text, statements: value.statements, comments: value.comments, diagnostics };
}

/**
 * Whether what follows can be parsed without knowing this segment, and this one without knowing what
 * follows, provided that the next begins with a line break, comments and a parenthesis.
 *
 * It is so when the segment ends with a statement that was read without a mistake. Whatever went wrong
 * before that, the parser had found its way again, and had not looked further than into that statement.
 * Three mistakes reach further: a block of another language may still be open, a comment of another
 * language is told of once in a file, and an arrow that points to the left is remembered up to the next
 * edge. A doc comment behind the last statement belongs to the next.
 */
export function isSettled({ statements, comments, diagnostics }: Segment): boolean {
  const last = statements.at(-1);
  if (last === undefined) return false;
  for (const { code, severity, span } of diagnostics) {
    if (code === 'GG1013' || code === 'GG1014') return false;
    if (code === 'GG1007' && !(last.kind === 'Pipeline' && last.hops.length > 0)) return false;
    if (severity === 'error' && span.end > last.start) return false;
  }
  const lastDoc = comments.findLast(({ kind }) => kind === 'doc');
  return lastDoc === undefined || lastDoc.start < last.end;
}
