import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Outcome } from '../../../base/diagnostics/outcome.js';
import { jsonPlaces, placeOfFault } from '../../../base/source/json-places.js';
import { pointerStep } from '../../../base/source/json-pointer.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import { type Span, wholeFile } from '../../../base/source/span.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import {
  isStandardValue,
  type StandardScalar,
  standardScalars,
} from '../../../compiler/graph/standard-scalars.js';
import { createSuggester } from '../../../compiler/graph/suggest.js';
import { type ChangeKind, changeKinds, isChangeKind } from '../model/change-kinds.js';
import type { Waiver } from '../model/diff-report.js';

/**
 * Reads a file of waivers: `{ "version": 1, "waivers": [{ "kind", "coordinate", "reason", "expires" }] }`.
 * `coordinate` is one or a list of them; `topology` may narrow it to one topology. Errors are
 * diagnostics (GG5026); then no waiver applies, because a partial list could allow unapproved changes.
 */
export function readWaivers(file: SourceFile): Outcome<readonly Waiver[]> {
  const problems: Diagnostic[] = [];
  const report = (reason: string, span: Span) => {
    problems.push(diagnose('GG5026', { path: file.name, reason }, span));
  };
  const waivers = readFile(file, report);
  return { value: problems.length > 0 ? [] : waivers, diagnostics: problems };
}

type Report = (reason: string, span: Span) => void;
type JsonObject = { readonly [name: string]: JsonValue };

function readFile(file: SourceFile, report: Report): readonly Waiver[] {
  const whole: Span = wholeFile(file.name);
  let root: JsonValue;
  try {
    root = JSON.parse(file.text) as JsonValue;
  } catch (error) {
    report('it is not JSON', placeOfFault(file, (error as SyntaxError).message));
    return [];
  }
  if (!isObject(root)) {
    report('it must be an object with a list of waivers', whole);
    return [];
  }
  refuseOthers(root, ['$schema', 'version', 'waivers'], whole, report);
  if (root.version !== 1) report('“version” must be 1', whole);
  if (!Array.isArray(root.waivers)) {
    report('“waivers” must be a list', whole);
    return [];
  }
  const { values: places } = jsonPlaces(file.text);
  return root.waivers.flatMap((entry: JsonValue, at: number): Waiver[] => {
    if (!isObject(entry)) {
      report(`waiver ${at + 1} must be an object`, whole);
      return [];
    }
    const [start, end] = places.get(`/waivers${pointerStep(at)}`) ?? [0, 0];
    return readWaiver(entry, { file: file.name, start, end }, report);
  });
}

function readWaiver(entry: JsonObject, span: Span, report: Report): Waiver[] {
  refuseOthers(entry, ['kind', 'coordinate', 'topology', 'reason', 'expires'], span, report);
  const kind = readKind(entry.kind, span, report);
  const coordinates = [entry.coordinate ?? '']
    .flat()
    .map((coordinate) => (isText(coordinate) ? coordinate : ''));
  if (coordinates.length === 0 || coordinates.includes('')) {
    report('“coordinate” must be a string or a list of strings, such as "User.email"', span);
  }
  if (entry.topology !== undefined && !isText(entry.topology)) report('“topology” must be a string', span);
  if (!isText(entry.reason)) report('“reason” must say why the change may pass', span);
  if (!isText(entry.expires) || !isDay(entry.expires)) {
    report('“expires” must be a date, such as "2030-12-31"', span);
  }
  if (kind === undefined) return [];
  const topology = isText(entry.topology) ? entry.topology : undefined;
  return [
    { kind, coordinates, topology, reason: String(entry.reason), expires: String(entry.expires), span },
  ];
}

function readKind(value: JsonValue | undefined, span: Span, report: Report): ChangeKind | undefined {
  if (isText(value) && isChangeKind(value)) return value;
  const suggestion = isText(value) ? createSuggester(Object.keys(changeKinds)).nearest(value) : undefined;
  const advice = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;
  if (isText(value)) report(`unknown kind of change ${value}${advice}`, span);
  else report('“kind” must be a kind of change, such as "field-removed"', span);
  return undefined;
}

/** An unknown member is usually a misspelt one. */
function refuseOthers(object: JsonObject, known: readonly string[], span: Span, report: Report): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    const suggestion = createSuggester(known).nearest(name);
    const advice = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    report(`unknown member “${name}”${advice}`, span);
  }
}

/** Whether a text is a calendar day such as `2030-12-31`; February 30 is not. */
export function isDay(text: string): boolean {
  return isStandardValue(standardScalars.get('Date') as StandardScalar, text);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
