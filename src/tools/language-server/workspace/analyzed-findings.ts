import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { FileFindings } from './findings.js';
import { sentenceOf } from './findings.js';
import type { Workspace } from './workspace.js';

/** The roots of all topologies that contain an open file. */
export function rootsOfOpenFiles(workspace: Workspace): readonly string[] {
  const roots = workspace.openFiles.flatMap(({ path }) => workspace.rootsOf(path).slice(0, maxTopologies));
  return [...new Set(roots)];
}

/** More topologies of one file nearly always have the same findings about it. */
const maxTopologies = 16;

/** The findings of every file of the topologies that contain an open file. */
export function findingsOf(workspace: Workspace): FileFindings[] {
  const topologies = rootsOfOpenFiles(workspace).map((root) => workspace.analyze(root));
  const open = workspace.openFiles.map(({ path }) => path);
  const paths = new Set([...open, ...topologies.flatMap((topology) => topology.paths)]);
  const found = new Map<string, Map<string, Diagnostic>>([...paths].map((path) => [path, new Map()]));
  for (const { analysis } of topologies) {
    // Topologies that share a file may have the same findings about it.
    for (const finding of analysis.diagnostics) found.get(finding.span.file)?.set(keyOf(finding), finding);
  }
  return [...found].flatMap(([path, findings]) => {
    const syntax = workspace.file(path)?.segments.diagnostics();
    if (syntax === undefined) return [];
    const all = [...findings.values()].sort((a, b) => a.span.start - b.span.start);
    const ignored = syntax.filter((finding) => !findings.has(keyOf(finding))).map(sentenceOf);
    for (const finding of syntax) findings.delete(keyOf(finding));
    return { path, all, later: [...findings.values()], ignored };
  });
}

function keyOf({ code, message, span }: Diagnostic): string {
  return `${span.start} ${span.end} ${code} ${message}`;
}
