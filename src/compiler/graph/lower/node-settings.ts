import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { ListValue, Property, Value } from '../../syntax/ast.js';
import type { NodeKind, Setting } from '../graph-ir.js';
import type { JsonValue } from '../json-value.js';
import { remember } from '../maps.js';
import { nearWord } from '../suggest.js';
import type { DraftFile, GraphDraft, NodeDraft } from './graph-draft.js';
import { readWords } from './read-property.js';

/**
 * The properties of nodes that are settings. A property with the name of a setting and any other form of value is a
 * field, so that topologies with such fields read as before.
 */
const nodeSettings: ReadonlyMap<string, NodeSetting> = new Map([
  // The node and its operations are absent from the API.
  ['internal', { kinds: ['object', 'input'], read: readTrue }],
  // The interfaces of an object type or an interface.
  ['implements', { kinds: ['object', 'interface'], read: readInterfaces, check: checkInterfaces }],
  // The HTTP status of a problem.
  ['status', { kinds: ['problem'], read: readStatus }],
]);

const settingNames = [...nodeSettings.keys()];

interface NodeSetting {
  readonly kinds: readonly NodeKind[];
  /** The value of the setting; undefined if the property is a field. */
  readonly read: (draft: GraphDraft, property: Property) => JsonValue | undefined;
  /** Reports the parts of the value that have no meaning. */
  readonly check?: (file: DraftFile, property: Property) => void;
}

/** Whether a property is a setting of its node; then it is kept as one. Of a repeated setting, the first counts. */
export function isSetting(node: NodeDraft, file: DraftFile, property: Property): boolean {
  // Most properties have a type as their value.
  const { kind } = property.value;
  if (kind !== 'Boolean' && kind !== 'Number' && kind !== 'List') return false;
  const setting = nodeSettings.get(property.key);
  if (setting === undefined) warnOfMisspelt(node, file, property);
  if (setting === undefined || !setting.kinds.includes(node.kind)) return false;
  const value = setting.read(file.draft, property);
  if (value === undefined) return false;
  setting.check?.(file, property);
  const settings = new Map<string, Setting>(node.settings);
  if (!settings.has(property.key)) settings.set(property.key, { value, span: file.spanOf(property) });
  node.settings = settings;
  return true;
}

/** Warns of a field that is nearly a setting and has the value of one (GG2041). */
function warnOfMisspelt(node: NodeDraft, file: DraftFile, property: Property): void {
  const { key: word, start } = property;
  if (nearWord(word, settingNames) === undefined) return;
  for (const [suggestion, { kinds, read }] of nodeSettings) {
    if (!kinds.includes(node.kind) || nearWord(word, [suggestion]) === undefined) continue;
    if (read(file.draft, property) === undefined) continue;
    const span = { file: file.name, start, end: start + word.length };
    const params = { word, owner: `“${node.id}”`, reading: 'field', suggestion } as const;
    file.report('GG2041', params, span, writeInstead(suggestion, span));
  }
}

function readTrue(_: GraphDraft, { value, fallback }: Property): true | undefined {
  return value.kind === 'Boolean' && value.value && fallback === undefined ? true : undefined;
}

/**
 * The names of interfaces in a list, each once. A list without a word that is an interface, or nearly one, is a field.
 */
function readInterfaces(draft: GraphDraft, property: Property): readonly string[] | undefined {
  const words = readWords(property) ?? [];
  const isMeant = words.some((word) => isInterface(draft, word) || nearInterface(draft, word) !== undefined);
  return isMeant ? [...new Set(words.filter((word) => isInterface(draft, word)))] : undefined;
}

/** Reports the words in a list of interfaces that are none (GG2032). */
function checkInterfaces(file: DraftFile, property: Property): void {
  for (const [at, name] of (readWords(property) ?? []).entries()) {
    if (isInterface(file.draft, name)) continue;
    const { start } = (property.value as ListValue).items[at] as Value;
    const span = { file: file.name, start, end: start + name.length };
    const suggestion = nearInterface(file.draft, name);
    file.report('GG2032', { name, suggestion }, span, writeInstead(suggestion, span));
  }
}

function isInterface({ nodesByType }: GraphDraft, name: string): boolean {
  return nodesByType.get(name)?.kind === 'interface';
}

/** The interface that an unknown word means: that of the node with this id, or one with nearly the same name. */
function nearInterface(draft: GraphDraft, word: string): string | undefined {
  const node = draft.nodes.get(word);
  if (node !== undefined) return node.kind === 'interface' ? node.typeName : undefined;
  if (draft.nodesByType.has(word)) return undefined;
  return nearWord(word, interfaceNames(draft));
}

const namesOfDrafts = new WeakMap<GraphDraft, readonly string[]>();

/** The names of all interfaces, collected once: many nodes have fields that are lists of words. */
function interfaceNames(draft: GraphDraft): readonly string[] {
  return remember(namesOfDrafts, draft, () =>
    [...draft.nodesByType.values()].flatMap(({ kind, typeName }) => (kind === 'interface' ? [typeName] : [])),
  );
}

function readStatus(_: GraphDraft, { value, fallback }: Property): number | undefined {
  return value.kind === 'Number' && fallback === undefined ? value.value : undefined;
}
