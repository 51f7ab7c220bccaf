import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Property } from '../../syntax/ast.js';
import type { EdgeResult, GraphField, Setting } from '../graph-ir.js';
import { NamedList } from '../named-list.js';
import { nearWord } from '../suggest.js';
import { sameType } from '../type-ref.js';
import type { DraftFile, EdgeDraft, EdgeWithProperties, GraphDraft } from './graph-draft.js';
import { withTags } from './read-doc.js';
import { readProperty, readReturns, readWords } from './read-property.js';

/**
 * Reads the properties of the edges: typed properties become arguments, `returns` the result, literals settings. A
 * repeated argument must have the same type, and a repeated setting the same value (GG2006).
 */
export function resolveEdges(draft: GraphDraft): void {
  for (const edge of draft.edgesWithProperties) resolveEdge(edge);
}

function resolveEdge({ edge, file, hop }: EdgeWithProperties): void {
  const { properties } = hop;
  if (properties.length === 1) {
    const only = properties[0] as Property;
    const content = readOne(file, only, hop.type);
    if (content !== undefined) addContent(edge, only.key, content);
    return;
  }
  const read = new NamedList<ReadProperty>(properties.length);
  for (const property of properties) {
    const content = readOne(file, property, hop.type);
    if (content === undefined) continue;
    // An argument may have the name of a setting.
    const name = 'setting' in content ? `${property.key}:` : property.key;
    const at = read.indexOf(name);
    if (at === -1) {
      read.push({ name, property, content });
      addContent(edge, property.key, content);
      continue;
    }
    const first = read.at(at);
    if (isSame(first.content, content)) continue;
    file.reportClash(`This ${hop.type} edge`, { file, property: first.property }, property);
  }
}

interface ReadProperty {
  readonly name: string;
  readonly property: Property;
  readonly content: Content;
}

type Content = { readonly result: EdgeResult } | { readonly setting: Setting } | { readonly arg: GraphField };

function addContent(edge: EdgeDraft, key: string, content: Content): void {
  if ('result' in content) edge.returns = content.result;
  else if ('arg' in content) {
    if (edge.args.length === 0) edge.args = [content.arg];
    else (edge.args as GraphField[]).push(content.arg);
  } else if (edge.settings.size === 0) edge.settings = new Map([[key, content.setting]]);
  else (edge.settings as Map<string, Setting>).set(key, content.setting);
}

function readOne(file: DraftFile, property: Property, edge: string): Content | undefined {
  const { key: name, doc: description } = property;
  const span = file.spanOf(property);
  file.reportStrayArguments(property);
  const listed = readThrows(file.draft, property);
  if (listed !== undefined) return { setting: { value: listed, span } };
  const scopes = readScopes(file, property);
  if (scopes !== undefined) return { setting: { value: scopes, span } };
  if (name === 'returns') {
    const type = readReturns(file, property);
    return type && { result: { type, span } };
  }
  const reading = readProperty(file, property);
  if (reading === undefined) return undefined;
  if (reading.kind === 'literal') return { setting: { value: reading.json, span } };
  if (file.refusesName(property)) return undefined;
  const arg = { name, type: reading.type, fallback: reading.fallback, description, span };
  return { arg: withTags(file, property, arg, edge === 'FORK' ? 'filter' : 'argument') };
}

/** The words of `throws`, and of a list of words that is nearly called so: no argument can have one. */
function readThrows(draft: GraphDraft, property: Property): readonly string[] | undefined {
  const { key, value } = property;
  if (key === 'throws') return readWords(property) ?? readProblem(draft, property);
  const isMeant = value.kind === 'List' && value.items.length > 1 && nearWord(key, ['throws']) !== undefined;
  return isMeant ? readWords(property) : undefined;
}

/** The words of `scopes: [read, write]`, which lack their quotes (GG2018). A list of one type is an argument. */
function readScopes(file: DraftFile, property: Property): readonly string[] | undefined {
  const words = property.key === 'scopes' ? readWords(property) : undefined;
  if (words === undefined || words.some((word) => file.draft.isKnownType(word))) return undefined;
  const span = file.spanOf(property.value);
  const text = `[${words.map((word) => `'${word}'`).join(', ')}]`;
  const params = { property: 'scopes', expected: 'a list of scopes in quotes' };
  file.report('GG2018', params, span, writeInstead(text, span));
  return words;
}

/** `throws: OutOfStock`, a list of one. */
function readProblem(draft: GraphDraft, { value, fallback }: Property): readonly string[] | undefined {
  if (value.kind !== 'Word' || value.nonNull || fallback !== undefined) return undefined;
  return draft.nodesByType.get(value.name)?.kind === 'problem' ? [value.name] : undefined;
}

function isSame(one: Content, other: Content): boolean {
  if ('result' in one) return 'result' in other && sameType(one.result.type, other.result.type);
  if ('setting' in one) return 'setting' in other && sameJson(one.setting.value, other.setting.value);
  if (!('arg' in other)) return false;
  return sameType(one.arg.type, other.arg.type) && sameJson(one.arg.fallback, other.arg.fallback);
}
