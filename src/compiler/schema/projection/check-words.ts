import { type Diagnostic, diagnose, writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphEdge, GraphField, GraphIR, Setting } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import { appendTo, remember } from '../../graph/maps.js';
import { nearWord } from '../../graph/suggest.js';
import { printTypeRef } from '../../graph/type-ref.js';
import { edgeRules } from '../edge-rules/edge-rules.js';
import { edgeSettings, matches, textOf } from '../edge-settings/edge-settings.js';
import { isFallback } from './project-vents.js';
import { racePolicies } from './race-policy.js';

/**
 * The settings of edges, and which values can be meant as one. A misspelt setting is recognized by its value too, so
 * that notes of the author with ordinary words are left alone.
 */
const settings: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['operation', matches(/^[A-Z_]\w*$/i)],
  ['union', matches(/^[A-Z_]\w*$/i)],
  ['after', matches(/\d/)],
  ['returns', matches(/^[[A-Z]/)],
  ...edgeSettings.map(({ key, isMeant }) => [key, isMeant] as const),
  ['internal', matches(/^(?:true|false)$/)],
]);

/** Those of RACE edges, with the policies. */
const raceSettings: typeof settings = new Map([
  ...settings,
  ...[...racePolicies].map(([word, { read }]) => [word, (value: JsonValue) => read(value) !== undefined] as const),
]);

/** The settings that say who may call an operation. */
const accessSettings: ReadonlySet<string> = new Set(['auth', 'scopes', 'anyScope', 'roles']);

/** Words that say the same in other languages. */
const accessWords = /^(?:roles?|permissions?|authori[sz](?:e|ed|ation)|authenticated?|access|allowed_?roles)$/i;

/** The settings that take the name of a type: a misspelt one reads as an argument. */
const typedSettings = ['returns', 'throws'];

/**
 * Reports the words on edges that have no effect: edges without a rule, once for each type (GG2010), and misspelt edge
 * types (GG2040) and settings (GG2041). Of the properties of edges without a rule, only words of access are questioned:
 * they protect nothing (GG3075). Policies of races are reported once for each other type (GG3029).
 *
 * @param isStrict - Whether to report each unknown setting, too (GG3040).
 */
export function checkWords(ir: GraphIR, isStrict: boolean, diagnostics: Diagnostic[]): void {
  const unprojected = new Map<string, GraphEdge[]>();
  reportPolicies(ir.edges, diagnostics);
  for (const edge of ir.edges) {
    const rule = edgeRules.get(edge.type);
    if (rule === undefined) {
      if (!isFallback(edge)) appendTo(unprojected, edge.type, edge);
      checkAccess(edge, diagnostics);
      continue;
    }
    checkSettings(edge, isStrict, diagnostics);
    if (rule.produces !== 'union' && rule.honoursReturns) checkArguments(edge, diagnostics);
  }
  for (const [type, edges] of unprojected) {
    const suggestion = nearWord(type, edgeRules.keys());
    const { length: count } = edges;
    for (const edge of suggestion === undefined ? edges.slice(0, 1) : edges) {
      const place = placeOfType(edge);
      const finding =
        suggestion === undefined
          ? diagnose('GG2010', { type, count }, place)
          : diagnose('GG2040', { type, suggestion }, place, writeInstead(suggestion, place));
      diagnostics.push(finding);
    }
  }
}

/** The finding about a type of edges without a rule (GG2010) at every edge of the type. */
export function atEveryEdge({ edges }: GraphIR, finding: Diagnostic): readonly Diagnostic[] {
  const { file, start } = finding.span;
  const first = edges.find(({ span, typeStart }) => span.file === file && typeStart === start);
  const same = edges.filter((edge) => edge.type === first?.type && !isFallback(edge));
  return same.map((edge) => ({ ...finding, span: placeOfType(edge) }));
}

function checkSettings({ type, settings: given, args }: GraphEdge, isStrict: boolean, diagnostics: Diagnostic[]): void {
  for (const [word, setting] of given) {
    const { value, span } = setting;
    const known = type === 'RACE' ? raceSettings : settings;
    // Where `after` does not delay a branch of a race, it is a note.
    const isNote = word === 'after' && known === settings;
    const isAccess = accessWords.test(word) && !(word === 'roles' && Array.isArray(value));
    if (known.has(word) && !isNote && !isAccess) continue;
    const argument = known.has(word) ? undefined : args.find(({ name }) => name === word);
    if (argument !== undefined) diagnostics.push(clash(type, argument, setting));
    const suggestion = isNote
      ? undefined
      : (nearWord(word, known.keys()) ?? (longAuth.test(word) ? 'auth' : undefined));
    const place = placeOfKey(word, span);
    if (suggestion !== undefined && known.get(suggestion)?.(value) === true) {
      const params = { word, owner: `a ${type} edge`, reading: 'note', suggestion } as const;
      diagnostics.push(diagnose('GG2041', params, place, writeInstead(suggestion, place)));
    } else if (isAccess) {
      const instead = /role/i.test(word)
        ? "Write roles: ['admin'] with the roles of which callers must have one."
        : "Write auth: 'required', scopes: ['orders:write'], roles: ['admin'] or owner: 'customerId'.";
      diagnostics.push(diagnose('GG3075', { word, place: `a ${type} edge`, instead }, place));
    } else if (isStrict && !racePolicies.has(word)) {
      diagnostics.push(diagnose('GG3040', { word, type }, place));
    }
  }
}

function reportPolicies(edges: readonly GraphEdge[], diagnostics: Diagnostic[]): void {
  const found = new Map<string, { word: string; type: string; place: Span; count: number }>();
  for (const { type, settings: given } of edges) {
    if (type === 'RACE' || !edgeRules.has(type)) continue;
    for (const [word, { span }] of given) {
      if (!racePolicies.has(word)) continue;
      const place = placeOfKey(word, span);
      remember(found, `${type} ${word}`, () => ({ word, type, place, count: 0 })).count += 1;
    }
  }
  for (const { place, ...params } of found.values()) diagnostics.push(diagnose('GG3029', params, place));
}

/** A note of the author with the name of an argument, which was probably meant as its default. */
function clash(edge: string, { name, type, span }: GraphField, setting: Setting): Diagnostic {
  const argument = { text: printTypeRef(type), span };
  const note = { text: textOf(setting.value), span: setting.span };
  const [first, second] = argument.span.start < note.span.start ? [argument, note] : [note, argument];
  const labels = [{ span: first.span, message: `declared as ${first.text} here` }];
  const params = { owner: `This ${edge} edge`, property: name, one: first.text, other: second.text };
  return diagnose('GG2006', params, second.span, { labels });
}

/** Words of access on an edge that becomes no operation. */
function checkAccess({ type, settings: given }: GraphEdge, diagnostics: Diagnostic[]): void {
  const instead = 'Only PROCESS, FOLD and FORK edges become operations, whose callers are checked: write it there.';
  for (const [word, { span }] of given) {
    if (!accessSettings.has(word) && !accessWords.test(word)) continue;
    diagnostics.push(diagnose('GG3075', { word, place: `a ${type} edge`, instead }, placeOfKey(word, span)));
  }
}

/** `authentication: 'required'` would leave an operation open. */
const longAuth = /^auth(?:[nz]|enti\w+|ori[sz]\w+)$/i;

function checkArguments({ type, args }: GraphEdge, diagnostics: Diagnostic[]): void {
  for (const { name: word, fallback, span } of args) {
    if (fallback !== undefined || settings.has(word)) continue;
    const suggestion = nearWord(word, typedSettings);
    if (suggestion === undefined) continue;
    const place = placeOfKey(word, span);
    const params = { word, owner: `this ${type} edge`, reading: 'argument', suggestion } as const;
    diagnostics.push(diagnose('GG2041', params, place, writeInstead(suggestion, place)));
  }
}

function placeOfKey({ length }: string, { file, start }: Span): Span {
  return { file, start, end: start + length };
}

function placeOfType({ type, span, typeStart }: GraphEdge): Span {
  return typeStart === undefined ? span : { file: span.file, start: typeStart, end: typeStart + type.length };
}
