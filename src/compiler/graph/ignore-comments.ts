import { diagnosticCodes, isDiagnosticCode } from '../../base/diagnostics/codes.js';
import { type Diagnostic, diagnose, hasErrors } from '../../base/diagnostics/diagnostic.js';
import { lineMapOf, positionAt } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import type { Document } from '../syntax/ast.js';
import { appendTo } from './maps.js';
import { type Ignore, lineOfFile, readIgnores, wholeFile } from './read-ignores.js';
import { createSuggester } from './suggest.js';

/**
 * Removes the findings that a comment ignores, `// gg-ignore GG2010: why`, and reports faulty comments: unused ones
 * (GG2021), ones without a reason (GG2022), with an unknown code (GG2023) or with the code of an error, which cannot be
 * ignored (GG2024). `read-ignores.ts` defines which lines a comment covers.
 *
 * While there are errors the findings of later phases are missing, so no comment is reported as unused.
 */
export function applyIgnores(
  documents: readonly Document[],
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  const ignores = documents.flatMap(readIgnores);
  if (ignores.length === 0) return findings;
  const maps = new Map(documents.map(({ file }) => [file.name, lineMapOf(file)]));
  const placeOf = ({ file, start, end }: Span): string => {
    const map = maps.get(file);
    return end === 0 || map === undefined ? wholeFile(file) : lineOfFile(file, positionAt(map, start).line);
  };
  const byPlace = new Map<string, Ignore[]>();
  for (const ignore of ignores) {
    for (const { code } of ignore.codes) {
      for (const place of ignore.places) {
        appendTo(byPlace, `${code} ${place}`, ignore);
      }
    }
  }
  const used = new Set<string>();
  const left = findings.filter(({ code, severity, span }) => {
    const at = byPlace.get(`${code} ${placeOf(span)}`);
    if (at === undefined || severity === 'error' || aboutIgnoring.has(code)) return true;
    for (const { id } of at) used.add(`${id} ${code}`);
    return false;
  });
  const isWhole = !hasErrors(findings);
  return [...left, ...ignores.flatMap((ignore) => judge(ignore, isWhole ? used : undefined))];
}

const aboutIgnoring: ReadonlySet<string> = new Set(['GG2021', 'GG2022', 'GG2023', 'GG2024']);

/** @param used - The ignored findings, by comment and code; undefined if findings are incomplete. */
function judge(
  { id, span, removal, codes, hasReason }: Ignore,
  used: ReadonlySet<string> | undefined,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (codes.length === 0) found.push(diagnose('GG2023', { code: undefined, suggestion: undefined }, span));
  for (const { code, span: place } of codes) {
    if (!isDiagnosticCode(code)) {
      found.push(diagnose('GG2023', { code, suggestion: nearestCode(code) }, place));
      continue;
    }
    const reason = whyNotIgnored(code);
    if (reason !== undefined) found.push(diagnose('GG2024', { code, reason }, place));
    else if (used?.has(`${id} ${code}`) === false)
      found.push(unused(code, place, removal, codes.length === 1));
  }
  const [first] = codes;
  // A missing reason is only reported for comments without another fault.
  if (!hasReason && first !== undefined && found.length === 0) {
    found.push(diagnose('GG2022', { code: first.code }, span));
  }
  return found;
}

function whyNotIgnored(code: keyof typeof diagnosticCodes): string | undefined {
  if (diagnosticCodes[code].severity === 'error') return 'it is an error';
  return aboutIgnoring.has(code) ? 'it is about ignore comments' : undefined;
}

/** If the comment ignores nothing else, the fix removes it. */
function unused(code: string, place: Span, removal: Span, isOnly: boolean): Diagnostic {
  const fix = { description: 'Remove the comment', edits: [{ span: removal, text: '' }] };
  return diagnose('GG2021', { code }, place, isOnly ? { fix } : {});
}

function nearestCode(wanted: string): string | undefined {
  const named = Object.entries(diagnosticCodes).find(([, { name }]) => name === wanted.toLowerCase());
  return named?.[0] ?? createSuggester(Object.keys(diagnosticCodes)).nearest(wanted);
}
