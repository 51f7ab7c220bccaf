import { type Change, diff } from '@graphql-inspector/core';
import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { SchemaChange } from '../../../src/analysis/diff/model/change.js';
import { isChangeKind } from '../../../src/analysis/diff/model/change-kinds.js';
import { type ChangeLevel, changeLevels } from '../../../src/analysis/diff/model/change-level.js';
import { schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';

/** What another tool found, in our words: a change of one of the kinds, at least as bad. */
export interface Expectation {
  /** The finding as the tool words it, for messages. */
  readonly found: string;
  readonly coordinate: string;
  /** Undefined for a finding that may be covered by any change of the coordinate. */
  readonly kinds: readonly string[] | undefined;
  /** Undefined where we judge otherwise, and docs/diff.md says so: only the change itself must be there. */
  readonly level: ChangeLevel | undefined;
}

/** The projected schema as other tools read it. */
export function projected(schema: GqlSchema): GraphQLSchema {
  return buildSchema(schemaToGraphQL(schema));
}

/**
 * The names of the types of a schema that no document can name: not in an operation, nor in a fragment or a variable.
 *
 * @param besides the names of types that operations reach otherwise
 */
export function unreachedTypes(schema: GraphQLSchema, besides: readonly string[]): ReadonlySet<string> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const others = besides.map((name) => schema.getType(name));
  const reached = new Set<GraphQLNamedType>([...roots, ...others].flatMap((type) => type ?? []));
  for (const type of reached) {
    if (isAbstractType(type)) for (const member of schema.getPossibleTypes(type)) reached.add(member);
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields()))
        for (const part of [field, ...field.args]) reached.add(getNamedType(part.type));
    }
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) reached.add(getNamedType(field.type));
  }
  const named = new Set([...reached].map(({ name }) => name));
  const isNamed = (name: string): boolean => {
    const type = schema.getType(name);
    return (
      named.has(name) ||
      (isAbstractType(type) && schema.getPossibleTypes(type).some((member) => named.has(member.name)))
    );
  };
  return new Set(Object.keys(schema.getTypeMap()).filter((name) => !isNamed(name)));
}

/**
 * What is in the expectations and not among our changes.
 *
 * @param isUnreached whether no operation reaches a type, so that its changes are safe to us
 */
export function missed(
  expectations: readonly Expectation[],
  changes: readonly SchemaChange[],
  isUnreached: (type: string) => boolean = () => false,
): string[] {
  const rank = (level: ChangeLevel) => changeLevels.indexOf(level);
  return expectations
    .filter(
      ({ coordinate, kinds, level }) =>
        !changes.some(
          (change) =>
            change.coordinate === coordinate &&
            (kinds === undefined || kinds.includes(change.kind)) &&
            (level === undefined || rank(change.level) <= rank(level) || isUnreached(typeOfCoordinate(coordinate))),
        ),
    )
    .map(({ found, coordinate, kinds }) => `${found} [${coordinate}: ${kinds?.join(', ')}]`);
}

/** `User.email` → `User` */
export function typeOfCoordinate(coordinate: string): string {
  return /^\w+/.exec(coordinate)?.[0] ?? '';
}

const roots = new Set(['Query', 'Mutation', 'Subscription']);
const fieldKinds = (what: string) => [`field-${what}`, `input-field-${what}`, `operation-${what}`].filter(isChangeKind);
const valueKinds = (...what: readonly string[]) => what.flatMap((part) => [`argument-${part}`, `input-field-${part}`]);

/** What graphql-js finds; it says what in sentences, so they are read. */
export function graphqlJsFindings(before: GraphQLSchema, after: GraphQLSchema): Expectation[] {
  return [
    ...findBreakingChanges(before, after).map((change) => fromGraphqlJs(change, 'breaking')),
    ...findDangerousChanges(before, after).map((change) => fromGraphqlJs(change, 'dangerous')),
  ];
}

function fromGraphqlJs(
  { type, description }: { readonly type: string; readonly description: string },
  level: ChangeLevel,
): Expectation {
  const expect = (coordinate: string, kinds: readonly string[], at = level) => {
    return { found: `${type}: ${description}`, coordinate, kinds, level: at };
  };
  const read = (pattern: RegExp): readonly string[] => {
    const match = pattern.exec(description);
    if (match === null) throw new Error(`graphql-js says something new: ${description}`);
    return match.slice(1);
  };
  switch (type) {
    case 'TYPE_REMOVED': {
      const standard = /^Standard scalar (\w+) was removed/.exec(description)?.[1];
      if (standard !== undefined) return expect(standard, ['scalar-unused'], 'safe');
      const [name = ''] = read(/^(\w+) was removed\.$/);
      return expect(name, [roots.has(name) ? 'root-type-removed' : 'type-removed']);
    }
    case 'TYPE_CHANGED_KIND':
      return expect(read(/^(\w+) changed from/)[0] ?? '', ['type-kind-changed']);
    case 'FIELD_REMOVED': {
      const [coordinate = ''] = read(/^([\w.]+) was removed\.$/);
      if (coordinate === 'Query._empty') return expect(coordinate, ['placeholder-removed'], 'dangerous');
      return expect(coordinate, fieldKinds('removed'));
    }
    case 'FIELD_CHANGED_KIND':
      return expect(read(/^([\w.]+) changed type/)[0] ?? '', fieldKinds('type-changed'));
    case 'TYPE_REMOVED_FROM_UNION':
    case 'TYPE_ADDED_TO_UNION': {
      const [member, union] = read(/^(\w+) was \w+ \w+ union type (\w+)\.$/);
      return expect(`${union}.${member}`, [
        type === 'TYPE_ADDED_TO_UNION' ? 'union-member-added' : 'union-member-removed',
      ]);
    }
    case 'VALUE_REMOVED_FROM_ENUM':
    case 'VALUE_ADDED_TO_ENUM': {
      const [value, name] = read(/^(\w+) was \w+ \w+ enum type (\w+)\.$/);
      return expect(`${name}.${value}`, [type === 'VALUE_ADDED_TO_ENUM' ? 'enum-value-added' : 'enum-value-removed']);
    }
    case 'REQUIRED_INPUT_FIELD_ADDED':
    case 'OPTIONAL_INPUT_FIELD_ADDED': {
      const [field, input] = read(/^An? \w+ field (\w+) on input type (\w+) was added\.$/);
      return expect(`${input}.${field}`, ['input-field-added']);
    }
    case 'REQUIRED_ARG_ADDED':
    case 'OPTIONAL_ARG_ADDED': {
      const [argument, field] = read(/^An? \w+ arg (\w+) on ([\w.]+) was added\.$/);
      return expect(`${field}(${argument}:)`, ['argument-added']);
    }
    case 'ARG_REMOVED':
    case 'ARG_CHANGED_KIND':
    case 'ARG_DEFAULT_VALUE_CHANGE': {
      const [field, argument] = read(/^([\w.]+) arg (\w+) (?:was removed|has changed|defaultValue)/);
      const kinds = {
        ARG_REMOVED: ['argument-removed'],
        ARG_CHANGED_KIND: ['argument-type-changed'],
        ARG_DEFAULT_VALUE_CHANGE: ['argument-default-changed', 'argument-default-removed', 'argument-became-required'],
      }[type];
      return expect(`${field}(${argument}:)`, kinds);
    }
    case 'DIRECTIVE_REMOVED':
      return expect(`@${read(/^(\w+) was removed\.$/)[0]}`, ['directive-removed']);
    default:
      throw new Error(`graphql-js finds something new: ${type}: ${description}`);
  }
}

/** What GraphQL Inspector finds, without what it finds inside of something that is new altogether. */
export async function inspectorFindings(
  before: GraphQLSchema,
  after: GraphQLSchema,
  changes: readonly SchemaChange[],
): Promise<Expectation[]> {
  const added = new Set(changes.filter(({ kind }) => /-added$/.test(kind)).map(({ coordinate }) => coordinate));
  return (await diff(before, after)).map(fromInspector).filter(({ coordinate, level }) => {
    const [type = '', field = ''] = coordinate.replace(/\(.*/, '').split('.');
    const isInside = added.has(coordinate) || added.has(type) || added.has(`${type}.${field}`);
    return !isInside || level === 'breaking' || level === 'dangerous';
  });
}

const inspectorKinds: Readonly<Record<string, readonly string[]>> = {
  FIELD_ARGUMENT_DEFAULT_CHANGED: valueKinds('default-added', 'default-changed', 'default-removed', 'became-required'),
  FIELD_ARGUMENT_TYPE_CHANGED: ['argument-type-changed'],
  FIELD_ARGUMENT_ADDED: ['argument-added'],
  FIELD_ARGUMENT_REMOVED: ['argument-removed'],
  DIRECTIVE_REMOVED: ['directive-removed'],
  DIRECTIVE_ADDED: ['directive-added'],
  ENUM_VALUE_REMOVED: ['enum-value-removed'],
  ENUM_VALUE_ADDED: ['enum-value-added'],
  FIELD_REMOVED: [...fieldKinds('removed'), 'placeholder-removed'],
  FIELD_ADDED: [...fieldKinds('added'), 'placeholder-added'],
  FIELD_TYPE_CHANGED: fieldKinds('type-changed'),
  INPUT_FIELD_REMOVED: ['input-field-removed'],
  INPUT_FIELD_ADDED: ['input-field-added'],
  INPUT_FIELD_DEFAULT_VALUE_CHANGED: valueKinds(
    'default-added',
    'default-changed',
    'default-removed',
    'became-required',
  ),
  INPUT_FIELD_TYPE_CHANGED: ['input-field-type-changed'],
  SCHEMA_MUTATION_TYPE_CHANGED: ['root-type-removed', 'root-type-added'],
  SCHEMA_SUBSCRIPTION_TYPE_CHANGED: ['root-type-removed', 'root-type-added'],
  TYPE_REMOVED: ['type-removed', 'root-type-removed'],
  TYPE_ADDED: ['type-added', 'root-type-added'],
  TYPE_KIND_CHANGED: ['type-kind-changed'],
  UNION_MEMBER_REMOVED: ['union-member-removed'],
  UNION_MEMBER_ADDED: ['union-member-added'],
};

function fromInspector(change: Change): Expectation {
  const { type, message, criticality } = change;
  const level = ({ BREAKING: 'breaking', DANGEROUS: 'dangerous', NON_BREAKING: 'safe' } as const)[criticality.level];
  const found = `${type}: ${message}`;
  const meta = change.meta as Readonly<Record<string, string>>;
  const path = change.path ?? '';
  if (type.startsWith('DIRECTIVE_USAGE')) {
    const coordinate = path.slice(0, path.indexOf('@') - 1);
    if (path.includes('@specifiedBy')) return { found, coordinate, kinds: ['scalar-specification-changed'], level };
    // The directives of provenance say where a thing comes from, which callers cannot see.
    return { found, coordinate, kinds: ['origin-changed', 'trigger-changed'], level: undefined };
  }
  if (type.includes('DESCRIPTION')) {
    const argument = type === 'FIELD_ARGUMENT_DESCRIPTION_CHANGED';
    return { found, coordinate: argument ? inArgument(path) : path, kinds: ['description-changed'], level };
  }
  if (type.startsWith('DIRECTIVE_') && !(type in inspectorKinds)) {
    // Our two directives never change; what is said of their parts comes with a new one.
    return { found, coordinate: path.split('.')[0] ?? '', kinds: ['directive-added'], level };
  }
  const kinds = inspectorKinds[type];
  if (kinds === undefined) throw new Error(`GraphQL Inspector finds something new: ${found}`);
  if (type.startsWith('FIELD_ARGUMENT')) return { found, coordinate: inArgument(path), kinds, level };
  if (type.startsWith('UNION_MEMBER')) {
    const member = meta.addedUnionMemberTypeName ?? meta.removedUnionMemberTypeName;
    return { found, coordinate: `${meta.unionName}.${member}`, kinds, level };
  }
  if (type.startsWith('SCHEMA_')) {
    return {
      found,
      coordinate: type === 'SCHEMA_MUTATION_TYPE_CHANGED' ? 'Mutation' : 'Subscription',
      kinds,
      level,
    };
  }
  if (path === 'Query._empty' && level === 'breaking') return { found, coordinate: path, kinds, level: 'dangerous' };
  return { found, coordinate: path, kinds, level };
}

/** `Query.readUser.id` → `Query.readUser(id:)` */
function inArgument(path: string): string {
  const [type, field, argument] = path.split('.');
  return `${type}.${field}(${argument}:)`;
}
