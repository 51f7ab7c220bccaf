import { type CodeAction, CodeActionKind, type CodeActionParams } from 'vscode-languageserver';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import type { Replacement } from '../document/segmented-text.js';
import { toLspDiagnostic, workspaceEdit } from '../workspace/protocol-forms.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { type Feature, listFor } from './feature.js';

/** The fixes of the findings: one by one, and all of a file at once. */
export const codeActionsFeature: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] } },
  register: (connection, workspace) => {
    connection.onCodeAction(listFor(workspace, (file, params) => actionsFor(workspace, file, params)));
  },
};

function actionsFor(
  workspace: Workspace,
  file: TopologyFile,
  { range, context: { only, diagnostics } }: CodeActionParams,
): CodeAction[] {
  const { document } = file;
  const wanted = (kind: string) => only?.some((one) => kind === one || kind.startsWith(`${one}.`)) ?? true;
  const fixable = workspace.findings.of(file).filter(({ fix }) => fix !== undefined);
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  const chosen = fixable.filter(
    ({ code, span: { start, end } }) =>
      (start <= to && from <= end) ||
      // Some editors send the findings of the whole line, although the cursor is beside them.
      diagnostics.some((asked) => asked.code === code && document.offsetAt(asked.range.start) === start),
  );
  const actionOf = (findings: readonly Diagnostic[], title: string, kind: CodeActionKind): CodeAction => {
    const diagnostics = findings.map((finding) => toLspDiagnostic(finding, file, workspace));
    return { title, kind, diagnostics, edit: workspaceEdit(workspace, replacementsOf(workspace, findings)) };
  };
  const actions = (wanted(CodeActionKind.QuickFix) ? chosen : []).map((finding) => ({
    ...actionOf([finding], finding.fix?.description ?? '', CodeActionKind.QuickFix),
    isPreferred: true,
  }));
  if (!wanted(CodeActionKind.SourceFixAll) || (only === undefined && actions.length < 2)) return actions;
  if (fixable.length === 0) return actions;
  return [...actions, actionOf(fixable, 'Make all safe fixes in this file', CodeActionKind.SourceFixAll)];
}

/** The edits of some fixes, by file. Of two that overlap, only the first is made. */
function replacementsOf(workspace: Workspace, findings: readonly Diagnostic[]) {
  const replacements = new Map<TopologyFile, Replacement[]>();
  for (const { span, text } of findings.flatMap(({ fix }) => fix?.edits ?? [])) {
    const file = workspace.file(span.file);
    const { start, end } = span;
    const overlaps = (other: Replacement) => start < other.end && other.start < end;
    if (file === undefined || replacements.get(file)?.some(overlaps)) continue;
    appendTo(replacements, file, { start, end, text });
  }
  return replacements;
}
