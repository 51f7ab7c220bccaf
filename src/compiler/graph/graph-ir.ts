import type { LineMap } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import type { Access } from './access.js';
import type { JsonValue } from './json-value.js';
import { inputNameOf } from './names.js';
import type { PageSize } from './page-size.js';
import type { TypeRef } from './type-ref.js';
import type { ValueNotes } from './value-notes.js';

/**
 * The topology with every name resolved and every file merged. `lower/` makes it from the tree; the schema is
 * projected from it alone.
 */
export interface GraphIR {
  /** The line maps of all files, in the order of the documents. */
  readonly sources: readonly LineMap[];
  /** The nodes by id, in the order of their first mention. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** The nodes by type name; of several nodes with one type name, the first. */
  readonly nodesByType: ReadonlyMap<string, GraphNode>;
  /** The names of the types that fields, arguments and declared results have. */
  readonly typesInUse: Pick<ReadonlySet<string>, 'has'>;
  /** The edges in source order; call chains have become PROCESS edges. */
  readonly edges: readonly GraphEdge[];
}

/** One node: all its declarations merged. Its access is that of its type. */
export interface GraphNode extends Access {
  readonly id: string;
  /** The position in `GraphIR.nodes`, so that a set of nodes can be an array of marks. */
  readonly index: number;
  /** The kind of its type: an object type, or by its label another one. */
  readonly kind: NodeKind;
  /** The GraphQL type name made from the id. */
  readonly typeName: string;
  /** The labels of all declarations, each once, in order. */
  readonly labels: readonly string[];
  /** The declared fields in order; empty for enums, scalars and nodes that declare none. */
  readonly fields: readonly GraphField[];
  /** The values of an enum, else empty. */
  readonly values: readonly EnumValue[];
  /** The `specifiedBy` address of a scalar, if declared. */
  readonly specifiedBy: string | undefined;
  /** The properties that are settings and not fields, such as `internal`; absent without any. */
  readonly settings?: ReadonlyMap<string, Setting>;
  readonly description: string | undefined;
  /** The rules of its table, as each `@store` says; absent without any. */
  readonly store?: readonly string[];
  /** The id at its first declaration (one with a label or properties), else at its first mention. */
  readonly span: Span;
}

/** The kind of the type that a node becomes. */
export type NodeKind = 'object' | 'enum' | 'scalar' | 'input' | 'interface' | 'problem';

export interface EnumValue {
  readonly name: string;
  /** The text of its doc comment; absent without one. */
  readonly description?: string;
  /** The reason of `@deprecated`; absent without it. */
  readonly deprecated?: string;
  /** The text of `@value`, which stands for the name outside GraphQL; absent without it. */
  readonly spelling?: string;
  readonly span: Span;
}

/** A field of a node, an argument of an edge, or an argument of a field. */
export interface GraphField extends ValueNotes, Access {
  readonly name: string;
  readonly type: TypeRef;
  /** The arguments of a field; absent if it declares none. */
  readonly arguments?: readonly GraphField[];
  /** The old names that `@renamedFrom` gives; absent without any. */
  readonly oldNames?: readonly OldName[];
  /** The pages of the list, as `@page` says; absent for a plain list. */
  readonly pageSize?: PageSize;
  /** The paths of the fields that REST returns by default, as `@fields` says; absent without it. */
  readonly fields?: readonly string[];
  /** The header that REST reads an argument of an edge from, as `@header` says; absent without it. */
  readonly header?: string;
  /** The header that REST also sends a field of a result as, as `@header` says; absent without it. */
  readonly sentAs?: string;
  /** The settings of each `@store`; absent without any. */
  readonly store?: readonly string[];
  /** The declared constant or default; enum values are names. Undefined if there is none. */
  readonly fallback: JsonValue | undefined;
  readonly description: string | undefined;
  /** The whole property, from its key to the end of its value. */
  readonly span: Span;
}

/** A name that an operation or a field had. */
export interface OldName {
  readonly name: string;
  /** The last month in which it is served: `2027-06`. */
  readonly until: string;
}

/** One edge, from all its sources to all its targets. */
export interface GraphEdge {
  readonly type: string;
  /** Each node once, in order. */
  readonly sources: readonly GraphNode[];
  /** Each node once, in order. */
  readonly targets: readonly GraphNode[];
  readonly args: readonly GraphField[];
  readonly returns: EdgeResult | undefined;
  /** The literal properties: settings such as `operation`, and notes of the author. */
  readonly settings: ReadonlyMap<string, Setting>;
  readonly description: string | undefined;
  /** The reason of `@deprecated`; absent without it. */
  readonly deprecated?: string;
  /** The texts of `@tag`; absent without any. */
  readonly tags?: readonly string[];
  /** The old names of its operation that `@renamedFrom` gives; absent without any. */
  readonly oldNames?: readonly OldName[];
  /** From the first source to the last target. */
  readonly span: Span;
  /** Offset of the edge type in the file of `span`; undefined for a call, which has no edge type in the text. */
  readonly typeStart: number | undefined;
}

/** The result type that an edge declares for its operation. */
export interface EdgeResult {
  readonly type: TypeRef;
  readonly span: Span;
}

/** A literal property of an edge or a node. */
export interface Setting {
  readonly value: JsonValue;
  readonly span: Span;
}

/** The names of the interfaces that a node declares. */
export function declaredInterfaces(node: GraphNode | undefined): readonly string[] {
  return (node?.settings?.get('implements')?.value as readonly string[] | undefined) ?? none;
}

const none: readonly never[] = [];

/** The label beside `Input` that makes callers give exactly one of its fields. */
export const oneOfLabel = 'OneOf';

/** Whether callers give exactly one of the fields of a node. */
export function isOneOf({ kind, labels }: Pick<GraphNode, 'kind' | 'labels'>): boolean {
  return kind === 'input' && labels.includes(oneOfLabel);
}

/** Whether a node is absent from the API: `internal: true`. */
export function isInternalNode({ settings }: GraphNode): boolean {
  return settings?.get('internal')?.value === true;
}

export function hasInternalNodes({ nodes }: GraphIR): boolean {
  for (const node of nodes.values()) if (isInternalNode(node)) return true;
  return false;
}

/** Whether an edge is absent from the API by its own setting: `internal: true`. */
export function isInternalEdge({ settings }: GraphEdge): boolean {
  return settings.get('internal')?.value === true;
}

/**
 * The targets of the races that make no union, because one of their edges or branches is internal. Such a race returns the
 * type of its target.
 */
export function internalRaces(edges: readonly GraphEdge[]): ReadonlySet<GraphNode> {
  const targets = new Set<GraphNode>();
  for (const edge of edges) {
    if (edge.type !== 'RACE') continue;
    const isInternal = isInternalEdge(edge) || edge.sources.some(isInternalNode);
    for (const target of edge.targets) if (isInternal || isInternalNode(target)) targets.add(target);
  }
  return targets;
}

const inputSuffix = inputNameOf('');

/** The object node whose input type has that name (`UserInput` → the node of `User`); undefined if none has. */
export function mirroredNode<Node extends GraphNode>(
  nodesByType: ReadonlyMap<string, Node>,
  name: string,
): Node | undefined {
  const node = name.endsWith(inputSuffix) ? nodesByType.get(name.slice(0, -inputSuffix.length)) : undefined;
  return node?.kind === 'object' ? node : undefined;
}
