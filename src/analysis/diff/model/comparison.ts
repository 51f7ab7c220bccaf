import type { Span } from '../../../base/source/span.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import {
  allOperations,
  type GqlEdgeOrigin,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../../compiler/schema/route-path.js';
import { indexSchema, type NamedType } from '../../../compiler/schema/schema-index.js';
import { originsOf } from '../../provenance/origins.js';
import type { Finding, Side, Touch } from './change.js';
import { type ChangeKind, changeKinds } from './change-kinds.js';
import type { ChangeLevel } from './change-level.js';
import type { ServerSettings } from './server-settings.js';

/** The two compared schemas, as rules see them. */
export interface Comparison {
  readonly before: ComparedSchema;
  readonly after: ComparedSchema;
  readonly operations: Pairing<GqlOperation>;
  readonly types: Pairing<DeclaredType>;
  /** The settings of both servers, if both are known. */
  readonly settings?: readonly [before: ServerSettings, after: ServerSettings];
}

/** One of the two schemas, with lookup tables for the rules. */
export interface ComparedSchema {
  readonly schema: GqlSchema;
  /** The declared types by name, kind by kind, without the built-in scalars. */
  readonly types: ReadonlyMap<string, DeclaredType>;
  /** By their coordinates: `Query.readUser`. */
  readonly operations: ReadonlyMap<string, GqlOperation>;
  /** The object types by the ids of their nodes. */
  readonly objectOfNode: ReadonlyMap<string, GqlObjectType>;
  /** The place of a coordinate: its own, or else that of the part that it belongs to. */
  readonly placeOf: (coordinate: string) => Span | undefined;
}

/** A type that the schema itself declares. */
export type DeclaredType = Exclude<NamedType, { readonly kind: 'builtin' }>;

/** A group of rules: returns the changes that it finds between two schemas. */
export type ChangeRule = (comparison: Comparison) => Iterable<Finding>;

/** Creates the lookup tables for the rules. */
export function compareSchemas(before: GqlSchema, after: GqlSchema): Comparison {
  const [old, found] = [lookUp(before), lookUp(after)];
  return {
    before: old,
    after: found,
    operations: pairByKey(old.operations, found.operations),
    types: pairByKey(old.types, found.types),
  };
}

function lookUp(schema: GqlSchema): ComparedSchema {
  const types = new Map<string, DeclaredType>();
  for (const [name, type] of indexSchema(schema).types) if (type.kind !== 'builtin') types.set(name, type);
  const origins = originsOf(schema);
  const problems = new Map<string, Span | undefined>();
  for (const { name, node, fields } of schema.problems ?? []) {
    problems.set(name, node?.span);
    for (const field of fields) problems.set(`${name}.${field.name}`, field.span);
  }
  const placeOf = (coordinate: string): Span | undefined => {
    const place = origins.get(coordinate)?.spans[0] ?? problems.get(coordinate);
    const holder = coordinate.replace(/[.(][^.(]*$/, '');
    return place ?? (holder === coordinate ? undefined : placeOf(holder));
  };
  return {
    schema,
    types,
    operations: new Map(allOperations(schema).map((operation) => [operationCoordinate(operation), operation])),
    objectOfNode: new Map(schema.objects.flatMap((type) => (type.node ? [[type.node.id, type] as const] : []))),
    placeOf,
  };
}

type TypeOfKind<Kind> = Extract<DeclaredType, { readonly kind: Kind }>['type'];

/** The types of a kind that both schemas have, in pairs. */
export function keptTypes<Kind extends DeclaredType['kind']>(
  { types }: Comparison,
  ...kinds: readonly Kind[]
): readonly (readonly [TypeOfKind<Kind>, TypeOfKind<Kind>])[] {
  return kinds.flatMap((kind) => {
    const pairs = types.kept.filter(([old, found]) => old.kind === kind && found.kind === kind);
    return pairs.map(([old, found]) => [old.type as TypeOfKind<Kind>, found.type as TypeOfKind<Kind>] as const);
  });
}

/** A part of the API, and its place in both topologies. */
export interface ComparedPart {
  readonly coordinate: string;
  readonly spans: Readonly<Record<Side, Span | undefined>>;
  readonly touch: Touch;
}

/** The part at a coordinate. Its reach is computed in the schema of one side, which has the part. */
export function partOf(comparison: Comparison, coordinate: string, side: Side = 'before'): ComparedPart {
  const { before, after } = comparison;
  const spans = { before: before.placeOf(coordinate), after: after.placeOf(coordinate) };
  return { coordinate, spans, touch: touchOf(comparison[side], coordinate, side) };
}

function touchOf({ operations, types, schema }: ComparedSchema, coordinate: string, side: Side): Touch {
  const [path = '', name = '', member] = /^(\w+)(?:\.(\w+))?/.exec(coordinate) ?? [];
  const operation = operations.get(path);
  if (operation !== undefined) return { in: side, operations: [operation] };
  if (schema.problems?.some((problem) => problem.name === name)) {
    const answering = allOperations(schema).filter(({ throws }) => throws?.includes(name));
    if (answering.length > 0) return { in: side, operations: answering };
  }
  const { kind } = types.get(name) ?? {};
  const isField = member !== undefined && (kind === 'object' || kind === 'interface');
  return { in: side, type: name, ...(isField && { field: member }) };
}

/** The route of an operation that both schemas have, perhaps under another name. */
export function routePart(comparison: Comparison, old: GqlOperation, found: GqlOperation): ComparedPart {
  const before = comparison.before.placeOf(operationCoordinate(old));
  const after = comparison.after.placeOf(operationCoordinate(found));
  const touch = { in: 'before', operations: [old], restOnly: true } as const;
  return { coordinate: routeCoordinate(old), spans: { before, after }, touch };
}

/** The place of an operation's target node in a schema without the operation. */
export function spanOfTarget(schema: ComparedSchema, { edges }: GqlOperation): Span | undefined {
  return schema.objectOfNode.get(edges[0]?.to ?? '')?.node?.span;
}

/** The origin of an operation or a union as text: equal origins have equal texts. */
export function printEdges(edges: readonly GqlEdgeOrigin[]): string {
  if (edges.length === 0) return 'a layer';
  return edges.map(({ edge, from, to }) => `(${from.join(' | ')})-[:${edge}]->(${to})`).join(', ');
}

/**
 * A change of a part, with a note on each of its places.
 *
 * @param level - Default: the worst level of the kind.
 * @param absentIn - The side that lacks the part, so that its place there is that of its parent.
 */
export function changeOf(
  { coordinate, spans, touch }: ComparedPart,
  kind: ChangeKind,
  message: string,
  notes: readonly [was: string, is: string],
  { level = changeKinds[kind].levels[0], absentIn }: { level?: ChangeLevel; absentIn?: Side } = {},
): Finding {
  const [before, after] = (['before', 'after'] as const).map((side, at) => {
    const span = spans[side];
    return span && { span, note: notes[at] as string, exact: side !== absentIn };
  });
  return { kind, level, coordinate, message, before, after, touch };
}

/** The change of a text about a part, if it changed. */
export function* textChange(
  part: ComparedPart,
  kind: ChangeKind,
  [was, is]: readonly [string, string],
  message: string,
  notes: readonly [was: string, is: string] = [was, is],
) {
  if (was !== is) yield changeOf(part, kind, message, notes);
}

/** A change without a place in topologies: of a setting of the server, or of a directive of the SDL. */
export function placelessChange(
  kind: ChangeKind,
  coordinate: string,
  message: string,
  touch: Touch,
  level: ChangeLevel = changeKinds[kind].levels[0],
): Finding {
  return { kind, level, coordinate, message, before: undefined, after: undefined, touch };
}

/** Two lists of named things, sorted by whether a name is in one, in the other, or in both. */
export interface Pairing<T> {
  /** In the old list only, in its order. */
  readonly removed: readonly T[];
  /** In the new list only, in its order. */
  readonly added: readonly T[];
  /** In both, in the order of the old list. */
  readonly kept: readonly (readonly [before: T, after: T])[];
}

/** Pairs the items of two lists by their names, which must be unique in each list. */
export function pairByName<T extends { readonly name: string }>(before: readonly T[], after: readonly T[]) {
  const byName = (things: readonly T[]) => new Map(things.map((thing) => [thing.name, thing]));
  return pairByKey(byName(before), byName(after));
}

/** The names that only one of two lists has. */
export function pairNames(before: readonly string[] = [], after: readonly string[] = []) {
  const missingIn = (names: readonly string[]) => (name: string) => !names.includes(name);
  return { removed: before.filter(missingIn(after)), added: after.filter(missingIn(before)) };
}

/** Pairs the values of two maps by their keys. */
export function pairByKey<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): Pairing<T> {
  const missingIn =
    (others: ReadonlyMap<string, T>) =>
    ([key, thing]: readonly [string, T]) =>
      others.has(key) ? [] : [thing];
  const kept = [...before].flatMap(([key, old]) => ifGiven(after.get(key), (found) => [old, found] as const));
  return { removed: [...before].flatMap(missingIn(after)), added: [...after].flatMap(missingIn(before)), kept };
}
