import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic as LspDiagnostic,
  type Range,
} from 'vscode-languageserver';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Replacement } from '../document/segmented-text.js';
import { toLspDiagnostic } from '../workspace/lsp-diagnostic.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { workspaceEdit } from '../workspace/workspace-edit.js';
import type { Feature } from './feature.js';

/** The fixes of the findings: one by one, and all of a file at once. */
export const codeActionsFeature: Feature = {
  capabilities: {
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
  },
  register: (connection, workspace) => {
    connection.onCodeAction(({ textDocument: { uri }, range, context }): CodeAction[] => {
      const { only, diagnostics } = context;
      const file = workspace.fileAt(uri);
      if (file === undefined) return [];
      const wanted = (kind: string) =>
        only?.some((one) => kind === one || kind.startsWith(`${one}.`)) ?? true;
      const fixable = workspace.findings.of(file).filter(({ fix }) => fix !== undefined);
      const actions: CodeAction[] = [];
      if (wanted(CodeActionKind.QuickFix)) {
        for (const finding of fixable) {
          if (touches(file, finding.span, range) || isAmong(diagnostics, finding, file)) {
            actions.push(quickFix(workspace, file, finding));
          }
        }
      }
      if (wanted(CodeActionKind.SourceFixAll) && (only !== undefined || actions.length > 1)) {
        const all = fixAll(workspace, file, fixable);
        if (all !== undefined) actions.push(all);
      }
      return actions;
    });
  },
};

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

function quickFix(workspace: Workspace, file: TopologyFile, finding: Diagnostic): CodeAction {
  return {
    title: finding.fix?.description ?? '',
    kind: CodeActionKind.QuickFix,
    diagnostics: [toLspDiagnostic(finding, file, workspace)],
    isPreferred: true,
    edit: workspaceEdit(workspace, replacementsOf(workspace, [finding])),
  };
}

function fixAll(
  workspace: Workspace,
  file: TopologyFile,
  findings: readonly Diagnostic[],
): CodeAction | undefined {
  const replacements = replacementsOf(workspace, findings);
  if (replacements.size === 0) return undefined;
  return {
    title: 'Make all safe fixes in this file',
    kind: CodeActionKind.SourceFixAll,
    diagnostics: findings.map((finding) => toLspDiagnostic(finding, file, workspace)),
    edit: workspaceEdit(workspace, replacements),
  };
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
