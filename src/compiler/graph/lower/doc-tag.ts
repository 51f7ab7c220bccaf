import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphDraft } from './graph-draft.js';

/** A tag of a doc comment, at its place. */
export interface DocTag {
  readonly name: string;
  /** The text behind the name, to the end of the line. */
  readonly text: string;
  /** From the `@` to the end of the text. */
  readonly span: Span;
}

/** Reports a tag without the value that it needs (GG2036). */
export function reportBadValue(draft: GraphDraft, { name, span }: DocTag, expected: string): void {
  draft.diagnostics.push(diagnose('GG2036', { tag: name, expected }, span));
}

/** Reports a tag at a place where it has no meaning (GG2037). */
export function reportMisplaced(draft: GraphDraft, { name, span }: DocTag, place: string): void {
  draft.diagnostics.push(diagnose('GG2037', { tag: name, place }, span));
}

/** Reports a tag that says another thing than one before it (GG2038). */
export function reportContradiction(draft: GraphDraft, second: DocTag, first: DocTag): void {
  const [one, other] = [textOf(second), textOf(first)];
  const labels = [{ span: first.span, message: `${other} is here` }];
  draft.diagnostics.push(diagnose('GG2038', { one, other }, second.span, { labels }));
}

function textOf({ name, text }: DocTag): string {
  return `@${name} ${text}`;
}
