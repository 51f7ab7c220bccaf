import { type Diagnostic, type DiagnosticFix, hasErrors } from '../../diagnostics/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { Replacement } from '../document/segmented-text.js';
import type { AnalyzedTopology } from './analyzed-topology.js';
import type { TopologyFile } from './topology-file.js';

/** The files and topologies that findings are about. */
interface Topologies {
  file(path: string): TopologyFile | undefined;
  rootsOf(path: string): readonly string[];
  analyze(root: string): AnalyzedTopology;
}

/**
 * What there is to say about each file right now. What the parser says is known after each edit. What the
 * later phases say is worked out when the typing pauses; until then their findings move along with the text.
 */
export class Findings {
  readonly #workspace: Topologies;
  /** What was said of each file when it was last compiled, by path. */
  readonly #compiled = new Map<string, Compiled>();

  constructor(workspace: Topologies) {
    this.#workspace = workspace;
  }

  /** The findings of a file, at their places in its text as it is now. */
  of(file: TopologyFile): readonly Diagnostic[] {
    const compiled = this.#compiled.get(file.path);
    if (compiled?.stamp === file.stamp) return compiled.all;
    const syntax = file.segments.diagnostics();
    if (hasErrors(syntax)) return syntax;
    const told = syntax.filter((finding) => compiled?.ignored.has(sentenceOf(finding)) !== true);
    return [...told, ...(compiled?.later ?? [])].sort((a, b) => a.span.start - b.span.start);
  }

  /** Takes over an edit of a file: findings behind it move, those that it touches have had their time. */
  edited({ path }: TopologyFile, edits: readonly Replacement[]): void {
    const compiled = this.#compiled.get(path);
    if (compiled === undefined || compiled.later.length === 0) return;
    this.#compiled.set(path, { ...compiled, later: edits.reduce(moveThrough, compiled.later) });
  }

  /**
   * Compiles the topologies of a file and takes over what they say.
   *
   * @returns the paths of all files that they are made of
   */
  compile(file: TopologyFile): ReadonlySet<string> {
    const roots = this.#workspace.rootsOf(file.path).slice(0, maxTopologies);
    const topologies = roots.map((root) => this.#workspace.analyze(root));
    const paths = new Set([file.path, ...topologies.flatMap((topology) => topology.paths)]);
    const found = new Map<string, Map<string, Diagnostic>>([...paths].map((path) => [path, new Map()]));
    for (const { analysis } of topologies) {
      // Several topologies may say the same of a file that they share.
      for (const finding of analysis.diagnostics) found.get(finding.span.file)?.set(keyOf(finding), finding);
    }
    for (const [path, findings] of found) {
      const one = this.#workspace.file(path);
      if (one === undefined) continue;
      const all = [...findings.values()].sort((a, b) => a.span.start - b.span.start);
      const syntax = one.segments.diagnostics();
      const ignored = syntax.filter((finding) => !findings.has(keyOf(finding)));
      for (const said of syntax) findings.delete(keyOf(said));
      this.#compiled.set(path, {
        stamp: one.stamp,
        all,
        later: [...findings.values()],
        ignored: new Set(ignored.map(sentenceOf)),
      });
    }
    return paths;
  }
}

/** What was said of a file when its topologies were compiled. */
interface Compiled {
  /** The stamp that the file had. */
  readonly stamp: number;
  readonly all: readonly Diagnostic[];
  /** What the phases behind the parser said. */
  readonly later: readonly Diagnostic[];
  /** What the parser says and a comment asks to ignore, as sentences. */
  readonly ignored: ReadonlySet<string>;
}

/** More topologies than this are not compiled for one file: what they say of it is nearly always the same. */
const maxTopologies = 16;

function keyOf({ code, message, span }: Diagnostic): string {
  return `${span.start} ${span.end} ${code} ${message}`;
}

function sentenceOf({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}

/** The findings after an edit; without those that it touches. */
function moveThrough(findings: readonly Diagnostic[], edit: Replacement): readonly Diagnostic[] {
  return findings.flatMap((finding) => {
    const span = moveSpan(finding.span, edit);
    if (span === undefined) return [];
    const { fix: _fix, ...rest } = finding;
    const labels = finding.labels.flatMap((label) => {
      if (label.span.file !== finding.span.file) return [label];
      const moved = moveSpan(label.span, edit);
      return moved === undefined ? [] : [{ ...label, span: moved }];
    });
    const fix = finding.fix && moveFix(finding.fix, edit);
    return [{ ...rest, span, labels, ...(fix === undefined ? {} : { fix }) }];
  });
}

/** A fix is safe only as a whole: when one of its places is touched it is gone. */
function moveFix(fix: DiagnosticFix, edit: Replacement): DiagnosticFix | undefined {
  const edits = fix.edits.flatMap((one) => {
    const span = moveSpan(one.span, edit);
    return span === undefined ? [] : [{ ...one, span }];
  });
  return edits.length === fix.edits.length ? { ...fix, edits } : undefined;
}

function moveSpan(span: Span, { start, end, text }: Replacement): Span | undefined {
  if (span.end < start) return span;
  if (span.start < end || (span.start === end && start === end)) return undefined;
  const by = text.length - (end - start);
  return { ...span, start: span.start + by, end: span.end + by };
}
