import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import type { Comment, Located, NodeTerm, Statement } from '../../../compiler/syntax/ast.js';
import { groupsOf } from '../names/edges.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import { type Feature, listFor } from './feature.js';

/** Folds parts of several lines: statements, property maps, comments, and a run of imports. */
export const foldingFeature: Feature = {
  capabilities: { foldingRangeProvider: true },
  register: (connection, workspace) => void connection.onFoldingRanges(listFor(workspace, foldsOf)),
};

function foldsOf(file: TopologyFile): FoldingRange[] {
  const { document } = file;
  const folds: FoldingRange[] = [];
  const runs: FoldingRange[] = [];
  for (const { segment, base } of file.segments.segments) {
    const lines = ({ start, end }: Located) => ({
      startLine: document.positionAt(base + start).line,
      endLine: document.positionAt(base + end).line,
    });
    for (const statement of segment.statements) {
      const fold = lines(statement);
      if (statement.kind === 'Import') extend(runs, { ...fold, kind: FoldingRangeKind.Imports });
      // The statement and each map in it; an editor takes the longest of those that begin on one line.
      else folds.push(fold, ...mapsOf(statement).map(lines));
    }
    for (const comment of segment.comments) {
      const fold = { ...lines(comment), kind: FoldingRangeKind.Comment };
      if (standsAlone(segment.text, comment)) extend(runs, fold);
      else folds.push(fold);
    }
  }
  const all = [...folds, ...runs].filter(({ startLine, endLine }) => endLine > startLine);
  const distinct = new Map(all.map((fold) => [`${fold.startLine} ${fold.endLine}`, fold]));
  return [...distinct.values()].sort((one, other) => one.startLine - other.startLine);
}

/** Extends the run that the fold continues, or begins a new run. */
function extend(runs: FoldingRange[], fold: FoldingRange): void {
  const at = runs.findLastIndex(({ kind }) => kind === fold.kind);
  const last = runs[at];
  if (last !== undefined && last.endLine + 1 >= fold.startLine) runs[at] = { ...last, endLine: fold.endLine };
  else runs.push(fold);
}

function standsAlone(text: string, { kind, start }: Comment): boolean {
  return kind !== 'block' && text.slice(text.lastIndexOf('\n', start) + 1, start).trim() === '';
}

function mapsOf(statement: Statement): NodeTerm[] {
  return groupsOf(statement).flatMap(({ nodes }) => nodes.filter(({ properties }) => properties.length > 0));
}
