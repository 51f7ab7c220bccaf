import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { Value } from '../../syntax/ast.js';
import type { EnumValue } from '../graph-ir.js';
import { whyInvalidName } from '../names.js';
import { createSuggester, nearWord } from '../suggest.js';
import type { DraftFile, GraphDraft, NodeDraft, PropertyPlace } from './graph-draft.js';
import { mayHaveTags, readEnumValueTags } from './read-doc.js';

/**
 * Reads the one property of enums and of custom scalars: `values` and `specifiedBy`. Others have no meaning on them
 * (GG2017).
 */
export function resolveLeaves(draft: GraphDraft): void {
  for (const node of draft.leaves) {
    if (node.kind === 'enum') resolveEnum(draft, node);
    else resolveScalar(node);
  }
}

/** Reads the URL of the specification (GraphQL October 2021, section 3.13.4). */
function resolveScalar(node: NodeDraft): void {
  const declared = findOwnProperty(node, 'Scalar', 'specifiedBy');
  if (declared === undefined) return;
  const { value, fallback } = declared.property;
  if (value.kind === 'String' && fallback === undefined) {
    node.specifiedBy = value.value;
    return;
  }
  declared.file.report('GG2018', { property: 'specifiedBy', expected: 'a URL in quotes' }, value);
}

/**
 * Reads the values of an enum: bare words or strings, each a name that GraphQL allows for an enum value (October
 * 2021, section 3.9), and each once (GG2012). An enum needs at least one (GG2011).
 */
function resolveEnum(draft: GraphDraft, node: NodeDraft): void {
  const declared = findOwnProperty(node, 'Enum', 'values');
  if (declared === undefined) {
    draft.report('GG2011', { node: node.id }, node.span);
    return;
  }
  const { file, property } = declared;
  const { value, fallback } = property;
  const items = value.kind === 'List' && !value.nonNull && fallback === undefined ? value.items : undefined;
  if (items === undefined) {
    const params = { property: 'values', expected: 'a list of names, such as [ACTIVE, SUSPENDED]' };
    file.report('GG2018', params, property.value);
    return;
  }
  if (items.length === 0) {
    file.report('GG2011', { node: node.id }, property);
    return;
  }
  const values = readValues(file, items);
  checkSpellings(file, values);
  node.values = [...values.values()];
  if (values.size === items.length) {
    const names = new Set(values.keys());
    draft.enumNames.set(node, { names, suggester: createSuggester(names) });
  }
}

function readValues(file: DraftFile, items: readonly Value[]): Map<string, EnumValue> {
  const values = new Map<string, EnumValue>();
  for (const item of items) {
    const span = file.spanOf(item);
    const name = item.kind === 'Word' && !item.nonNull ? item.name : item.kind === 'String' ? item.value : undefined;
    const first = name === undefined ? undefined : values.get(name);
    const reason = first === undefined ? whyNoEnumValue(name) : 'it is listed twice';
    if (name !== undefined && reason === undefined) {
      values.set(name, withDoc(file, item, { name, span }));
      continue;
    }
    const labels = first === undefined ? [] : [{ span: first.span, message: 'first listed here' }];
    const params = { value: file.describe(item), reason: reason ?? '' };
    file.report('GG2012', params, span, { labels });
  }
  return values;
}

/** Each spelling stands for one value, and is the name of no other one (GG2065). */
function checkSpellings(file: DraftFile, values: ReadonlyMap<string, EnumValue>): void {
  const spelt = [...values.values()].filter(({ spelling }) => spelling !== undefined);
  const firsts = new Map<string | undefined, EnumValue>();
  for (const value of spelt) {
    const { name, spelling = '', span } = value;
    const named = values.get(spelling);
    const other = named === value ? undefined : (named ?? firsts.get(spelling));
    firsts.set(spelling, value);
    if (other === undefined) continue;
    const labels = [{ span: other.span, message: `${other.name} is here` }];
    file.report('GG2065', { name, spelling, other: other.name }, span, { labels });
  }
}

function withDoc(file: DraftFile, item: Value, value: EnumValue): EnumValue {
  const { doc: description } = item as { doc?: string };
  if (description === undefined) return value;
  if (!mayHaveTags(description)) return { name: value.name, description, span: value.span };
  return { ...value, ...readEnumValueTags(file, item.start) };
}

function whyNoEnumValue(name: string | undefined): string | undefined {
  if (name === undefined) return 'it is not a name';
  if (name === 'true' || name === 'false' || name === 'null') return 'true, false and null are reserved by GraphQL';
  return whyInvalidName(name);
}

/**
 * The one property that has a meaning on an enum or a scalar, at its first place; undefined when the node does not
 * have it. Where it is repeated it must have the same value (GG2006). Every other property is a warning, once for
 * each key (GG2017); if the node lacks the one, another that is nearly called so is read instead.
 */
function findOwnProperty(node: NodeDraft, label: 'Enum' | 'Scalar', key: string): PropertyPlace | undefined {
  let found: PropertyPlace | undefined;
  const others = new Map<string, PropertyPlace>();
  for (const { file, term } of node.declarations) {
    for (const property of term.properties) {
      if (property.key === key) {
        file.reportStrayArguments(property);
        if (found === undefined) found = { file, property };
        else if (!isSame(found.property.value, property.value)) {
          file.reportClash(`Node “${node.id}”`, found, property);
        }
      } else if (!others.has(property.key)) others.set(property.key, { file, property });
    }
  }
  node.declarations = none;
  for (const [word, place] of others) {
    const suggestion = found === undefined ? nearWord(word, [key]) : undefined;
    if (suggestion !== undefined) found = place;
    const { file, property } = place;
    const fix = writeInstead(suggestion, file.spanOf({ ...property, end: property.start + word.length }));
    file.report('GG2017', { property: word, node: node.id, label, suggestion }, property, fix);
  }
  return found;
}

const none: readonly never[] = [];

/**
 * Whether two values are equal without their places; the kind of quotes makes no difference. It stops at the first
 * difference, so that many short values cost no more than their own length beside a long one.
 */
function isSame(one: Value, other: Value): boolean {
  if (one.kind === 'Null') return other.kind === 'Null';
  if (one.kind === 'Word') return other.kind === 'Word' && one.name === other.name && one.nonNull === other.nonNull;
  if (one.kind !== 'List') return 'value' in other && one.value === other.value;
  if (other.kind !== 'List' || one.nonNull !== other.nonNull) return false;
  const { items } = other;
  return one.items.length === items.length && one.items.every((item, at) => isSame(item, items[at] as Value));
}
