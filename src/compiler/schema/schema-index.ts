import { builtinScalars, type ScalarWire } from '../graph/builtin-scalars.js';
import type { JsonValue } from '../graph/json-value.js';
import { remember } from '../graph/maps.js';
import { isStandardValue, isStructured, type StandardScalar, standardScalars } from '../graph/standard-scalars.js';
import { baseName, type TypeRef, withBaseName } from '../graph/type-ref.js';
import type {
  GqlArgument,
  GqlEnumType,
  GqlField,
  GqlInputType,
  GqlInterfaceType,
  GqlObjectType,
  GqlOperation,
  GqlScalarType,
  GqlSchema,
  GqlUnionType,
} from './gql-schema.js';

/** Whether a store keeps the rows of a type: its node has the label `Stored`. */
export function isStored({ node }: Pick<GqlObjectType, 'node'>): boolean {
  return node?.labels.includes('Stored') === true;
}

/** Finds the stored type that a mutation writes: that of its result, or of the node that its edge ends in. */
export function storedTypes(objects: readonly GqlObjectType[]): (operation: GqlOperation) => GqlObjectType | undefined {
  const stored = objects.filter(isStored);
  const named = new Map(stored.map((type) => [type.name, type]));
  const placed = new Map(stored.map((type) => [type.node?.id, type]));
  return ({ type, edges }) => named.get(baseName(type)) ?? placed.get(edges[0]?.to);
}

/** The name of the column that an argument gives: the one that `@store as` names, or its own. */
export function columnGivenBy({ name, store = [] }: GqlArgument): string {
  return (
    store
      .find((said) => said.startsWith('as '))
      ?.slice(3)
      .trim() ?? name
  );
}

export type NamedType =
  | { readonly kind: 'builtin'; readonly wire: ScalarWire }
  /** A standard scalar has a wire form; what a custom scalar accepts is known at run time only. */
  | { readonly kind: 'scalar'; readonly type: GqlScalarType; readonly wire?: ScalarWire }
  | { readonly kind: 'enum'; readonly type: GqlEnumType }
  | { readonly kind: 'object'; readonly type: GqlObjectType }
  | { readonly kind: 'union'; readonly type: GqlUnionType }
  /** The members of an interface are the object types that implement it. */
  | { readonly kind: 'interface'; readonly type: GqlInterfaceType; readonly members: readonly string[] }
  | { readonly kind: 'input'; readonly type: GqlInputType };

export interface SchemaIndex {
  /** Every type of the schema and the five built-in scalars, by name. */
  readonly types: ReadonlyMap<string, NamedType>;
  /** The input of each object type, by the name of the object type. */
  readonly inputOf: ReadonlyMap<string, GqlInputType>;
}

const indexes = new WeakMap<GqlSchema, SchemaIndex>();

/** The index used last: an emitter needs the same one hundreds of times for each operation. */
let latest: { readonly of: GqlSchema; readonly index: SchemaIndex } | undefined;

/** The schema with its internal part, as the resolvers of the server see it. */
export function withInternal(schema: GqlSchema): GqlSchema {
  const { internal, objects, queries, unions } = schema;
  if (internal === undefined) return schema;
  return {
    ...schema,
    objects: [...objects, ...internal.objects],
    queries: [...queries, ...internal.queries],
    unions: [...unions, ...internal.races],
  };
}

/** The index of a schema, computed on first use and cached. */
export function indexSchema(schema: GqlSchema): SchemaIndex {
  if (latest?.of === schema) return latest.index;
  const index = remember(indexes, schema, () => buildIndex(schema));
  latest = { of: schema, index };
  return index;
}

/**
 * The definition of a type name of the schema.
 *
 * @throws {Error} `invariant: …` for an unknown type, which earlier passes report.
 */
export function namedType(schema: GqlSchema, name: string): NamedType {
  const type = indexSchema(schema).types.get(name);
  if (type === undefined) throw new Error(`invariant: the schema has no type ${name}`);
  return type;
}

/** Whether a type has fields or members: an object, an input, a union or an interface. */
export function isComposite(schema: GqlSchema, name: string): boolean {
  const { kind } = namedType(schema, name);
  return kind === 'object' || kind === 'input' || kind === 'union' || kind === 'interface';
}

/**
 * The input of a name in an input position, or undefined for a leaf. If a layer names an object type
 * there, this is the input of that type, because GraphQL accepts nothing else.
 *
 * @throws {Error} `invariant: …` for a name that is not valid in an input position.
 */
export function inputTypeOf(schema: GqlSchema, name: string): GqlInputType | undefined {
  const found = namedType(schema, name);
  if (found.kind === 'input') return found.type;
  if (found.kind !== 'object' && found.kind !== 'union') return undefined;
  const input = indexSchema(schema).inputOf.get(name);
  if (input === undefined) throw new Error(`invariant: ${name} cannot be used in an input position`);
  return input;
}

/** The type of an argument in GraphQL: if a layer names an object type there, its input. */
export function inputTypeRef(schema: GqlSchema, type: TypeRef): TypeRef {
  const input = indexSchema(schema).inputOf.get(baseName(type));
  return input === undefined ? type : withBaseName(type, input.name);
}

/** The fields of an object type; none for any other type. */
export function objectFields(schema: GqlSchema, name: string): readonly GqlField[] {
  const found = namedType(schema, name);
  return found.kind === 'object' ? found.type.fields : [];
}

/** The names of the object types that a value of an abstract type can have; none for any other type. */
export function memberNames(found: NamedType): readonly string[] {
  if (found.kind === 'union') return found.type.members;
  return found.kind === 'interface' ? found.members : [];
}

/** The names of the object types that implement an interface, in order. */
export function implementersOf(schema: GqlSchema, name: string): readonly string[] {
  return memberNames(namedType(schema, name));
}

function buildIndex(schema: GqlSchema): SchemaIndex {
  const types = new Map<string, NamedType>();
  for (const [name, wire] of builtinScalars) types.set(name, { kind: 'builtin', wire });
  for (const type of schema.scalars) {
    const scalar = type.standard === true ? standardScalars.get(type.name) : undefined;
    types.set(type.name, { kind: 'scalar', type, ...(scalar && { wire: wireOf(type.name, scalar) }) });
  }
  for (const type of schema.enums) types.set(type.name, { kind: 'enum', type });
  for (const type of schema.objects) types.set(type.name, { kind: 'object', type });
  for (const type of schema.unions) types.set(type.name, { kind: 'union', type });
  if (schema.interfaces !== undefined) {
    const members = new Map(schema.interfaces.map(({ name }): [string, string[]] => [name, []]));
    for (const { name, interfaces = [] } of schema.objects) for (const one of interfaces) members.get(one)?.push(name);
    for (const type of schema.interfaces)
      types.set(type.name, { kind: 'interface', type, members: members.get(type.name) ?? [] });
  }
  for (const type of schema.inputs) types.set(type.name, { kind: 'input', type });
  let inputOf: Map<string, GqlInputType> | undefined;
  return {
    types,
    // The analysis does not ask for it.
    get inputOf() {
      if (inputOf !== undefined) return inputOf;
      inputOf = new Map();
      for (const type of schema.inputs) if (type.of !== undefined) inputOf.set(type.of, type);
      return inputOf;
    },
  };
}

function wireOf(name: string, scalar: StandardScalar): ScalarWire {
  const { jsonSchema, example } = scalar;
  const isNumber = jsonSchema.type === 'integer' || jsonSchema.type === 'number';
  const fromJson = (value: JsonValue) => (isStandardValue(scalar, value) ? value : undefined);
  return {
    jsonSchema,
    example,
    fromJson,
    fromText(text) {
      // Values with a structure are JSON text, which is parsed before.
      if (isStructured(scalar)) return undefined;
      const value = isNumber ? builtinScalars.get('Float')?.fromText(text) : text;
      return value === undefined ? undefined : fromJson(value);
    },
    expected: scalar.expected ?? `a value of ${name}, such as ${JSON.stringify(example)}`,
  };
}
