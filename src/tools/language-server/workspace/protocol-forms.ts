import {
  DiagnosticSeverity,
  type Diagnostic as LspDiagnostic,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { Replacement } from '../document/segmented-text.js';
import { locationOf, rangeOf } from './locations.js';
import type { TopologyFile } from './topology-file.js';
import type { Workspace } from './workspace.js';

/** Replacements in the protocol's form; with file versions, an editor with a newer text refuses the edit. */
export function workspaceEdit(
  { takesVersions, openFiles }: Pick<Workspace, 'takesVersions' | 'openFiles'>,
  replacements: ReadonlyMap<TopologyFile, readonly Replacement[]>,
): WorkspaceEdit {
  const changes = [...replacements].map(([file, list]) => {
    const version = openFiles.includes(file) ? file.document.version : null;
    return { textDocument: { uri: file.uri, version }, edits: list.map((one) => textEdit(file, one)) };
  });
  if (takesVersions) return { documentChanges: changes };
  return { changes: Object.fromEntries(changes.map(({ textDocument, edits }) => [textDocument.uri, edits])) };
}

export function textEdit({ document }: TopologyFile, { start, end, text }: Replacement): TextEdit {
  return { range: rangeOf(document, start, end), newText: text };
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** A finding as a diagnostic of the protocol: the hint on a line of its own, paths relative to the folders. */
export function toLspDiagnostic(finding: Diagnostic, file: TopologyFile, files: Workspace): LspDiagnostic {
  const { code, severity, message, hint, span, labels } = finding;
  const text = files.folders.reduce((shortened, folder) => shortened.replaceAll(`${folder}/`, ''), message);
  const related = labels.flatMap((label) => {
    const target = label.span.file === file.path ? file : files.file(label.span.file);
    if (target === undefined) return [];
    return { location: locationOf({ ...label.span, file: target }), message: label.message };
  });
  return {
    range: rangeOf(file.document, span.start, span.end),
    severity: severities[severity],
    code,
    codeDescription: { href: files.pages.replace('{code}', code) },
    source: 'gg-svc',
    message: hint === undefined ? text : `${text}\n${hint}`,
    ...(related.length > 0 && { relatedInformation: related }),
  };
}
