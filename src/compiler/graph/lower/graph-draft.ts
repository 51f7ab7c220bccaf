import type { DiagnosticCode, DiagnosticParams } from '../../../base/diagnostics/codes.js';
import { type Diagnostic, type DiagnosticExtras, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { shortened } from '../../../base/diagnostics/shown-value.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { Span } from '../../../base/source/span.js';
import type { Comment, GraphAST, Hop, Located, NodeTerm, Property, Value } from '../../syntax/ast.js';
import { builtinScalarNames } from '../builtin-scalars.js';
import { type GraphEdge, type GraphNode, mirroredNode } from '../graph-ir.js';
import { whyInvalidName } from '../names.js';
import { type StandardScalar, standardScalars } from '../standard-scalars.js';
import { createSuggester, nearWord, type Suggester } from '../suggest.js';
import { TypeTable } from './type-table.js';

/** The tree and the topology built from it so far. Each pass reads it and adds to it. */
export class GraphDraft {
  readonly diagnostics: Diagnostic[] = [];
  readonly typeTable = new TypeTable();
  /** By id, in the order of first mention. Filled by `collectNodes`. */
  readonly nodes = new Map<string, NodeDraft>();
  /** Filled by `collectNodes`, without what the properties of the edges say. */
  readonly edges: EdgeDraft[] = [];
  /** The edges that have properties. Filled by `collectNodes`, read by `resolveEdges`. */
  readonly edgesWithProperties: EdgeWithProperties[] = [];
  /** The RACE edges, whose unions are types too. Filled by `collectNodes`. */
  readonly races: Hop[] = [];
  /** Of several nodes with one type name, the first. Filled by `nameTypes`. */
  readonly nodesByType = new Map<string, NodeDraft>();
  /** The enums and custom scalars, which few nodes are. Filled by `classifyNodes`. */
  readonly leaves: NodeDraft[] = [];
  /** The values of the enums without faulty values. Filled by `resolveEnums`. */
  readonly enumNames = new Map<NodeDraft, EnumNames>();
  /** The unions of RACE edges. Filled by `nameTypes`. */
  readonly unionNames = new Set<string>();
  /** Guesses which type an unknown word means. */
  readonly typeSuggester = createSuggester(typeNamesOf(this));
  /** The nodes of each label, at most two; filled when the first unknown type is looked for. */
  readonly nodesByLabel = new Map<string, readonly NodeDraft[]>();

  /** @param unreadable - The findings why imported files cannot be read, by path. */
  constructor(
    readonly ast: GraphAST,
    readonly unreadable: ReadonlyMap<string, Diagnostic>,
  ) {}
}

/** A file that is read for a draft. */
export interface DraftFile extends SourceFile {
  readonly draft: GraphDraft;
  readonly comments: readonly Comment[];
}

/** The names of all types, as far as they are known when they are iterated. */
function* typeNamesOf({ nodesByType, unionNames }: GraphDraft): Iterable<string> {
  yield* builtinScalarNames;
  yield* nodesByType.keys();
  yield* unionNames;
}

/**
 * A node under construction. It is the object that the topology will hold: a copy of each node at the end would
 * cost a large topology a tenth of its time.
 */
export type NodeDraft = Mutable<GraphNode> & {
  /**
   * Every mention with a label or properties, in order. Dropped by the pass that reads the properties, so that the
   * topology does not keep the tree alive.
   */
  declarations: readonly Declaration[];
};

/** An edge under construction: `resolveEdges` reads its properties. */
export type EdgeDraft = Mutable<GraphEdge>;

type Mutable<Made> = { -readonly [Key in keyof Made]: Made[Key] };

/** The values of an enum, for checking defaults. */
export interface EnumNames {
  readonly names: ReadonlySet<string>;
  readonly suggester: Suggester;
}

/** An edge and the hop whose properties it takes. */
export interface EdgeWithProperties {
  readonly edge: EdgeDraft;
  readonly file: DraftFile;
  readonly hop: Hop;
}

/** One mention of a node with a label or properties. */
export interface Declaration {
  readonly file: DraftFile;
  readonly term: NodeTerm;
}

/** The node of a type name; undefined for a built-in scalar, a union and an unknown name. */
export function nodeOfType(draft: GraphDraft, name: string): NodeDraft | undefined {
  return builtinScalarNames.has(name) ? undefined : draft.nodesByType.get(name);
}

/** The standard scalar of a type name; undefined if a node or a union has that name. */
export function standardScalarOf(draft: GraphDraft, name: string): StandardScalar | undefined {
  return draft.nodesByType.has(name) || draft.unionNames.has(name) ? undefined : standardScalars.get(name);
}

/**
 * Whether a property may name this type: a built-in or standard scalar, a node, a union, or the input of an object type.
 */
export function isKnownType(draft: GraphDraft, name: string): boolean {
  return (
    draft.nodesByType.has(name) ||
    builtinScalarNames.has(name) ||
    draft.unionNames.has(name) ||
    mirroredNode(draft.nodesByType, name) !== undefined ||
    standardScalars.has(name)
  );
}

/**
 * The type that an unknown word most likely means: the type of the node with that id or that label, the scalar that
 * other languages call so, else a near name.
 */
export function suggestType(draft: GraphDraft, word: string): string | undefined {
  const [labelled, other] = nodesOfLabel(draft, word);
  const node = draft.nodes.get(word) ?? (other === undefined ? labelled : undefined);
  if (node === undefined && labelled !== undefined) return undefined;
  if (node !== undefined) return node.typeName;
  const own = foreignScalars.get(word.toLowerCase()) ?? draft.typeSuggester.nearest(word);
  // The many short names of standard scalars are near to ordinary words.
  return own ?? nearWord(word, standardScalars.keys());
}

/** The nodes with a label, at most two. */
export function nodesOfLabel(draft: GraphDraft, label: string): readonly NodeDraft[] {
  const { nodesByLabel, nodes } = draft;
  if (nodesByLabel.size === 0) {
    for (const node of nodes.values()) {
      for (const each of node.labels) {
        const others = nodesByLabel.get(each) ?? [];
        if (others.length < 2) nodesByLabel.set(each, [...others, node]);
      }
    }
  }
  return nodesByLabel.get(label) ?? [];
}

const foreignScalars: ReadonlyMap<string, string> = new Map([
  ['bool', 'Boolean'],
  ['double', 'Float'],
  ['integer', 'Int'],
  ['number', 'Float'],
  ['str', 'String'],
  ['uuid', 'UUID'],
]);

/** Whether GraphQL refuses the key of a property as a name, which is reported (GG3008). */
export function refusesName(file: DraftFile, { key: name, start }: Property): boolean {
  const reason = whyInvalidName(name);
  if (reason === undefined) return false;
  report(file, 'GG3008', { name, reason }, { start, end: start + name.length });
  return true;
}

/** Reports arguments in parentheses on something that is not a typed field of a node (GG2025). */
export function reportStrayArguments(file: DraftFile, property: Property): void {
  const first = property.args?.[0];
  if (first === undefined) return;
  const last = property.args?.at(-1) ?? first;
  const span = { file: file.name, start: first.start, end: last.end };
  report(file, 'GG2025', { property: property.key }, span);
}

/** Reports a finding about a part of a file. */
export function report<Code extends DiagnosticCode>(
  file: DraftFile,
  code: Code,
  params: DiagnosticParams<Code>,
  part: Located,
  extras?: DiagnosticExtras,
): void {
  file.draft.diagnostics.push(diagnose(code, params, spanOf(file, part), extras));
}

/** The place of a part of the tree. */
export function spanOf(file: SourceFile, part: Located): Span {
  return { file: file.name, start: part.start, end: part.end };
}

/** The text from `start` to `end` on one line and cut short, for messages. */
function excerpt(file: SourceFile, start: number, end: number): string {
  // Only the beginning is looked at: a value of a megabyte may be quoted in thousands of messages.
  const line = file.text.slice(start, Math.min(end, start + 400)).replace(/\s+/g, ' ');
  return shortened(line);
}

/** A value as written, on one line and cut short, for messages. */
export function describeValue(file: SourceFile, value: Value): string {
  return excerpt(file, value.start, value.end);
}

/** A property and its file. */
export interface PropertyPlace {
  readonly file: DraftFile;
  readonly property: Property;
}

/** Reports two contradicting declarations of one property (GG2006): at the second, with a label at the first. */
export function reportPropertyClash(owner: string, first: PropertyPlace, second: PropertyPlace): void {
  const [one, other] = [valueText(first), valueText(second)];
  const labels = [{ span: spanOf(first.file, first.property), message: `declared as ${one} here` }];
  const params = { owner, property: second.property.key, one, other };
  report(second.file, 'GG2006', params, second.property, { labels });
}

function valueText({ file, property }: PropertyPlace): string {
  return excerpt(file, property.value.start, property.end);
}
