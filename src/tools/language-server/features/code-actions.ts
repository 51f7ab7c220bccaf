import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic as LspDiagnostic,
  type Range,
} from 'vscode-languageserver';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { Replacement } from '../document/segmented-text.js';
import { toLspDiagnostic } from '../workspace/lsp-diagnostic.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { workspaceEdit } from '../workspace/workspace-edit.js';
import { type Feature, listFor } from './feature.js';

/** The fixes of the findings: one by one, and all of a file at once. */
export const codeActionsFeature: Feature = {
  capabilities: {
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
  },
  register: (connection, workspace) => {
    connection.onCodeAction(listFor(workspace, (file, params) => actionsFor(workspace, file, params)));
  },
};

function actionsFor(
  workspace: Workspace,
  file: TopologyFile,
  { range, context: { only, diagnostics } }: CodeActionParams,
): CodeAction[] {
  const wanted = (kind: string) => only?.some((one) => kind === one || kind.startsWith(`${one}.`)) ?? true;
  const fixable = workspace.findings.of(file).filter(({ fix }) => fix !== undefined);
  const chosen = fixable.filter(
    (finding) => touches(file, finding.span, range) || isAmong(diagnostics, finding, file),
  );
  const actions = wanted(CodeActionKind.QuickFix)
    ? chosen.map((finding) => ({
        ...actionOf(workspace, file, [finding], finding.fix?.description ?? '', CodeActionKind.QuickFix),
        isPreferred: true,
      }))
    : [];
  if (!wanted(CodeActionKind.SourceFixAll) || (only === undefined && actions.length < 2)) return actions;
  const all = 'Make all safe fixes in this file';
  return fixable.length === 0
    ? actions
    : [...actions, actionOf(workspace, file, fixable, all, CodeActionKind.SourceFixAll)];
}

function touches({ document }: TopologyFile, { start, end }: Diagnostic['span'], range: Range): boolean {
  return start <= document.offsetAt(range.end) && document.offsetAt(range.start) <= end;
}

/** Some editors send the findings of the whole line, although the cursor is beside them. */
function isAmong(
  diagnostics: readonly LspDiagnostic[],
  { code, span }: Diagnostic,
  { document }: TopologyFile,
): boolean {
  return diagnostics.some(
    (asked) => asked.code === code && document.offsetAt(asked.range.start) === span.start,
  );
}

function actionOf(
  workspace: Workspace,
  file: TopologyFile,
  findings: readonly Diagnostic[],
  title: string,
  kind: CodeActionKind,
): CodeAction {
  const diagnostics = findings.map((finding) => toLspDiagnostic(finding, file, workspace));
  return { title, kind, diagnostics, edit: workspaceEdit(workspace, replacementsOf(workspace, findings)) };
}

/** The edits of some fixes, by file. Of two that overlap, only the first is made. */
function replacementsOf(
  workspace: Workspace,
  findings: readonly Diagnostic[],
): ReadonlyMap<TopologyFile, readonly Replacement[]> {
  const replacements = new Map<TopologyFile, Replacement[]>();
  for (const { span, text } of findings.flatMap(({ fix }) => fix?.edits ?? [])) {
    const file = workspace.file(span.file);
    if (file === undefined) continue;
    const list = replacements.get(file) ?? [];
    const { start, end } = span;
    if (!list.some((other) => start < other.end && other.start < end)) list.push({ start, end, text });
    replacements.set(file, list);
  }
  return replacements;
}
