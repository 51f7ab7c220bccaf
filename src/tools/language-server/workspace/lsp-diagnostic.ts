import { DiagnosticSeverity, type Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { rangeOf } from './locations.js';
import type { TopologyFile } from './topology-file.js';
import type { Workspace } from './workspace.js';

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
    const range = rangeOf(target.document, label.span.start, label.span.end);
    return { location: { uri: target.uri, range }, message: label.message };
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
