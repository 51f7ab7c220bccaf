import { type Diagnostic, hasErrors } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { moveFinding, type Replacement } from '../document/segmented-text.js';
import type { TopologyFile } from './topology-file.js';

/** Requests a list of `FileFindings`: those of all topologies that contain an open file. */
export const findingsMethod = 'gg-svc/findings';

export interface FileFindings {
  readonly path: string;
  readonly all: readonly Diagnostic[];
  /** The findings of the phases after the parser. */
  readonly later: readonly Diagnostic[];
  /** The messages of the parser's findings that a comment ignores. */
  readonly ignored: readonly string[];
}

/**
 * The findings of each file for its current text. Those of the parser are known after each edit. Those of the later
 * phases come from an analysis, when typing pauses; until then they move along with the text.
 */
export class Findings {
  /** The findings of the last analysis, by path, and whether the text has not changed since. */
  readonly #analyzed = new Map<string, FileFindings & { readonly isCurrent: boolean }>();

  of(file: TopologyFile): readonly Diagnostic[] {
    const analyzed = this.#analyzed.get(file.path);
    if (analyzed?.isCurrent === true) return analyzed.all;
    const syntax = file.segments.diagnostics();
    if (hasErrors(syntax) || analyzed === undefined) return syntax;
    const told = syntax.filter((finding) => !analyzed.ignored.includes(sentenceOf(finding)));
    return [...told, ...analyzed.later].sort((a, b) => a.span.start - b.span.start);
  }

  /** Applies edits of a file: findings after them move, findings that they touch are dropped. */
  edited({ path }: TopologyFile, edits: readonly Replacement[]): void {
    const analyzed = this.#analyzed.get(path);
    if (analyzed === undefined) return;
    const later = edits.reduce(moveThrough, analyzed.later);
    this.#analyzed.set(path, { ...analyzed, isCurrent: false, later });
  }

  analyzed(found: FileFindings): void {
    this.#analyzed.set(found.path, { ...found, isCurrent: true });
  }
}

/** A finding without its place. */
export function sentenceOf({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}

/** The findings after an edit; without those that it touches. */
function moveThrough(findings: readonly Diagnostic[], edit: Replacement): readonly Diagnostic[] {
  return findings.flatMap((finding) => {
    const { file } = finding.span;
    return moveFinding(finding, (span) => (span.file === file ? moveSpan(span, edit) : span)) ?? [];
  });
}

function moveSpan(span: Span, { start, end, text }: Replacement): Span | undefined {
  if (span.end < start) return span;
  if (span.start < end || (span.start === end && start === end)) return undefined;
  const by = text.length - (end - start);
  return { ...span, start: span.start + by, end: span.end + by };
}
