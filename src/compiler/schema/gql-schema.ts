import type { LineMap } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import type { AccessClause, Access as GqlAccess } from '../graph/access.js';
import type { OldName as GqlOldName } from '../graph/graph-ir.js';
import type { JsonValue } from '../graph/json-value.js';
import type { TypeRef } from '../graph/type-ref.js';
import type { ValueNotes } from '../graph/value-notes.js';

export type { AccessClause, GqlAccess, GqlOldName };

/** Of an alias for an old name: the name of today, and the last month in which the alias is served (`2027-06`). */
export interface GqlRenamed {
  readonly to: string;
  readonly until: string;
}

/**
 * The projection of a topology: everything that an emitter or a server needs, as plain, readonly,
 * JSON-serializable data. Lists are in source order, so that the artifacts are byte-stable.
 */
export interface GqlSchema {
  readonly kind: 'GqlSchema';
  /** The line maps of the topology files, to find the line of a span. */
  readonly sources: readonly LineMap[];
  readonly objects: readonly GqlObjectType[];
  /** One for each object type, and the declared ones, in the order of the nodes. */
  readonly inputs: readonly GqlInputType[];
  /** Absent if the topology declares none. */
  readonly interfaces?: readonly GqlInterfaceType[];
  /** The declared errors; absent if the topology declares none. */
  readonly problems?: readonly GqlProblemType[];
  readonly enums: readonly GqlEnumType[];
  readonly scalars: readonly GqlScalarType[];
  readonly unions: readonly GqlUnionType[];
  readonly queries: readonly GqlOperation[];
  readonly mutations: readonly GqlOperation[];
  readonly subscriptions: readonly GqlOperation[];
  /** Operations that run, but are not part of the API (`internal: true`); absent without any. */
  readonly internal?: GqlInternal;
  /** The channels of the operations; absent if no layer binds any. */
  readonly io?: readonly GqlIoBinding[];
  /** The metadata of the whole API; absent without a project file that has any. */
  readonly info?: GqlApiInfo;
  /** How callers authenticate; absent if nothing in the schema says who may use it. */
  readonly security?: readonly GqlSecurityScheme[];
}

/** A way to authenticate, in the words of OpenAPI 3.1 (section 4.8.27). Any one of a list is enough. */
export type GqlSecurityScheme =
  | { readonly type: 'bearer'; readonly format?: string }
  | { readonly type: 'apiKey'; readonly header: string };

/** Operations that run, but are not part of the API. */
export interface GqlInternal {
  /** The types of internal nodes. */
  readonly objects: readonly GqlObjectType[];
  /** The queries of internal edges, and those that end in internal nodes: branches of races. */
  readonly queries: readonly GqlOperation[];
  /** The races without a union. Each returns the type of its target, which its branches are served as. */
  readonly races: readonly GqlUnionType[];
}

/** The metadata of the whole API, in the words of OpenAPI 3.1 (section 4.8.2). */
export interface GqlApiInfo {
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
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
  /** The edge type: PROCESS, FOLD, FORK, RACE, or VENT for a fallback. */
  readonly edge: string;
  /** The ids of the sources. */
  readonly from: readonly string[];
  /** The id of the target. */
  readonly to: string;
  readonly span: Span;
}

/**
 * An object type: a node, or a type of a layer. Each of its fields demands what the type demands; operations and fields
 * that return the type say so themselves, except for its owner.
 */
export interface GqlObjectType extends GqlAccess {
  readonly name: string;
  readonly description: string | undefined;
  /** The names of its interfaces, in order; absent without any. */
  readonly interfaces?: readonly string[];
  readonly fields: readonly GqlField[];
  /** The rules of its table, as each `@store` of the node says; absent without any. */
  readonly store?: readonly string[];
  readonly node: GqlNodeOrigin | undefined;
}

/** An interface: a node with the label `Interface`. */
export type GqlInterfaceType = GqlObjectType;

/** A declared error: a node with the label `Problem`. */
export interface GqlProblemType {
  readonly name: string;
  readonly description: string | undefined;
  /** The HTTP status of the REST response. */
  readonly status: number;
  /** The fields of the error beside its message. */
  readonly fields: readonly GqlField[];
  readonly node: GqlNodeOrigin | undefined;
}

/** A field of an object type, an interface or a declared error. */
export interface GqlField extends ValueNotes, GqlAccess {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: TypeRef;
  /** Absent if it takes none. */
  readonly arguments?: readonly GqlArgument[];
  /** The names that it had, each of which is an alias; absent without any. */
  readonly oldNames?: readonly GqlOldName[];
  /** Absent unless it is an alias for an old name. */
  readonly renamed?: GqlRenamed;
  /** The pages of its connection; absent for other types. */
  readonly page?: GqlPage;
  /** The paths of the fields that REST returns by default, as `@fields` says; absent without it. */
  readonly fields?: readonly string[];
  /** The header that REST also sends the field of a result as; absent without one. */
  readonly sentAs?: string;
  /** How a store keeps the field, as each `@store` says; absent without any. */
  readonly store?: readonly string[];
  /** The constant that is served without a resolver; undefined if there is none. */
  readonly fallback: JsonValue | undefined;
  readonly span: Span | undefined;
}

/** The input of an object type (`{object}Input`), or a node with the label `Input`. */
export interface GqlInputType {
  readonly name: string;
  readonly description: string | undefined;
  /** The name of the object type that it mirrors; undefined for a declared input. */
  readonly of: string | undefined;
  /** Whether a value has exactly one of the fields, as `@oneOf` says; absent if not. */
  readonly oneOf?: true;
  /**
   * All optional, unless the input is declared. In a layer they may refer to an object type: the SDL has its input
   * there.
   */
  readonly fields: readonly GqlArgument[];
  /** The node of a declared input; absent for the input of an object type. */
  readonly node?: GqlNodeOrigin;
}

/** An argument of an operation or a field, or a field of an input. */
export interface GqlArgument extends ValueNotes {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: TypeRef;
  /** The header that REST reads an argument of an operation from; absent for the usual place. */
  readonly header?: string;
  /** How a store compares it, as each `@store` says; absent without any. */
  readonly store?: readonly string[];
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
  /** The documentation of each value, in the order of `values`; absent if none has any. */
  readonly valueNotes?: readonly GqlEnumValueNotes[];
  /** How REST and agents spell each value, in the order of `values`; absent if they use the names. */
  readonly spellings?: readonly string[];
  /** In the view of REST (`wireView`), whose `values` are spellings: the names in GraphQL, in their order. */
  readonly names?: readonly string[];
  readonly node: GqlNodeOrigin | undefined;
}

/** The documentation of one value of an enum. */
export interface GqlEnumValueNotes {
  readonly description?: string;
  /** The reason of `@deprecated`. */
  readonly deprecated?: string;
}

/** A custom scalar: a node with the label `Scalar`, or a standard scalar that the topology uses. */
export interface GqlScalarType {
  readonly name: string;
  readonly description: string | undefined;
  /** The URL of its specification, if given. */
  readonly specifiedBy: string | undefined;
  /** Whether it is a standard scalar, which needs no implementation; absent if not. */
  readonly standard?: true;
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
  /** Why callers may reach a member whose query demands more than they meet, by member; absent without any. */
  readonly open?: Readonly<Record<string, string>>;
  /** How the race ends; absent if the first success wins and failed branches are skipped. */
  readonly policy?: GqlRacePolicy;
  readonly edges: readonly GqlEdgeOrigin[];
}

/** The policy of a race, and the delays of its members in milliseconds if any waits, as documents show them. */
export function raceWords({ policy, delays = [] }: Pick<GqlUnionType, 'policy' | 'delays'>) {
  const words: GqlRacePolicy & { readonly after?: readonly number[] } = policy ?? {};
  return delays.some((delay) => delay > 0) ? { ...words, after: delays } : words;
}

/** How a race ends. */
export interface GqlRacePolicy {
  /**
   * `cancel`: the first failure of a branch ends the race. `vent`: a failed branch is skipped, as without the setting.
   * `shield`: it is skipped, and the branches that have not won run to their ends.
   */
  readonly failure?: 'cancel' | 'vent' | 'shield';
  /** The time of each branch in milliseconds, from its start. A branch that takes longer has failed. */
  readonly timeoutMs?: number;
  /** The time of the whole race in milliseconds. Branches without a result by then have failed. */
  readonly deadlineMs?: number;
  /** The number of branches that must have equal results. */
  readonly quorum?: number;
}

/** The operations of all kinds, without those that are internal. */
export function allOperations(schema: Pick<GqlSchema, 'queries' | 'mutations' | 'subscriptions'>): GqlOperation[] {
  return [...schema.queries, ...schema.mutations, ...schema.subscriptions];
}

/**
 * The schemes by which callers authenticate, unless the project gives others: a JSON Web Token as bearer (RFC 6750,
 * section 2.1). None if no part of the API says who may use it.
 */
export function securityOf(schema: GqlSchema): Pick<GqlSchema, 'security'> {
  const { queries, mutations, subscriptions, objects, interfaces = [] } = schema;
  const hasAccess = ({ auth }: GqlAccess) => auth !== undefined;
  const isUsed =
    [queries, mutations, subscriptions].some((operations) => operations.some(hasAccess)) ||
    [objects, interfaces].some((types) => types.some((type) => hasAccess(type) || type.fields.some(hasAccess)));
  return isUsed ? { security: [{ type: 'bearer', format: 'JWT' }] } : {};
}

export interface GqlOperation extends GqlAccess {
  readonly kind: OperationKind;
  readonly name: string;
  readonly description: string | undefined;
  readonly arguments: readonly GqlArgument[];
  readonly type: TypeRef;
  /** The edges that it was projected from; empty for an operation of a layer. */
  readonly edges: readonly GqlEdgeOrigin[];
  /** The reason of `@deprecated`; absent without it. */
  readonly deprecated?: string;
  /** The tags of the operation in OpenAPI; absent without any. */
  readonly tags?: readonly string[];
  /** The names that it had, each of which is an alias; absent without any. */
  readonly oldNames?: readonly GqlOldName[];
  /** Absent unless it is an alias for an old name. */
  readonly renamed?: GqlRenamed;
  /** The route that `route` gives; absent for the default route. */
  readonly route?: GqlRoute;
  /** The HTTP status of a successful REST response; absent for the default. */
  readonly status?: number;
  /** The HTTP status of a REST response without a value (`null: 404`); absent for a response with null. */
  readonly nullStatus?: number;
  /** The names of the declared errors that it can answer with; absent without any. */
  readonly throws?: readonly string[];
  /** The pages of its connection (`page: 20`); absent for other results. */
  readonly page?: GqlPage;
  /** The paths of the fields that REST returns by default (`fields: ['id', 'author.name']`); absent for all. */
  readonly fields?: readonly string[];
  /** Whether callers must send an idempotency key (`idempotent: 'required'`); absent if they may. */
  readonly idempotent?: 'required';
  /** Whether REST reads have an ETag, and whether writes may, or must, name it (`etag: true`); absent if not. */
  readonly etag?: true | 'required';
  /** The write of a store (`writes: 'update'`); absent if its arguments say so. */
  readonly writes?: GqlWrites;
  /** Whether clients run it, with the operations that lead to it, in one request (`chain: true`); absent if not. */
  readonly chain?: true;
  /** Whether its chain is a run that outlives the request and the process (`durable: true`); absent if not. */
  readonly durable?: true;
  /** The mutation that undoes it in a durable chain (`undo: 'cancelOrder'`); absent without one. */
  readonly undo?: string;
  /** How often a durable chain tries it again after a failure of the server (`retries: 5`); absent for the default. */
  readonly retries?: number;
  /** The event for which a durable chain waits before it (`awaits: 'parcelScanned'`); absent without one. */
  readonly awaits?: string;
  /**
   * The time in which its event must come and its attempts end, in a durable chain (`within: '2d'`); absent without a
   * limit.
   */
  readonly within?: string;
  /** How long a durable chain pauses before it (`pause: '1h'`); absent without a pause. */
  readonly pause?: string;
  /** The fallback of a query; absent without one. */
  readonly vent?: GqlVent;
  /** The field that tells what an event is about (`@partition`); absent for the default. */
  readonly partition?: string;
}

/** The fallback of a query: a VENT edge with `fallback: true`. */
export interface GqlVent {
  /** The name of the query that answers when this one fails. It may be internal. */
  readonly query: string;
  /** The time of this query in milliseconds. If it takes longer, it has failed. */
  readonly timeoutMs?: number;
  readonly edge: GqlEdgeOrigin;
}

/** The effect of a mutation on the rows of a store. */
export type GqlWrites = 'insert' | 'update' | 'upsert' | 'delete';

/** The pages of a connection. */
export interface GqlPage {
  /** The number of items in a page by default. */
  readonly size: number;
  /** Whether operations and tools tell the number of all items (`page: '20 totalCount'`); absent if not. */
  readonly isCounted?: true;
  /** The name of the type of the items. */
  readonly node: string;
}

/** A route of one's own. */
export interface GqlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path as written, with the names of arguments in braces: `/books/{isbn}`. */
  readonly path: string;
}

/** The three root types of GraphQL. */
export type OperationKind = 'query' | 'mutation' | 'subscription';
