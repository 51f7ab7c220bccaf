import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { sameType, type TypeRef } from '../../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlNodeOrigin,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../../compiler/schema/gql-schema.js';
import { indexSchema, type NamedType } from '../../../compiler/schema/schema-index.js';
import type { Finding } from './change.js';

/** The two compared schemas, as rules see them. */
export interface Comparison {
  readonly before: ComparedSchema;
  readonly after: ComparedSchema;
  readonly operations: Pairing<GqlOperation>;
  readonly types: Pairing<DeclaredType>;
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

type TypeOfKind<Kind> = Extract<DeclaredType, { readonly kind: Kind }>['type'];

/** The types of a kind that both schemas have, in pairs. */
export function keptTypes<Kind extends DeclaredType['kind']>(
  { types }: Comparison,
  ...kinds: readonly Kind[]
): readonly (readonly [TypeOfKind<Kind>, TypeOfKind<Kind>])[] {
  return kinds.flatMap((kind) =>
    types.kept.flatMap(([old, found]) =>
      old.kind === kind && found.kind === kind
        ? [[old.type as TypeOfKind<Kind>, found.type as TypeOfKind<Kind>] as const]
        : [],
    ),
  );
}

/** The node that a declared type was projected from; an input has that of its object type. */
export function nodeOf(schema: ComparedSchema, type: DeclaredType): GqlNodeOrigin | undefined {
  if (type.kind === 'union') return undefined;
  if (type.kind !== 'input') return type.type.node;
  if (type.type.of === undefined) return type.type.node;
  const mirrored = schema.types.get(type.type.of);
  return mirrored?.kind === 'object' ? mirrored.type.node : undefined;
}

function lookUp(schema: GqlSchema): ComparedSchema {
  const types = new Map<string, DeclaredType>();
  for (const [name, type] of indexSchema(schema).types) if (type.kind !== 'builtin') types.set(name, type);
  return {
    schema,
    types,
    operations: new Map(
      allOperations(schema).map((operation) => [operationCoordinate(operation), operation]),
    ),
    objectOfNode: new Map(
      schema.objects.flatMap((type) => (type.node ? [[type.node.id, type] as const] : [])),
    ),
  };
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
export function pairByName<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
): Pairing<T> {
  return pairByKey(
    new Map(before.map((thing) => [thing.name, thing])),
    new Map(after.map((thing) => [thing.name, thing])),
  );
}

/** A guess for the user to confirm: exactly one item was removed and one of the same type was added. */
export function likelyRenamed<T extends { readonly type: TypeRef }>({
  removed,
  added,
}: Pairing<T>): T | undefined {
  const [[gone, ...otherGone], [fresh, ...otherFresh]] = [removed, added];
  if (gone === undefined || fresh === undefined || otherGone.length + otherFresh.length > 0) return undefined;
  return sameType(gone.type, fresh.type) ? fresh : undefined;
}

/** Pairs the values of two maps by their keys. */
export function pairByKey<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): Pairing<T> {
  const removed: T[] = [];
  const kept: (readonly [T, T])[] = [];
  for (const [key, old] of before) {
    const found = after.get(key);
    if (found === undefined) removed.push(old);
    else kept.push([old, found]);
  }
  const added = [...after].flatMap(([key, thing]) => (before.has(key) ? [] : [thing]));
  return { removed, added, kept };
}
