import fc from 'fast-check';
import {
  buildSchema,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  parse,
  print,
  validateSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { printDefinition, schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { topologies } from '../../arbitraries/topology.js';
import { project } from '../schema/check.js';
import {
  argument,
  edge,
  enumeration,
  mutation,
  node,
  object,
  query,
  sampleSchema,
  scalar,
  schemaOf,
  subscription,
  type,
  union,
} from './fixtures.js';
import { naughtyNames, naughtySchema, naughtyTexts } from './naughty.js';

function build(sdl: string): GraphQLSchema {
  const built = buildSchema(sdl);
  expect(validateSchema(built)).toEqual([]);
  return built;
}

describe('the SDL of a schema', () => {
  test('contains directives, types, enums, scalars, unions, inputs and the root types, in this order', () => {
    const sdl = schemaToGraphQL(sampleSchema());
    const keywords = [...sdl.matchAll(/^(directive|type|enum|scalar|union|input) @?(\w+)/gm)].map(
      ([, a, b]) => `${a} ${b}`,
    );
    expect(keywords).toEqual([
      'directive topology',
      'directive node',
      'type ReadUser',
      'type Team',
      'type CacheUser',
      'type DbUser',
      'type FastUser',
      'type Saved',
      'enum Status',
      'scalar Date',
      'union FastUserRace',
      'input ReadUserInput',
      'input TeamInput',
      'input CacheUserInput',
      'input DbUserInput',
      'input FastUserInput',
      'input SavedInput',
      'type Query',
      'type Mutation',
      'type Subscription',
    ]);
  });

  test('builds and validates under graphql-js', () => {
    build(schemaToGraphQL(sampleSchema()));
    build(schemaToGraphQL(naughtySchema()));
  });

  test('is unchanged after graphql-js parses and prints it', () => {
    for (const schema of [sampleSchema(), naughtySchema(), schemaOf({})]) {
      const sdl = schemaToGraphQL(schema);
      expect(`${print(parse(sdl))}\n`).toBe(sdl);
    }
  });

  test('writes one @topology for each edge of an operation', () => {
    const sdl = schemaToGraphQL(sampleSchema());
    expect(sdl).toContain('): ReadUser @topology(edge: "PROCESS", from: "root", to: "read_user")\n');
    expect(sdl).toContain(
      'saveUser(input: ReadUserInput): Saved @topology(edge: "FOLD", from: "a | b", to: "save_user") @topology(edge: "FOLD", from: "c", to: "save_user")\n',
    );
    expect(sdl).toContain(
      'union FastUserRace @topology(edge: "RACE", from: "cache_user | db_user", to: "fast_user") = CacheUser | DbUser\n',
    );
    expect(sdl).toContain('userSaved(after: String): Saved @topology(edge: "FORK", from: "saved", to: "user_saved")\n');
  });

  test('writes the node of an object type, an enum and a scalar as @node', () => {
    const sdl = schemaToGraphQL(
      schemaOf({
        objects: [object('A', { id: 'ID!' }, { node: node('a', ['X', 'Y']) })],
        enums: [{ ...enumeration('B', ['C']), node: node('b', ['Enum']) }],
        scalars: [{ ...scalar('D', 'https://d'), node: node('d') }],
      }),
    );
    expect(sdl).toContain('type A @node(id: "a", labels: ["X", "Y"]) {');
    expect(sdl).toContain('enum B @node(id: "b", labels: ["Enum"]) {\n  C\n}');
    expect(sdl).toContain('scalar D @specifiedBy(url: "https://d") @node(id: "d", labels: [])\n');
    build(sdl);
  });

  test('defines a provenance directive only if it is used', () => {
    const layer = { objects: [object('A', { id: 'ID!' })] };
    expect(schemaToGraphQL(schemaOf(layer))).not.toContain('directive');
    const onlyEdge = schemaToGraphQL(schemaOf({ ...layer, unions: [union('U', ['A'], [edge('RACE', ['a'], 'b')])] }));
    expect(onlyEdge).toContain('directive @topology');
    expect(onlyEdge).not.toContain('directive @node');
    for (const parts of [
      { scalars: [{ ...scalar('D'), node: node('d') }] },
      { enums: [{ ...enumeration('E', ['F']), node: node('e') }] },
    ]) {
      const sdl = schemaToGraphQL(schemaOf(parts));
      expect(sdl).toContain('directive @node');
      expect(sdl).not.toContain('directive @topology');
    }
    build(onlyEdge);
  });

  test('gets a placeholder query when the topology has no query', () => {
    const sdl = schemaToGraphQL(
      schemaOf({ mutations: [mutation('m', 'Int')], subscriptions: [subscription('s', 'Int')] }),
    );
    expect(sdl).toBe(
      'type Query {\n  _empty: Boolean\n}\n\ntype Mutation {\n  m: Int\n}\n\ntype Subscription {\n  s: Int\n}\n',
    );
    build(sdl);
  });

  test('preserves every description exactly', () => {
    const built = build(schemaToGraphQL(naughtySchema()));
    const fields = (built.getType('Texts') as GraphQLObjectType).getFields();
    const queries = (built.getQueryType() as GraphQLObjectType).getFields();
    for (const [at, text] of naughtyTexts.entries()) {
      const readable = text.replace('\ud83d of', '\ufffd of').replace('pair \ude42', 'pair \ufffd');
      expect(fields[`f${at}`]?.description).toBe(readable);
      expect(queries[`text${at}`]?.description).toBe(readable);
      expect(queries[`text${at}`]?.args[0]?.description).toBe(readable);
      expect(queries[`text${at}`]?.args[0]?.defaultValue).toBe(readable);
    }
  });

  test('omits an empty description', () => {
    const empty = schemaOf({
      queries: [query('q', 'Int', [argument('a', 'Int', 1, '')], { description: '' })],
    });
    expect(schemaToGraphQL(empty)).toBe('type Query {\n  q(a: Int = 1): Int\n}\n');
  });

  test('writes a long description as a block, and an argument with a description on separate lines', () => {
    const text = 'word '.repeat(15).trim();
    const sdl = schemaToGraphQL(
      schemaOf({
        queries: [query('q', 'Int', [argument('a', 'Int', 1, 'Why.'), argument('b', 'Int')], { description: text })],
      }),
    );
    expect(sdl).toBe(
      `type Query {\n  """\n  ${text}\n  """\n  q(\n    """Why."""\n    a: Int = 1\n    b: Int\n  ): Int\n}\n`,
    );
  });

  test('writes defaults by their type and exactly', () => {
    const sdl = schemaToGraphQL(naughtySchema());
    const args = /^ {2}race\((.*)\): /m.exec(sdl)?.[1];
    expect(args).toBe(
      [
        'enums: [valueOf!] = [toString, constructor]',
        'nested: [[valueOf]] = [[toString, null], null]',
        'one: [Int!] = [1]',
        'huge: Float = 1.2089258196146292e+24',
        'tiny: Float = 1e-9',
        'e: Float = 1.7976931348623157e+308',
        'id: ID = "9007199254740993"',
        'nothing: String = null',
        'flag: Boolean = false',
        'money: Money = 12.5',
        'json: Json = {a: [1, "x", null, {b: true}]}',
        'input: constructorInput = {constructor: "\\"", toString: null}',
        'deep: toStringInput = {constructor: {valueOf: "\\\\"}, all: []}',
      ].join(', '),
    );
  });

  test('preserves all digits of numbers', () => {
    const numbers = [0.1, 1e21, 5e-324, 123456789.12345679, -0.5, 2 ** 53, 1e300];
    const sdl = schemaToGraphQL(
      schemaOf({
        queries: numbers.map((number, at) => query(`q${at}`, 'Int', [argument('n', 'Float', number)])),
      }),
    );
    const queries = (build(sdl).getQueryType() as GraphQLObjectType).getFields();
    expect(numbers.map((_, at) => queries[`q${at}`]?.args[0]?.defaultValue)).toEqual(numbers);
  });

  test('keeps names of inherited object properties, such as constructor', () => {
    const built = build(schemaToGraphQL(naughtySchema()));
    const fields = Object.keys((built.getQueryType() as GraphQLObjectType).getFields());
    expect(fields).toEqual(expect.arrayContaining(naughtyNames));
    expect(built.getType('valueOf')).toBeInstanceOf(GraphQLEnumType);
  });

  test('writes the input of an object type that a layer names in an input position', () => {
    const schema = schemaOf({
      objects: [object('Hop', { id: 'ID!' }), object('Route', { hops: '[Hop!]!' })],
      inputs: [
        {
          name: 'HopInput',
          description: 'A hop.',
          of: 'Hop',
          fields: [argument('id', 'ID', undefined, 'Its id.')],
        },
        { name: 'RouteInput', description: undefined, of: 'Route', fields: [argument('hops', '[Hop]')] },
      ],
      queries: [query('q', 'Route', [argument('route', 'Route!'), argument('hop', type('[HopInput]'), [{ id: '1' }])])],
    });
    const sdl = schemaToGraphQL(schema);
    expect(sdl).toContain('input RouteInput {\n  hops: [HopInput]\n}');
    expect(sdl).toContain('"""A hop."""\ninput HopInput {\n  """Its id."""\n  id: ID\n}');
    expect(sdl).toContain('q(route: RouteInput!, hop: [HopInput] = [{id: "1"}]): Route');
    expect(build(sdl).getType('RouteInput')).toBeInstanceOf(GraphQLInputObjectType);
  });

  test('gives the same bytes for the same schema', () => {
    expect(schemaToGraphQL(naughtySchema())).toBe(schemaToGraphQL(naughtySchema()));
  });
});

describe('the definition of one type', () => {
  function namesOf({ objects, interfaces = [], enums, scalars, unions, inputs }: GqlSchema): string[] {
    return [objects, interfaces, enums, scalars, unions, inputs].flat().map(({ name }) => name);
  }

  /** The definitions that are no part of the document as they are. */
  function strangers(schema: GqlSchema): string[] {
    const sdl = schemaToGraphQL(schema);
    return namesOf(schema).filter((name) => {
      const definition = printDefinition(schema, name);
      return definition === undefined || !sdl.includes(definition);
    });
  }

  test('equals its part of the document, for every kind of type', () => {
    expect(strangers(sampleSchema())).toEqual([]);
    expect(strangers(naughtySchema())).toEqual([]);
    const { schema } = project('(named: Interface { name: String! }) (user: Named { name: String!, age: Int })');
    expect(schema.interfaces?.map(({ name }) => name)).toEqual(['Named']);
    expect(strangers(schema)).toEqual([]);
    fc.assert(
      fc.property(topologies({ maxNodes: 8, maxPipelines: 5 }), ({ text }) => {
        expect(strangers(project(text).schema)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test('is undefined for a name without a definition', () => {
    for (const name of ['String', 'Query', 'nobody', '__proto__', 'constructor']) {
      expect(printDefinition(sampleSchema(), name)).toBe(undefined);
    }
  });
});
