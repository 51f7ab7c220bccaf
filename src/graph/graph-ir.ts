import type { LineMap } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import type { JsonValue } from './json-value.js';
import type { TypeRef } from './type-ref.js';

/**
 * The topology with every name resolved and every file merged: what the passes of this floor make
 * out of the tree, and all that the schema is projected from.
 */
export interface GraphIR {
  /** The line maps of all files, in the order of the documents. */
  readonly sources: readonly LineMap[];
  /** The nodes by id, in the order of their first mention. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** The edges in source order; call chains have become PROCESS edges. */
  readonly edges: readonly GraphEdge[];
}

/** One node: all its declarations united. */
export interface GraphNode {
  readonly id: string;
  /** What it projects to: an object type, or by its label an enum or a custom scalar. */
  readonly kind: 'object' | 'enum' | 'scalar';
  /** The GraphQL type name made from the id. */
  readonly typeName: string;
  /** The labels of all declarations, each once, in order. */
  readonly labels: readonly string[];
  /** The declared fields (none for enums and scalars), in order; empty when the node declares none. */
  readonly fields: readonly GraphField[];
  /** The values of an enum, else empty. */
  readonly values: readonly EnumValue[];
  /** The `specifiedBy` address of a scalar, where given. */
  readonly specifiedBy: string | undefined;
  readonly description: string | undefined;
  /** The id at its first declaration (one with a label or properties), else at its first mention. */
  readonly span: Span;
}

/** One value of an enum. */
export interface EnumValue {
  readonly name: string;
  readonly span: Span;
}

/** A field of a node, or an argument of an edge. */
export interface GraphField {
  readonly name: string;
  readonly type: TypeRef;
  /** The declared constant; enum values stand as their names. Undefined when there is none. */
  readonly fallback: JsonValue | undefined;
  readonly description: string | undefined;
  /** The whole property, from its key to the end of its value. */
  readonly span: Span;
}

/** One edge, from all its sources to all its targets. */
export interface GraphEdge {
  readonly type: string;
  /** Node ids, each once, in order. */
  readonly sources: readonly string[];
  /** Node ids, each once, in order. */
  readonly targets: readonly string[];
  /** The typed properties of the edge. */
  readonly args: readonly GraphField[];
  /** What `returns` asks for, where declared. */
  readonly returns: EdgeResult | undefined;
  /** The literal properties: settings such as `operation`, and notes of the author. */
  readonly settings: ReadonlyMap<string, EdgeSetting>;
  readonly description: string | undefined;
  /** From the first source to the last target. */
  readonly span: Span;
  /** Offset of the edge type in the file of `span`; undefined for a call, which writes none. */
  readonly typeStart: number | undefined;
}

/** The result type that an edge declares for its operation. */
export interface EdgeResult {
  readonly type: TypeRef;
  /** The whole property. */
  readonly span: Span;
}

/** A literal property of an edge. */
export interface EdgeSetting {
  readonly value: JsonValue;
  readonly span: Span;
}
