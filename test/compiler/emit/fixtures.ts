import { parseType } from 'graphql';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';
import { listOf, named, nonNull, nullable, type TypeRef, withBaseName } from '../../../src/compiler/graph/type-ref.js';
import type {
  GqlArgument,
  GqlEdgeOrigin,
  GqlEnumType,
  GqlField,
  GqlInputType,
  GqlNodeOrigin,
  GqlObjectType,
  GqlOperation,
  GqlScalarType,
  GqlSchema,
  GqlUnionType,
  OperationKind,
} from '../../../src/compiler/schema/gql-schema.js';

/** Reads `[String!]!`, so that fixtures can be written as GraphQL. */
export function type(text: string): TypeRef {
  return convert(parseType(text));
}

function convert(node: ReturnType<typeof parseType>): TypeRef {
  if (node.kind === 'NamedType') return named(node.name.value);
  const inner = convert(node.type);
  return node.kind === 'ListType' ? listOf(inner) : nonNull(inner);
}

/** A schema with the given parts; the inputs of its objects are made as the mapping says. */
export function schemaOf(parts: Partial<GqlSchema>): GqlSchema {
  const objects = parts.objects ?? [];
  return {
    kind: 'GqlSchema',
    sources: [{ name: 'fixtures/a.gg', lineStarts: [0, 10, 20, 30] }],
    objects,
    inputs: inputsOf(objects, parts.unions ?? []),
    enums: [],
    scalars: [],
    unions: [],
    queries: [],
    mutations: [],
    subscriptions: [],
    ...parts,
  };
}

/** `XInput` of every object type: the same fields, all nullable, objects through their inputs. */
function inputsOf(objects: readonly GqlObjectType[], unions: readonly GqlUnionType[]): GqlInputType[] {
  const inputs = new Map(objects.map(({ name }) => [name, `${name}Input`]));
  for (const { name, target } of unions) inputs.set(name, `${target}Input`);
  return objects.map((of) => ({
    name: `${of.name}Input`,
    description: undefined,
    of: of.name,
    fields: of.fields.map((field) => {
      const bare = nullable(field.type);
      const input = inputs.get(innermost(bare));
      return argument(field.name, input === undefined ? bare : withBaseName(bare, input));
    }),
  }));
}

function innermost(ref: TypeRef): string {
  return ref.kind === 'named' ? ref.name : innermost(ref.of);
}

export function object(
  name: string,
  fields: Readonly<Record<string, string | Partial<GqlField>>>,
  extra: Partial<GqlObjectType> = {},
): GqlObjectType {
  return {
    name,
    description: undefined,
    fields: Object.entries(fields).map(([fieldName, given]) => ({
      name: fieldName,
      description: undefined,
      fallback: undefined,
      span: undefined,
      ...(typeof given === 'string' ? { type: type(given) } : { type: type('String'), ...given }),
    })),
    node: undefined,
    ...extra,
  };
}

export function argument(name: string, of: string | TypeRef, fallback?: JsonValue, description?: string): GqlArgument {
  return { name, description, type: typeof of === 'string' ? type(of) : of, fallback, span: undefined };
}

export function enumeration(name: string, values: readonly string[]): GqlEnumType {
  return { name, description: undefined, values, node: undefined };
}

export function scalar(name: string, specifiedBy?: string): GqlScalarType {
  return { name, description: undefined, specifiedBy, node: undefined };
}

export function union(name: string, members: readonly string[], edges: readonly GqlEdgeOrigin[] = []): GqlUnionType {
  return { name, description: undefined, members, target: members[0] ?? '', edges };
}

function operation(
  kind: OperationKind,
  name: string,
  returns: string,
  args: readonly GqlArgument[] = [],
  extra: Partial<GqlOperation> = {},
): GqlOperation {
  return { kind, name, description: undefined, arguments: args, type: type(returns), edges: [], ...extra };
}

export const query = operation.bind(undefined, 'query');
export const mutation = operation.bind(undefined, 'mutation');
export const subscription = operation.bind(undefined, 'subscription');

export function edge(kind: string, from: readonly string[], to: string, start = 12): GqlEdgeOrigin {
  return { edge: kind, from, to, span: { file: 'fixtures/a.gg', start, end: start + 5 } };
}

export function node(id: string, labels: readonly string[] = []): GqlNodeOrigin {
  return { id, labels, span: { file: 'fixtures/a.gg', start: 0, end: id.length } };
}

/** A small product with every construct in it. */
export function sampleSchema(): GqlSchema {
  const objects = [
    object(
      'ReadUser',
      {
        id: 'ID!',
        name: { type: type('String!'), description: 'How to call them.' },
        email: 'String',
        status: { type: type('Status!'), fallback: 'SUSPENDED' },
        tags: '[String!]!',
        score: { type: type('Float!'), fallback: 0.5 },
        team: 'Team!',
        joined: 'Date',
      },
      { description: 'A person who signs in.', node: node('read_user', ['Record']) },
    ),
    object('Team', { id: 'ID!', name: 'String!', members: '[ReadUser!]!' }, { node: node('team') }),
    object('CacheUser', { id: 'ID!', name: 'String!', age: 'Int!' }),
    object('DbUser', { id: 'ID!', name: 'String', age: 'Int!', team: 'Team' }),
    object('FastUser', { id: 'ID!' }),
    object('Saved', { ok: 'Boolean!', winner: 'FastUserRace' }),
  ];
  return schemaOf({
    objects,
    enums: [enumeration('Status', ['ACTIVE', 'SUSPENDED'])],
    scalars: [scalar('Date', 'https://example.org/date')],
    unions: [
      {
        ...union('FastUserRace', ['CacheUser', 'DbUser'], [edge('RACE', ['cache_user', 'db_user'], 'fast_user')]),
        description: 'Union (race) of cache_user | db_user for fast_user',
      },
    ],
    queries: [
      query('readUser', 'ReadUser', [argument('id', 'ID!', undefined, 'Whom.')], {
        description: 'Query from topology edge root to read_user',
        edges: [edge('PROCESS', ['root'], 'read_user', 21)],
      }),
      query('listUsers', '[ReadUser!]!', [
        argument('limit', 'Int!', 20),
        argument('status', 'Status', 'ACTIVE'),
        argument('ids', '[ID!]', ['1', '2']),
        argument('where', 'TeamInput'),
        argument('flat', 'FastUserInput'),
        argument('grid', '[[Int!]!]'),
        argument('since', 'Date'),
      ]),
      query('fastUser', 'FastUserRace'),
      query('count', 'Int!'),
    ],
    mutations: [
      mutation('saveUser', 'Saved', [argument('input', 'ReadUserInput')], {
        description: 'Mutation (fold) from input_user to save_user',
        edges: [edge('FOLD', ['a', 'b'], 'save_user'), edge('FOLD', ['c'], 'save_user')],
      }),
      mutation('ping', 'Boolean'),
      mutation('readUser', 'ReadUser', [argument('id', 'ID!'), argument('force', 'Boolean!', false)]),
    ],
    subscriptions: [subscription('userSaved', 'Saved', [], { edges: [edge('FORK', ['saved'], 'user_saved')] })],
  });
}
