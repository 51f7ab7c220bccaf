import type { Position } from 'vscode-languageserver';
import { resolveImportPath } from '../../../compiler/graph/import-path.js';
import { remember } from '../../../compiler/graph/maps.js';
import { inputNameOf, typeNameOf, unionNameOf } from '../../../compiler/graph/names.js';
import type { Segment } from '../document/segmented-text.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { type Mention, mentionsOf } from './mentions.js';

/** The target of a mention. Two mentions refer to the same symbol when their targets are equal. */
export type Target =
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'field' | 'value'; readonly id: string; readonly name: string }
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'edgeType'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

/** A mention with its file; offsets are relative to the file. */
export interface PlacedMention extends Mention {
  readonly file: TopologyFile;
}

/** The facts about a node from its mentions. */
export interface NodeFacts {
  readonly id: string;
  readonly typeName: string;
  readonly labels: readonly string[];
  /** The items of `values`, which are values only if the label is `Enum`. */
  readonly values: readonly string[];
  readonly fields: readonly string[];
}

/** The names in some files, resolved without the compiler: fast, and known while the text has errors. */
export class Names {
  readonly nodes = new Map<string, NodeFacts>();
  readonly labels = new Set<string>();
  readonly edgeTypes = new Set<string>();
  readonly #byType = new Map<string, NodeFacts>();

  constructor(private readonly files: readonly TopologyFile[]) {
    const { nodes, labels, edgeTypes } = this;
    for (const { segment } of files.flatMap((file) => file.segments.segments)) {
      const names = namesIn(segment);
      for (const type of names.edgeTypes) edgeTypes.add(type);
      for (const [id, mentioned] of names.nodes) {
        for (const label of mentioned.labels) labels.add(label);
        nodes.set(id, unite(nodes.get(id) ?? newNode(id), mentioned));
      }
    }
    for (const node of nodes.values()) if (!this.#byType.has(node.typeName)) this.#byType.set(node.typeName, node);
  }

  /** The node behind a type name: that of its type, of its input, or of the union in its place. */
  nodeOfType(name: string): NodeFacts | undefined {
    const suffix = [inputNameOf(''), unionNameOf('')].find((one) => name.endsWith(one)) ?? '';
    return this.#byType.get(name) ?? this.#byType.get(name.slice(0, name.length - suffix.length));
  }

  /** The target of a mention; undefined if it has no name. */
  targetOf({ kind, name, declares, owner = '' }: Mention, file: TopologyFile): Target | undefined {
    if (kind === 'node') return { kind, id: name };
    if (kind === 'field') return { kind, id: owner, name };
    if (kind === 'label' || kind === 'edgeType') return { kind, name };
    if (kind === 'file') return { kind, path: resolveImportPath(file.path, name) };
    if (kind === 'argument') return undefined;
    const byType = this.nodeOfType(kind === 'type' ? name : owner);
    if (kind === 'type') return byType && { kind: 'node', id: byType.id };
    const node = declares ? this.nodes.get(owner) : byType;
    return node?.labels.includes('Enum') ? { kind, id: node.id, name } : undefined;
  }

  placesOf(target: Target): PlacedMention[] {
    const wanted = keyOf(target);
    return [...mentionsIn(this.files)].filter((mention) => {
      const one = this.targetOf(mention, mention.file);
      return one !== undefined && keyOf(one) === wanted;
    });
  }
}

/** The mention at a position; between two mentions, the second. */
export function mentionAt(file: TopologyFile, position: Position): PlacedMention | undefined {
  const offset = file.document.offsetAt(position);
  const { segment, base } = file.segments.at(offset);
  const at = offset - base;
  const found = mentionsOf(segment).findLast(({ start, end }) => start <= at && at <= end);
  return found && place(found, file, base);
}

export function* mentionsIn(files: readonly TopologyFile[]): Generator<PlacedMention> {
  for (const file of files) {
    for (const { segment, base } of file.segments.segments) {
      for (const mention of mentionsOf(segment)) yield place(mention, file, base);
    }
  }
}

const known = new WeakMap<Segment, ReturnType<typeof gather>>();

function namesIn(segment: Segment) {
  return remember(known, segment, () => gather(segment));
}

/** The nodes of a segment by id, in the order of first mention, and its edge types. */
function gather(segment: Segment) {
  const nodes = new Map<string, ReturnType<typeof newNode>>();
  const edgeTypes = new Set<string>();
  const nodeAt = (id: string) => remember(nodes, id, () => newNode(id));
  for (const { kind, name, declares, owner = '' } of mentionsOf(segment)) {
    if (kind === 'node') nodeAt(name);
    else if (kind === 'label') nodeAt(owner).labels.push(name);
    else if (kind === 'field') nodeAt(owner).fields.push(name);
    else if (kind === 'value' && declares) nodeAt(owner).values.push(name);
    else if (kind === 'edgeType') edgeTypes.add(name);
  }
  return { nodes, edgeTypes };
}

function newNode(id: string) {
  const none = (): string[] => [];
  return { id, typeName: typeNameOf(id), labels: none(), values: none(), fields: none() };
}

function unite(node: NodeFacts, { labels, values, fields }: NodeFacts): NodeFacts {
  if (labels.length + values.length + fields.length === 0) return node;
  return {
    ...node,
    labels: both(node.labels, labels),
    values: both(node.values, values),
    fields: both(node.fields, fields),
  };
}

/** Most nodes are declared once, so their lists need no copy. */
function both(one: readonly string[], other: readonly string[]): readonly string[] {
  if (other.length === 0) return one;
  return one.length === 0 && other.length === 1 ? other : [...new Set([...one, ...other])];
}

function place({ kind, name, start, end, declares, owner }: Mention, file: TopologyFile, base: number) {
  return { kind, name, start: start + base, end: end + base, declares, owner, file };
}

function keyOf(target: Target): string {
  return Object.values(target).join('\n');
}

export type Scope = NonNullable<ReturnType<typeof scopeAt>>;

/**
 * The symbol at a position, if it is a named one, and all references to it. When a file that several topologies share refers to the target, the other topologies are
 * searched as well.
 */
export function scopeAt(workspace: Workspace, uri: string, position: Position) {
  const file = workspace.fileAt(uri);
  const mention = file && mentionAt(file, position);
  if (mention === undefined) return undefined;
  const files = new Set(workspace.filesAround(mention.file));
  for (;;) {
    const names = new Names([...files]);
    const target = names.targetOf(mention, mention.file);
    const places = target === undefined ? [] : names.placesOf(target);
    const size = files.size;
    for (const place of new Set(places.map((one) => one.file))) {
      for (const one of workspace.filesAround(place)) files.add(one);
    }
    if (files.size === size) return { mention, target, names, files: [...files], places };
  }
}
