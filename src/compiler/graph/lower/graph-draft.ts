import type { DiagnosticCode, DiagnosticParams } from '../../../base/diagnostics/codes.js';
import { type Diagnostic, type DiagnosticExtras, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { shortened } from '../../../base/diagnostics/shown-value.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { Span } from '../../../base/source/span.js';
import type { Comment, GraphAST, Hop, Located, NodeTerm, Property } from '../../syntax/ast.js';
import { builtinScalarNames } from '../builtin-scalars.js';
import { type GraphEdge, type GraphNode, mirroredNode } from '../graph-ir.js';
import { remember } from '../maps.js';
import { whyInvalidName } from '../names.js';
import { type StandardScalar, standardScalars } from '../standard-scalars.js';
import { createSuggester, nearWord, type Suggester } from '../suggest.js';
import * as ref from '../type-ref.js';

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

  report<Code extends DiagnosticCode>(
    code: Code,
    params: DiagnosticParams<Code>,
    span: Span,
    extras?: DiagnosticExtras,
  ): void {
    this.diagnostics.push(diagnose(code, params, span, extras));
  }

  /** The node of a type name; undefined for a built-in scalar, a union and an unknown name. */
  nodeOfType(name: string): NodeDraft | undefined {
    return builtinScalarNames.has(name) ? undefined : this.nodesByType.get(name);
  }

  /** The standard scalar of a type name; undefined if a node or a union has that name. */
  standardScalarOf(name: string): StandardScalar | undefined {
    return this.nodesByType.has(name) || this.unionNames.has(name) ? undefined : standardScalars.get(name);
  }

  /**
   * Whether a property may name this type: a built-in or standard scalar, a node, a union, or the input of an object type.
   */
  isKnownType(name: string): boolean {
    return (
      this.nodesByType.has(name) ||
      builtinScalarNames.has(name) ||
      this.unionNames.has(name) ||
      mirroredNode(this.nodesByType, name) !== undefined ||
      standardScalars.has(name)
    );
  }

  /**
   * The type that an unknown word most likely means: the type of the node with that id or that label, the scalar that
   * other languages call so, else a near name.
   */
  suggestType(word: string): string | undefined {
    const [labelled, other] = this.nodesOfLabel(word);
    const node = this.nodes.get(word) ?? (other === undefined ? labelled : undefined);
    if (node !== undefined) return node.typeName;
    if (labelled !== undefined) return undefined;
    const own = foreignScalars.get(word.toLowerCase()) ?? this.typeSuggester.nearest(word);
    // The many short names of standard scalars are near to ordinary words.
    return own ?? nearWord(word, standardScalars.keys());
  }

  /** The nodes with a label, at most two. */
  nodesOfLabel(label: string): readonly NodeDraft[] {
    const { nodesByLabel, nodes } = this;
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
}

const foreignScalars: ReadonlyMap<string, string> = new Map([
  ['bool', 'Boolean'],
  ['double', 'Float'],
  ['integer', 'Int'],
  ['number', 'Float'],
  ['str', 'String'],
  ['uuid', 'UUID'],
]);

export class DraftFile implements SourceFile {
  readonly name: string;
  readonly text: string;

  constructor(
    readonly draft: GraphDraft,
    { name, text }: SourceFile,
    readonly comments: readonly Comment[],
  ) {
    this.name = name;
    this.text = text;
  }

  spanOf({ start, end }: Located): Span {
    return { file: this.name, start, end };
  }

  /** Reports a finding about a part of the file. */
  report<Code extends DiagnosticCode>(
    code: Code,
    params: DiagnosticParams<Code>,
    part: Located,
    extras?: DiagnosticExtras,
  ): void {
    this.draft.report(code, params, this.spanOf(part), extras);
  }

  /** Whether GraphQL refuses the key of a property as a name, which is reported (GG3008). */
  refusesName({ key: name, start }: Property): boolean {
    const reason = whyInvalidName(name);
    if (reason === undefined) return false;
    this.report('GG3008', { name, reason }, { start, end: start + name.length });
    return true;
  }

  /** Reports arguments in parentheses on something that is not a typed field of a node (GG2025). */
  reportStrayArguments({ key: property, args = [] }: Property): void {
    const [first] = args;
    if (first === undefined) return;
    this.report('GG2025', { property }, { start: first.start, end: (args.at(-1) ?? first).end });
  }

  /** Reports a property that contradicts another declaration of it (GG2006), with a label there. */
  reportClash(owner: string, first: PropertyPlace, second: Property): void {
    const one = first.file.describe({ start: first.property.value.start, end: first.property.end });
    const other = this.describe({ start: second.value.start, end: second.end });
    const labels = [{ span: first.file.spanOf(first.property), message: `declared as ${one} here` }];
    this.report('GG2006', { owner, property: second.key, one, other }, second, { labels });
  }

  /** A part as written, on one line and cut short, for messages. */
  describe({ start, end }: Located): string {
    // Only the beginning is looked at: a value of a megabyte may be quoted in thousands of messages.
    return shortened(this.text.slice(start, Math.min(end, start + 400)).replace(/\s+/g, ' '));
  }
}

export interface PropertyPlace {
  readonly file: DraftFile;
  readonly property: Property;
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

/**
 * Type references, one object for each distinct one. A large topology writes `String!` a hundred thousand times:
 * sharing one object keeps memory in proportion to the number of types, and makes comparing two references a matter
 * of identity nearly always.
 */
export class TypeTable {
  readonly #named = new Map<string, ref.NamedTypeRef>();
  readonly #required = new Map<string, ref.NonNullTypeRef>();
  readonly #lists = new Map<ref.TypeRef, ref.ListTypeRef>();
  readonly #nonNulls = new Map<ref.TypeRef, ref.NonNullTypeRef>();

  get names(): Pick<ReadonlySet<string>, 'has'> {
    return this.#named;
  }

  /** The reference `Name` or `Name!`; undefined if it was not read before. */
  known(name: string, nonNull: boolean): ref.TypeRef | undefined {
    return nonNull ? this.#required.get(name) : this.#named.get(name);
  }

  named(name: string): ref.NamedTypeRef {
    return remember(this.#named, name, () => ref.named(name));
  }

  required(name: string): ref.NonNullTypeRef {
    return remember(this.#required, name, () => this.nonNull(this.named(name)));
  }

  listOf(of: ref.TypeRef): ref.ListTypeRef {
    return remember(this.#lists, of, () => ref.listOf(of));
  }

  nonNull(of: ref.TypeRef): ref.NonNullTypeRef {
    return remember(this.#nonNulls, of, () => ref.nonNull(of));
  }
}
