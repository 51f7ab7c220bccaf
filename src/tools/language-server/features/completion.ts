import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver';
import { isUri } from '../../../base/source/parse-url.js';
import { defined } from '../../../base/values/defined.js';
import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { docTags } from '../../../compiler/graph/doc-tags.js';
import { normalizePath, resolveImportPath } from '../../../compiler/graph/import-path.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import { edgeRules } from '../../../compiler/schema/edge-rules/edge-rules.js';
import { edgeSettings } from '../../../compiler/schema/edge-settings/edge-settings.js';
import { ventSettings } from '../../../compiler/schema/projection/project-vents.js';
import { racePolicies } from '../../../compiler/schema/projection/race-policy.js';
import { Names } from '../names/names.js';
import { rangeOf } from '../workspace/locations.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { completionContextAt, type Expectation } from './completion-context.js';
import type { Feature } from './feature.js';

/** Completions from names alone, without the compiler, so they never wait. */
export const completionFeature: Feature = {
  capabilities: {
    completionProvider: { triggerCharacters: ['(', ':', '|', '{', ',', '[', '=', "'", '"', '/', '@'] },
  },
  register: (connection, workspace) => {
    connection.onCompletion(({ textDocument: { uri }, position }): CompletionList => {
      const file = workspace.fileAt(uri);
      if (file === undefined) return { isIncomplete: false, items: [] };
      const { document } = file;
      const offset = document.offsetAt(position);
      const { segment, base } = file.segments.at(offset);
      const { expected, start } = completionContextAt(segment.text, offset - base);
      const range = rangeOf(document, base + start, offset);
      const written = segment.text.slice(start, offset - base);
      // A complete name usually is the typed word itself, which counts as a node as soon as it is typed.
      const fitting = offers(expected, workspace, file).filter(
        ({ label }) => label !== written && label.toLowerCase().includes(written.toLowerCase()),
      );
      const items = fitting.slice(0, maxItems).map(({ insertText, ...item }) => ({
        ...item,
        textEdit: { range, newText: insertText ?? item.label },
      }));
      return { isIncomplete: fitting.length > items.length, items };
    });
  },
};

/** A longer list is sent in part, and the client asks again as the user types. */
const maxItems = 300;

function offers(expected: Expectation, workspace: Workspace, file: TopologyFile): CompletionItem[] {
  if (expected.kind === 'nothing') return [];
  if (expected.kind === 'statement') return keywords;
  if (expected.kind === 'tag') return tags;
  if (expected.kind === 'file') return filesToImport(workspace, file, expected.written);
  const names = new Names(workspace.filesAround(file));
  switch (expected.kind) {
    case 'node':
      return nodes(names);
    case 'target':
      return nodes(names).map((item) => ({ ...item, label: `(${item.label})` }));
    case 'label':
      return labels(names);
    case 'edgeType':
      return edgeTypes(names);
    case 'key':
      return expected.of === 'node' ? fields(names, expected) : settings(names, expected);
    case 'type':
      return types(names);
    case 'problem':
      return problems(names);
    case 'value':
      return values(names, expected.type);
    case 'listedName':
      return listedNames(names, workspace, file, expected.specifier);
  }
}

const keywords = ['import', 'export'].map((label) => keyword({ label }));

const tags = [...docTags].map(([name, detail]) => keyword({ label: `@${name}`, detail }));

function keyword(item: CompletionItem): CompletionItem {
  return { ...item, kind: CompletionItemKind.Keyword };
}

function nodes(names: Names): CompletionItem[] {
  return [...names.nodes.values()].map(({ id, typeName, labels }) => ({
    label: id,
    kind: CompletionItemKind.Class,
    detail: labels.join(':') || typeName,
  }));
}

/** The labels that decide what a node becomes. */
export const labelMeanings: ReadonlyMap<string, string> = new Map([
  ['Enum', 'becomes an enum, with values: [ONE, TWO]'],
  ['Scalar', 'becomes a custom scalar'],
  ['Input', 'becomes an input, with its ! and defaults'],
  ['OneOf', 'beside Input: callers give exactly one field'],
  ['Interface', 'becomes an interface'],
  ['Problem', 'becomes a declared error, with status: 409'],
]);

function labels(names: Names): CompletionItem[] {
  return [...new Set([...labelMeanings.keys(), ...names.labels])].map((label) => {
    return { label, kind: CompletionItemKind.Interface, ...defined({ detail: labelMeanings.get(label) }) };
  });
}

const edgeMeanings: ReadonlyMap<string, string> = new Map([
  ['PROCESS', 'becomes a query, and GET /api/…'],
  ['FOLD', 'becomes a mutation, and POST /api/…'],
  ['FORK', 'becomes a subscription'],
  ['RACE', 'becomes a union'],
]);

function edgeTypes(names: Names): CompletionItem[] {
  const used = [...names.edgeTypes].filter((type) => !edgeMeanings.has(type));
  return [...edgeMeanings.keys(), ...used].map((label, index) => ({
    label,
    kind: CompletionItemKind.Event,
    detail: edgeMeanings.get(label) ?? 'is not part of the API',
    sortText: String(index).padStart(4, '0'),
  }));
}

/** The settings of an enum or a scalar; else the fields of the node elsewhere, then those of other nodes. */
function fields(names: Names, { owner, taken }: Extract<Expectation, { kind: 'key' }>): CompletionItem[] {
  const node = names.nodes.get(owner);
  if (node?.labels.includes('Enum')) return [property('values', 'the values of the enum', '0', 'values: [')];
  if (node?.labels.includes('Scalar'))
    return [property('specifiedBy', 'the address of its specification', '0', "specifiedBy: '")];
  const hasInterfaces = [...names.nodes.values()].some(({ labels: found }) => found.includes('Interface'));
  return firstOfEach(taken, [
    ...(node?.fields ?? []).map((key) => property(key, `of ${owner}`, '0')),
    ...fieldsOfObjects(names, (id) => `as in ${id}`),
    internal,
    ...(hasInterfaces ? [property('implements', 'the interfaces of the type', '2', 'implements: [')] : []),
  ]);
}

const internal = property('internal', 'absent from the API', '2', 'internal: true');

/** The first offer of each key, without the keys that are taken. */
function firstOfEach(taken: readonly string[], offered: readonly CompletionItem[]): CompletionItem[] {
  const first = new Map(offered.toReversed().map((item) => [item.label, item]));
  return offered.filter((item) => first.get(item.label) === item && !taken.includes(item.label));
}

const ownSettings: ReadonlyMap<string, readonly (readonly [string, string, string])[]> = new Map(
  Object.entries<readonly (readonly [string, string, string])[]>({
    PROCESS: [
      ['returns', 'the type of the result', 'returns: '],
      ['operation', 'the name of the query', "operation: '"],
    ],
    FOLD: [
      ['returns', 'the type of the result', 'returns: '],
      ['operation', 'the name of the mutation', "operation: '"],
    ],
    FORK: [['operation', 'the name of the subscription', "operation: '"]],
    RACE: [
      ['union', 'the name of the union', "union: '"],
      ['after', 'the delay between the branches', "after: '"],
      ['open', 'why callers may reach branches that demand more', "open: '"],
      ...[...racePolicies].map(([key, { detail, snippet }]) => [key, detail, `${key}: ${snippet}`] as const),
    ],
    VENT: [...ventSettings].map(([key, { detail, snippet }]) => [key, detail, `${key}: ${snippet}`] as const),
  }),
);

function settings(names: Names, { owner, taken }: Extract<Expectation, { kind: 'key' }>): CompletionItem[] {
  const produces = edgeRules.get(owner)?.produces;
  const further = edgeSettings.filter(({ kinds }) => kinds.some((kind) => kind === produces));
  return firstOfEach(taken, [
    ...(ownSettings.get(owner) ?? []).map(([key, detail, text]) => property(key, detail, '0', text)),
    ...further.map(({ key, detail, snippet }) => property(key, detail, '0', `${key}: ${snippet}`)),
    ...(edgeRules.has(owner) ? [internal] : []),
    ...(owner === 'RACE' || owner === 'VENT'
      ? []
      : fieldsOfObjects(names, (id) => `an argument, as the field of ${id}`)),
  ]);
}

/** The fields of all objects, each as that of the first one that has it. */
function fieldsOfObjects({ nodes: all }: Names, describe: (id: string) => string): CompletionItem[] {
  const owners = new Map<string, string>();
  for (const { id, labels: found, fields: keys } of all.values()) {
    if (found.includes('Enum') || found.includes('Scalar')) continue;
    for (const key of keys) if (!owners.has(key)) owners.set(key, id);
  }
  return [...owners].map(([key, id]) => property(key, describe(id), '1'));
}

function property(label: string, detail: string, rank: string, insertText = `${label}: `): CompletionItem {
  return { label, detail, insertText, kind: CompletionItemKind.Property, sortText: rank + label };
}

function problems(names: Names): CompletionItem[] {
  return [...names.nodes.values()]
    .filter(({ labels: found }) => found.includes('Problem'))
    .map(({ id, typeName: label }) => ({ label, kind: CompletionItemKind.Struct, detail: id }));
}

function types(names: Names): CompletionItem[] {
  const scalars = [...builtinScalarNames].map((label) => keyword({ label, sortText: `0${label}` }));
  const own = [...names.nodes.values()].map(({ id, typeName, labels: found }) => ({
    label: typeName,
    kind: found.includes('Enum') ? CompletionItemKind.Enum : CompletionItemKind.Struct,
    detail: id,
    sortText: `1${typeName}`,
  }));
  const taken = new Set(own.map(({ label }) => label));
  const standard = [...standardScalars]
    .filter(([label]) => !taken.has(label))
    .map(([label, { description: detail }]) => keyword({ label, detail, sortText: `2${label}` }));
  return [...scalars, ...own, ...standard];
}

function values(names: Names, type: string): CompletionItem[] {
  const node = names.nodeOfType(type);
  const known = type === 'Boolean' ? ['true', 'false'] : node?.labels.includes('Enum') ? node.values : [];
  const members = known.map((label) => ({ label, kind: CompletionItemKind.EnumMember }));
  return [...members, keyword({ label: 'null' })];
}

/** For an import the nodes of the file that it names, for an export those of this file. */
function listedNames(names: Names, workspace: Workspace, file: TopologyFile, specifier: string | undefined) {
  const from = specifier === undefined ? file : workspace.file(resolveImportPath(file.path, specifier));
  const ids = new Names(from === undefined ? [] : [from]).nodes;
  return nodes(names).filter(({ label }) => ids.has(label));
}

function filesToImport(workspace: Workspace, { path }: TopologyFile, written: string): CompletionItem[] {
  if (isUri(path) || isUri(written)) return [];
  const stem = written.slice(0, written.lastIndexOf('/') + 1);
  const folder = resolveImportPath(path, stem === '' ? '.' : stem);
  return workspace.entriesOf(folder).flatMap(({ name, isFolder }) => {
    const isEntered = isFolder && !name.startsWith('.') && name !== 'node_modules';
    const isOther = name.endsWith('.gg') && normalizePath(`${folder}/${name}`) !== path;
    if (!isEntered && !isOther) return [];
    const label = `${stem === '' ? './' : stem}${name}${isEntered ? '/' : ''}`;
    return [{ label, kind: isEntered ? CompletionItemKind.Folder : CompletionItemKind.File }];
  });
}
