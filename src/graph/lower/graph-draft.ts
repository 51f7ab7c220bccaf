import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import type { GraphAST, Hop, Located, NodeTerm, Value } from '../../syntax/ast.js';
import { builtinScalarNames } from '../builtin-scalars.js';
import type { EnumValue, GraphEdge, GraphField, GraphNode } from '../graph-ir.js';
import { inputNameOf } from '../names.js';
import { createSuggester, type Suggester } from '../suggest.js';
import { TypeTable } from './type-table.js';

/** What the passes of this floor work on: the tree, and the topology as far as it is understood. */
export interface GraphDraft {
  readonly ast: GraphAST;
  /** Why imported files cannot be read, by path. */
  readonly unreadable: ReadonlyMap<string, Diagnostic>;
  readonly diagnostics: Diagnostic[];
  readonly typeTable: TypeTable;
  /** By id, in the order of first mention. Filled by `collectNodes`. */
  readonly nodes: Map<string, NodeDraft>;
  /** The RACE edges, whose unions are types too. Filled by `collectNodes`. */
  readonly races: Hop[];
  /** Every type that a property may name, except the inputs. Filled by `nameTypes`. */
  readonly types: Map<string, KnownType>;
  /** Guesses at the type that an unknown word means. */
  readonly typeSuggester: Suggester;
  /** Filled by `collectEdges`. */
  readonly edges: GraphEdge[];
}

/** What a type name stands for: one of GraphQL's scalars, a union of RACE edges, or a node. */
export type KnownType = 'scalar' | 'union' | NodeDraft;

/**
 * A node that is being put together. It is the very object that the topology will hold: copying each
 * of them at the end would cost a large topology a tenth of its time.
 */
export interface NodeDraft extends GraphNode {
  typeName: string;
  kind: GraphNode['kind'];
  labels: readonly string[];
  description: string | undefined;
  span: Span;
  fields: readonly GraphField[];
  values: readonly EnumValue[];
  specifiedBy: string | undefined;
  /** Every mention with a label or properties, in order. Let go of when lowering ends. */
  declarations: readonly Declaration[];
  /** The names of the values; undefined when the values are at fault, so that nothing is held against them. */
  valueNames: ReadonlySet<string> | undefined;
}

/** One mention of a node that says something about it. */
export interface Declaration {
  readonly file: SourceFile;
  readonly term: NodeTerm;
}

/** An empty draft of the topology that a tree describes. */
export function createDraft(ast: GraphAST, unreadable: ReadonlyMap<string, Diagnostic>): GraphDraft {
  const types = new Map<string, KnownType>();
  for (const name of builtinScalarNames) types.set(name, 'scalar');
  return {
    ast,
    unreadable,
    diagnostics: [],
    typeTable: new TypeTable(),
    nodes: new Map(),
    races: [],
    types,
    typeSuggester: createSuggester({ [Symbol.iterator]: () => types.keys() }),
    edges: [],
  };
}

/** Whether a property may name this type: a known one, or the input of an object type. */
export function isKnownType(draft: GraphDraft, name: string): boolean {
  if (draft.types.has(name)) return true;
  const suffix = inputNameOf('');
  if (!name.endsWith(suffix)) return false;
  const mirrored = draft.types.get(name.slice(0, -suffix.length));
  return typeof mirrored === 'object' && mirrored.kind === 'object';
}

/** The type that an unknown word most likely means: the type of a node with that id, else a near name. */
export function suggestType(draft: GraphDraft, word: string): string | undefined {
  return draft.nodes.get(word)?.typeName ?? draft.typeSuggester.nearest(word);
}

/** The place of a part of the tree. */
export function spanOf(file: SourceFile, part: Located): Span {
  return { file: file.name, start: part.start, end: part.end };
}

/** A value as its author wrote it, on one line and cut short, for messages. */
export function describeValue(file: SourceFile, value: Value): string {
  return shorten(file.text.slice(value.start, value.end));
}

/** Text of the source, on one line and cut short, for messages. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
