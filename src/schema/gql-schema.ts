import type { JsonValue } from '../graph/json-value.js';
import type { TypeRef } from '../graph/type-ref.js';
import type { LineMap } from '../source/source-file.js';
import type { Span } from '../source/span.js';

/**
 * The projection of a topology: everything that an emitter or a server needs, as plain, readonly,
 * JSON-serializable data. Lists are in source order, so that the artifacts are byte-stable.
 */
export interface GqlSchema {
  readonly kind: 'GqlSchema';
  /** The line maps of the topology files, to find the line of a span. */
  readonly sources: readonly LineMap[];
  readonly objects: readonly GqlObjectType[];
  /** One for each object type, in the same order. */
  readonly inputs: readonly GqlInputType[];
  readonly enums: readonly GqlEnumType[];
  readonly scalars: readonly GqlScalarType[];
  readonly unions: readonly GqlUnionType[];
  readonly queries: readonly GqlOperation[];
  readonly mutations: readonly GqlOperation[];
  readonly subscriptions: readonly GqlOperation[];
  /** The channels of the operations; absent if no layer binds any. */
  readonly io?: readonly GqlIoBinding[];
}

/** A channel to an external system: its node, and its use by the operations there. */
export interface GqlIoBinding {
  /** The id of the node. */
  readonly node: string;
  /** Whether records come in, go out, or both. */
  readonly direction: 'in' | 'out' | 'inout';
  /** The transport, such as `http`. */
  readonly transport: string;
  readonly operations: readonly GqlIoOperation[];
}

/** The use of a channel by one operation. With `write`, a subscription publishes the events of its FORK edges. */
export interface GqlIoOperation {
  readonly kind: OperationKind;
  readonly name: string;
  readonly access: 'read' | 'write' | 'subscribe';
}

/** The node that a type was projected from; a type of a layer has none. */
export interface GqlNodeOrigin {
  readonly id: string;
  readonly labels: readonly string[];
  readonly span: Span;
}

/** An edge that an operation or a union was projected from. */
export interface GqlEdgeOrigin {
  /** The edge type: PROCESS, FOLD, FORK or RACE. */
  readonly edge: string;
  /** The ids of the sources. */
  readonly from: readonly string[];
  /** The id of the target. */
  readonly to: string;
  readonly span: Span;
}

/** An object type: a node, or a type of a layer. */
export interface GqlObjectType {
  readonly name: string;
  readonly description: string | undefined;
  readonly fields: readonly GqlField[];
  readonly node: GqlNodeOrigin | undefined;
}

/** A field of an object type. */
export interface GqlField {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: TypeRef;
  /** The constant that is served without a resolver; undefined if there is none. */
  readonly fallback: JsonValue | undefined;
  readonly span: Span | undefined;
}

/** The input of an object type: `{object}Input`. */
export interface GqlInputType {
  readonly name: string;
  readonly description: string | undefined;
  /** The name of the object type that it mirrors. */
  readonly of: string;
  /** All optional. In a layer they may refer to an object type: the SDL has its input there. */
  readonly fields: readonly GqlArgument[];
}

/** An argument of an operation, or a field of an input. */
export interface GqlArgument {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: TypeRef;
  /** The default for an omitted argument; undefined if there is none. */
  readonly fallback: JsonValue | undefined;
  readonly span: Span | undefined;
}

/** An enum: a node with the label `Enum`. */
export interface GqlEnumType {
  readonly name: string;
  readonly description: string | undefined;
  readonly values: readonly string[];
  /** The place of each value, in the order of `values`; absent for an enum of a layer. */
  readonly valueSpans?: readonly Span[];
  readonly node: GqlNodeOrigin | undefined;
}

/** A custom scalar: a node with the label `Scalar`. */
export interface GqlScalarType {
  readonly name: string;
  readonly description: string | undefined;
  /** The URL of its specification, if given. */
  readonly specifiedBy: string | undefined;
  readonly node: GqlNodeOrigin | undefined;
}

/** A union: the RACE edges into one target. */
export interface GqlUnionType {
  readonly name: string;
  readonly description: string | undefined;
  /** The names of the member object types, each once, in order. */
  readonly members: readonly string[];
  /** The object type of the target, which the union replaces in results. */
  readonly target: string;
  /** The delays of the members in milliseconds, in their order; absent if no edge has `after`. */
  readonly delays?: readonly number[];
  readonly edges: readonly GqlEdgeOrigin[];
}

/** A query, mutation or subscription. */
export interface GqlOperation {
  readonly kind: OperationKind;
  readonly name: string;
  readonly description: string | undefined;
  readonly arguments: readonly GqlArgument[];
  readonly type: TypeRef;
  /** The edges that it was projected from; empty for an operation of a layer. */
  readonly edges: readonly GqlEdgeOrigin[];
}

/** The three root types of GraphQL. */
export type OperationKind = 'query' | 'mutation' | 'subscription';
