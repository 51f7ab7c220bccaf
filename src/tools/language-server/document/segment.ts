import { parse } from '../../../compiler/syntax/parse.js';

/** A separately parsed part of a file. Offsets are relative to it, so edits before it do not change it. */
export type Segment = ReturnType<typeof parseSegment>;

export function parseSegment(name: string, text: string) {
  const { value, diagnostics } = parse({ name, text });
  return { text, statements: value.statements, comments: value.comments, diagnostics };
}

/**
 * Whether this segment and the next can be parsed independently, provided that the next begins with a line break,
 * comments and a parenthesis.
 *
 * They can when the segment ends with a statement without errors: the parser has recovered from every earlier error by
 * then, and forgets what was left open where a line begins with a parenthesis. Two errors reach further: a block of
 * another language may still be open, and a comment of another language is reported once per file. A doc comment after
 * the last statement belongs to the next one.
 */
export function isSettled({ statements, comments, diagnostics }: Segment): boolean {
  const last = statements.at(-1);
  if (last === undefined) return false;
  for (const { code, severity, span } of diagnostics) {
    if (code === 'GG1013' || code === 'GG1014') return false;
    if (severity === 'error' && span.end > last.start) return false;
  }
  const lastDoc = comments.findLast(({ kind }) => kind === 'doc');
  return lastDoc === undefined || lastDoc.start < last.end;
}
