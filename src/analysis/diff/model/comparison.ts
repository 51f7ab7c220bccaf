import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import {
  allOperations,
  type GqlNodeOrigin,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../../compiler/schema/gql-schema.js';
import { indexSchema, type NamedType } from '../../../compiler/schema/schema-index.js';
import type { Finding } from './change.js';
import { type Pairing, pairByKey } from './pair-by-name.js';

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
