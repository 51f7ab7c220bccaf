import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Property, Value } from '../../syntax/ast.js';
import type { EnumValue } from '../graph-ir.js';
import { whyInvalidName } from '../names.js';
import { createSuggester } from '../suggest.js';
import {
  type DraftFile,
  describeValue,
  type GraphDraft,
  type NodeDraft,
  report,
  spanOf,
} from './graph-draft.js';
import { findOwnProperty } from './own-property.js';
import { mayHaveTags, readEnumValueTags } from './read-doc.js';

/**
 * Reads the `values` of enums: bare words or strings, each a name that GraphQL allows for an enum value (October
 * 2021, section 3.9), and each once (GG2012). An enum needs at least one (GG2011); other properties have no meaning
 * on it (GG2017).
 */
export function resolveEnums(draft: GraphDraft): void {
  for (const node of draft.leaves) if (node.kind === 'enum') resolveEnum(draft, node);
}

function resolveEnum(draft: GraphDraft, node: NodeDraft): void {
  const declared = findOwnProperty(node, 'Enum', 'values');
  if (declared === undefined) {
    draft.diagnostics.push(diagnose('GG2011', { node: node.id }, node.span));
    return;
  }
  const { file, property } = declared;
  const items = listOf(property);
  if (items === undefined) {
    const params = { property: 'values', expected: 'a list of names, such as [ACTIVE, SUSPENDED]' };
    report(file, 'GG2018', params, property.value);
    return;
  }
  if (items.length === 0) {
    report(file, 'GG2011', { node: node.id }, property);
    return;
  }
  const values = readValues(file, items);
  node.values = [...values.values()];
  if (values.size === items.length) {
    const names = new Set(values.keys());
    draft.enumNames.set(node, { names, suggester: createSuggester(names) });
  }
}

function listOf({ value, fallback }: Property): readonly Value[] | undefined {
  return value.kind === 'List' && !value.nonNull && fallback === undefined ? value.items : undefined;
}

function readValues(file: DraftFile, items: readonly Value[]): Map<string, EnumValue> {
  const values = new Map<string, EnumValue>();
  for (const item of items) {
    const span = spanOf(file, item);
    const name =
      item.kind === 'Word' && !item.nonNull ? item.name : item.kind === 'String' ? item.value : undefined;
    const first = name === undefined ? undefined : values.get(name);
    const reason = first === undefined ? whyNoEnumValue(name) : 'it is listed twice';
    if (name !== undefined && reason === undefined) {
      values.set(name, withDoc(file, item, { name, span }));
      continue;
    }
    const labels = first === undefined ? [] : [{ span: first.span, message: 'first listed here' }];
    const params = { value: describeValue(file, item), reason: reason ?? '' };
    report(file, 'GG2012', params, span, { labels });
  }
  return values;
}

function withDoc(file: DraftFile, item: Value, value: EnumValue): EnumValue {
  const { doc: description } = item as { doc?: string };
  if (description === undefined) return value;
  if (!mayHaveTags(description)) return { name: value.name, description, span: value.span };
  return { ...value, ...readEnumValueTags(file, item.start) };
}

function whyNoEnumValue(name: string | undefined): string | undefined {
  if (name === undefined) return 'it is not a name';
  if (name === 'true' || name === 'false' || name === 'null')
    return 'true, false and null are reserved by GraphQL';
  return whyInvalidName(name);
}
