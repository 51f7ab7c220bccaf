import { isUrl } from '../../source/parse-url.js';
import type { SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import { type DiagnosticCode, diagnosticCodes } from '../codes.js';
import type { Diagnostic, DiagnosticFix, DiagnosticLabel } from '../diagnostic.js';
import { stringifyForTerminal } from './json.js';
import { type Reporter, type ReportOptions, regionOf, severityWords } from './report.js';

type Sources = readonly SourceFile[];

/**
 * Renders a SARIF 2.1.0 log with one run, for code-scanning services. Each occurring code is a rule with its page as
 * help; fixes and related places are included.
 */
export const sarifReporter: Reporter = {
  format: 'sarif',
  machine: true,
  render({ diagnostics, sources }, options) {
    const codes = [...new Set(diagnostics.map((diagnostic) => diagnostic.code))].sort();
    const results = diagnostics.map((diagnostic) => toResult(diagnostic, codes, sources));
    const rules = codes.map((code) => toRule(code, options));
    const log = sarifLog(options.toolVersion, rules, results);
    return `${stringifyForTerminal(log)}\n`;
  },
};

export function sarifLog(version: string, rules: readonly object[], results: readonly object[]): object {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'gg-svc', version, semanticVersion: version, rules } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

function toRule(code: DiagnosticCode, { helpPage }: ReportOptions): object {
  const { name, severity } = diagnosticCodes[code];
  const text = `Run gg-svc explain ${code} for what it means and what to do.`;
  return sarifRule(code, name, { text, markdown: helpPage(code) }, severityWords[severity]);
}

/** A rule, whose name in words is `a-name-like-this`. */
export function sarifRule(id: string, name: string, help: object, level: string): object {
  return {
    id,
    name: name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: name.replaceAll('-', ' ') },
    help,
    defaultConfiguration: { level },
  };
}

function toResult(diagnostic: Diagnostic, codes: readonly DiagnosticCode[], sources: Sources): object {
  const { code, severity, message, hint, labels, fix, span } = diagnostic;
  const toRelated = (label: DiagnosticLabel, id: number) => ({
    id,
    physicalLocation: toLocation(label.span, sources),
    message: { text: label.message },
  });
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severityWords[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [{ physicalLocation: toLocation(span, sources) }],
    relatedLocations: labels.length === 0 ? undefined : labels.map(toRelated),
    fixes: fix !== undefined && isPlaced(fix, sources) ? [toFix(fix, sources)] : undefined,
  };
}

/** SARIF requires a region for each replacement, so fixes in files without known text are omitted. */
function isPlaced(fix: DiagnosticFix, sources: Sources): boolean {
  return fix.edits.every((edit) => regionOf(sources, edit.span) !== undefined);
}

function toFix(fix: DiagnosticFix, sources: Sources): object {
  const files = [...new Set(fix.edits.map((edit) => edit.span.file))];
  return {
    description: { text: fix.description },
    artifactChanges: files.map((file) => ({
      artifactLocation: { uri: toUri(file) },
      replacements: fix.edits
        .filter((edit) => edit.span.file === file)
        .map((edit) => ({ deletedRegion: toRegion(edit.span, sources), insertedContent: { text: edit.text } })),
    })),
  };
}

/** A span as a physical location, whose region is undefined if the text of its file is not known. */
export function toLocation(span: Span, sources: Sources): object {
  return { artifactLocation: { uri: toUri(span.file) }, region: toRegion(span, sources) };
}

function toRegion(span: Span, sources: Sources): object | undefined {
  const { start, end } = regionOf(sources, span) ?? {};
  if (start === undefined || end === undefined) return undefined;
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** A file name as a URI reference; URLs are kept. */
export function toUri(file: string): string {
  if (isUrl(file)) return file;
  const path = file
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
