import type { Position } from 'vscode-languageserver';
import { resolveImportPath } from '../graph/import-path.js';
import { inputNameOf, typeNameOf, unionNameOf } from '../graph/names.js';
import { type Mention, mentionsOf } from './mentions.js';
import type { TopologyFile } from './workspace/topology-file.js';

/** What a place in a topology speaks of. Two places speak of the same thing when these are alike. */
export type Target =
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'field' | 'value'; readonly id: string; readonly name: string }
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'edgeType'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

/** A mention and the file that it stands in; its offsets count from the beginning of the file. */
export interface PlacedMention extends Mention {
  readonly file: TopologyFile;
}

/** What is known of a node from its mentions alone. */
export interface NodeFacts {
  readonly id: string;
  readonly typeName: string;
  readonly labels: ReadonlySet<string>;
  /** The items of `values`, which are values only where the label is `Enum`. */
  readonly values: readonly string[];
  readonly fields: ReadonlySet<string>;
}

/**
 * The names in some files, resolved without the compiler: it answers while the text is broken, and as fast
 * as keys are pressed.
 */
export class Names {
  readonly nodes: ReadonlyMap<string, NodeFacts>;
  /** Every label that is used. */
  readonly labels: ReadonlySet<string>;
  /** Every edge type that is used. */
  readonly edgeTypes: ReadonlySet<string>;
  readonly #files: readonly TopologyFile[];
  readonly #byType = new Map<string, NodeFacts>();

  constructor(files: readonly TopologyFile[]) {
    this.#files = files;
    const nodes = new Map<string, MutableFacts>();
    const labels = new Set<string>();
    const edgeTypes = new Set<string>();
    const nodeAt = (id: string): MutableFacts => {
      let node = nodes.get(id);
      if (node === undefined) {
        node = { id, typeName: typeNameOf(id), labels: new Set(), values: [], fields: new Set() };
        nodes.set(id, node);
        if (!this.#byType.has(node.typeName)) this.#byType.set(node.typeName, node);
      }
      return node;
    };
    for (const { kind, name, declares, owner = '' } of mentionsIn(files)) {
      if (kind === 'node') nodeAt(name);
      else if (kind === 'label') {
        nodeAt(owner).labels.add(name);
        labels.add(name);
      } else if (kind === 'field') nodeAt(owner).fields.add(name);
      else if (kind === 'value' && declares) nodeAt(owner).values.push(name);
      else if (kind === 'edgeType') edgeTypes.add(name);
    }
    this.nodes = nodes;
    this.labels = labels;
    this.edgeTypes = edgeTypes;
  }

  /** The node behind a type name: that of its type, of its input, or of the union in its place. */
  nodeOfType(name: string): NodeFacts | undefined {
    const exact = this.#byType.get(name);
    if (exact !== undefined) return exact;
    for (const suffix of [inputNameOf(''), unionNameOf('')]) {
      const base = name.endsWith(suffix) ? this.#byType.get(name.slice(0, -suffix.length)) : undefined;
      if (base !== undefined) return base;
    }
    return undefined;
  }

  /** What a mention speaks of; undefined when that is nothing which has a name of its own. */
  targetOf({ kind, name, declares, owner = '', file }: PlacedMention): Target | undefined {
    switch (kind) {
      case 'node':
        return { kind, id: name };
      case 'type': {
        const node = this.nodeOfType(name);
        return node && { kind: 'node', id: node.id };
      }
      case 'field':
        return { kind, id: owner, name };
      case 'value': {
        const node = declares ? this.nodes.get(owner) : this.nodeOfType(owner);
        return node?.labels.has('Enum') ? { kind, id: node.id, name } : undefined;
      }
      case 'label':
      case 'edgeType':
        return { kind, name };
      case 'file':
        return { kind, path: resolveImportPath(file.path, name) };
      case 'argument':
        return undefined;
    }
  }

  /** Every place that speaks of a thing, file by file. */
  placesOf(target: Target): PlacedMention[] {
    const wanted = keyOf(target);
    const found: PlacedMention[] = [];
    for (const mention of mentionsIn(this.#files)) {
      const one = this.targetOf(mention);
      if (one !== undefined && keyOf(one) === wanted) found.push(mention);
    }
    return found;
  }
}

/** The mention at a position of a file; where two meet, the one that begins there. */
export function mentionAt(file: TopologyFile, position: Position): PlacedMention | undefined {
  const offset = file.document.offsetAt(position);
  const { segment, base } = file.segments.at(offset);
  const at = offset - base;
  const found = mentionsOf(segment).findLast(({ start, end }) => start <= at && at <= end);
  return found && place(found, file, base);
}

/** All mentions of some files. */
export function* mentionsIn(files: readonly TopologyFile[]): Generator<PlacedMention> {
  for (const file of files) {
    for (const { segment, base } of file.segments.segments) {
      for (const mention of mentionsOf(segment)) yield place(mention, file, base);
    }
  }
}

interface MutableFacts extends NodeFacts {
  readonly labels: Set<string>;
  readonly values: string[];
  readonly fields: Set<string>;
}

function place({ kind, name, start, end, declares, owner }: Mention, file: TopologyFile, base: number) {
  return { kind, name, start: start + base, end: end + base, declares, owner, file };
}

function keyOf(target: Target): string {
  return Object.values(target).join('\n');
}
