import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import { globalNames } from '../../../../src/compiler/emit/typescript/type-names.js';
import { schemaToTypeScript } from '../../../../src/compiler/emit/typescript/typescript.js';
import type { GqlSchema } from '../../../../src/compiler/schema/gql-schema.js';
import { project } from '../../schema/check.js';
import { goldenExample, parcelExample, serviceExample } from '../examples.js';
import {
  argument,
  enumeration,
  mutation,
  object,
  query,
  sampleSchema,
  scalar,
  schemaOf,
  subscription,
  type,
  union,
} from '../fixtures.js';
import { naughtySchema } from '../naughty.js';
import { strictest, typeCheck } from './type-check.js';

const typeTests = 'test/compiler/emit/typescript/type-tests.ts';

test('the types of pages of scalars have no unused type parameter', () => {
  const { schema } = compile(`
(color: Enum { values: [RED, GREEN] })
(box {
  /// @page 3
  colors: [Color!]!
})
(root)-[:PROCESS { operation: 'colors', returns: [Color!]!, page: 2 }]->(box)
(root)-[:PROCESS]->(box)
`);
  const path = 'test/compiler/emit/pages.types.ts';
  expect(typeCheck([path], { [path]: schemaToTypeScript(schema) })).toEqual([]);
});

describe('the paths that are stale', () => {
  const source = `
    (customer { id: ID!, name: String!, orders: [Order!]! })
    (order { id: ID!, items: [Item!]!, customerId: ID! })
    (item { id: ID!, name: String! })
    (shop { id: ID!, name: String! })
    (found: Interface { id: ID! })
    (book { implements: [Found], id: ID! })
    (new_order: Input { items: [NewItem!]! })
    (new_item: Input { name: String! })
    (root)-[:PROCESS { id: ID!, route: 'GET /customers/{id}' }]->(customer)
    (root)-[:PROCESS { operation: 'items', returns: [Item!]! }]->(item)
    (root)-[:PROCESS { id: ID! }]->(shop)
    (root)-[:PROCESS { operation: 'search', returns: [Found!]! }]->(found)
    (new_order)-[:FOLD { operation: 'placeOrder', returns: Order! }]->(order)
    (root)-[:FOLD { operation: 'renameItem', id: ID!, name: String!, returns: Boolean }]->(item)
    (root)-[:FOLD { operation: 'printBook', returns: Book }]->(book)
    (root)-[:FOLD { operation: 'ping', returns: Boolean }]->(pinged)
    (order)-[:FORK]->(order_placed: Event { id: ID! })
  `;
  const { schema, diagnostics } = compile(source);

  test('are those of queries whose answers can have an object of a type that a mutation changes', () => {
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const text = schemaToTypeScript(schema, { only: 'rest', invalidation: true });
    expect(text.slice(text.indexOf('/** The paths of the queries'))).toBe(`\
/** The paths of the queries whose answers a mutation or an event can change. */
export const stale = {
  mutations: {
    'POST /api/placeOrder': ['/customers/{id}', '/api/items'],
    'POST /api/renameItem': ['/customers/{id}', '/api/items'],
    'POST /api/printBook': ['/api/search'],
    'POST /api/ping': [],
  },
  events: {
    '/api/orderPlaced': ['/customers/{id}', '/api/items'],
  },
} as const;
`);
    expect(schemaToTypeScript(schema, { only: 'rest' })).not.toContain('stale');
    expect(schemaToTypeScript(schema, { only: 'resolvers', invalidation: true })).not.toContain('stale');
  });

  test('are empty tables without mutations', () => {
    const text = schemaToTypeScript(schemaOf({ queries: [query('a', 'Int')] }), { invalidation: true });
    expect(text).toContain('export const stale = {\n  mutations: {},\n  events: {},\n} as const;\n');
  });
});

test('values and rows must have nullable fields with strictNulls, but not constants and other fields of the server', () => {
  const { schema } = compile(`
(user { id: ID!, note: String, kind: String = 'person', tags: [String] })
(root)-[:PROCESS { id: ID! }]->(user)
`);
  const path = 'test/compiler/emit/strict-nulls.types.ts';
  const user = 'test/compiler/emit/strict-nulls.ts';
  const resolvers = (row: string, more = '') => `
import type { Resolvers, User } from './strict-nulls.types.js';
export const value: User = { id: 1, note: null, tags: null };
interface Row { readonly id: string; ${row} }
export const resolvers: Resolvers<unknown, { User: Row }> = { Query: { user: () => null }, ${more} };
`;
  const types = schemaToTypeScript(schema, { strictNulls: true });
  const check = (text: string) => typeCheck([path, user], { [path]: types, [user]: text });
  expect(types).toContain('  readonly note: string | null;\n');
  expect(types).toContain('  readonly kind?: string | null | undefined;\n');
  expect(check(resolvers('readonly note: string | null; readonly tags: readonly string[]'))).toEqual([]);
  expect(check(resolvers('', 'User: { note: () => null, tags: () => null }'))).toEqual([]);
  expect(check(resolvers('readonly note?: string', 'User: { tags: () => null }')).join()).toContain(
    "Property 'note' is missing",
  );
  expect(schemaToTypeScript(schema)).toContain('  readonly note?: string | null | undefined;\n');
});

describe('the types of the examples', () => {
  test.each([
    ['docs/examples/service', {}],
    ['docs/examples/parcel/main', { scalars: { DateTime: 'string' } }],
    ['docs/examples/bookstore/shop', {}],
  ])('%s: equal the file beside the topology, byte for byte', (path, options) => {
    const source = readFileSync(`${path}.gg`, 'utf8');
    const { schema } = compile({ name: `${path}.gg`, source }, { readImport: (file) => readFileSync(file, 'utf8') });
    expect(schemaToTypeScript(schema, options)).toBe(readFileSync(`${path}.types.ts`, 'utf8'));
  });

  const withScripts = { ...strictest, allowJs: true, checkJs: true };
  const modules = [
    'docs/examples/service.resolvers.mjs',
    'docs/examples/parcel/main.resolvers.mjs',
    'docs/examples/bookstore/shop.resolvers.mjs',
  ];

  test('fit the shipped resolvers', () => {
    expect(typeCheck(modules, {}, withScripts)).toEqual([]);
  });

  test('find mistakes in broken resolvers', () => {
    const [service = '', parcel = ''] = modules;
    const change = (path: string, from: string, to: string) => {
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(from);
      return typeCheck([path], { [path]: text.replace(from, to) }, withScripts).length;
    };
    expect(change(service, "__typename: 'FreshVerdict'", "__typename: 'StaleVerdict'")).toBeGreaterThan(0);
    expect(change(parcel, "status: 'PAID'", "status: 'PAYED'")).toBeGreaterThan(0);
    expect(change(parcel, 'planRoutes: ', 'planRoute: ')).toBeGreaterThan(0);
  });
});

describe('the type tests', () => {
  test('compile: correct code is accepted, and wrong code is rejected', () => {
    expect(typeCheck([typeTests])).toEqual([]);
  });

  test('are numerous, and each of them can fail', () => {
    const text = readFileSync(typeTests, 'utf8');
    const expected = text.split('@ts-expect-error').length - 2;
    expect(expected).toBeGreaterThan(25);
    const found = typeCheck([typeTests], { [typeTests]: text.replaceAll('@ts-expect-error', '') });
    const lines = new Set(found.map((message) => /:(\d+) /.exec(message)?.[1]));
    expect(lines.size).toBeGreaterThanOrEqual(expected);
  });
});

describe('the emitted module', () => {
  const schemas: [string, GqlSchema][] = [
    ['the sample', sampleSchema()],
    ['naughty names and texts', naughtySchema()],
    ['the service example', serviceExample()],
    ['the parcel example', parcelExample()],
    ['inputs', goldenExample('language-inputs')],
    ['field arguments', goldenExample('language-field-arguments')],
    ['interfaces', goldenExample('language-interfaces')],
    ['an interface without types', goldenExample('GG2034-interface-without-types')],
    ['internal parts', goldenExample('language-internal')],
    ['nothing', schemaOf({})],
    ['names that TypeScript has', clashing()],
    ['declared errors', golden('language-problems')],
    ['routes', golden('language-routes')],
    ['headers', golden('language-headers')],
    ['values that are not null', golden('language-not-null')],
    ['ETags', golden('language-etags')],
    ['pages', golden('language-pages')],
    ['events that no mutation completes', golden('GG3050-event-never-complete')],
  ];

  test.each(schemas)('compiles under strict rules, whole and in parts: %s', (_, schema) => {
    const texts = {
      'whole.ts': schemaToTypeScript(schema),
      'resolvers.ts': schemaToTypeScript(schema, { only: 'resolvers' }),
      'rest.ts': schemaToTypeScript(schema, { only: 'rest' }),
    };
    expect(typeCheck(Object.keys(texts), texts)).toEqual([]);
  });

  test.each(schemas)('is the same for the same schema: %s', (_, schema) => {
    const copy = JSON.parse(JSON.stringify(schema)) as GqlSchema;
    expect(schemaToTypeScript(copy)).toBe(schemaToTypeScript(schema));
  });

  test('requires a resolver for a field of an event that its mutation lacks, or for the subscription', () => {
    const using = (resolvers: string) => `
      import type { CompleteResolvers } from './api.js';
      const Query = { loan: () => null };
      const Mutation = { lend: () => null };
      export const resolvers: CompleteResolvers = { Query, Mutation, ${resolvers} };`;
    const texts = {
      'api.ts': schemaToTypeScript(golden('GG3050-event-never-complete')),
      'fields.ts': using("LoanMade: { reader: () => '1', pages: () => 5 }"),
      'whole.ts': using('Subscription: { loanMade: async function* () {} }'),
      'part.ts': using("LoanMade: { reader: () => '1' }"),
      'none.ts': using(''),
    };
    const isComplete = (path: string) => typeCheck([path], texts).length === 0;
    expect(Object.keys(texts).filter(isComplete)).toEqual(['api.ts', 'fields.ts', 'whole.ts']);
  });

  test('has resolvers for internal queries, but no internal routes', () => {
    const using = (query: string) => `
      import type { CompleteResolvers, Rest } from './api.js';
      const Mutation = { signUp: () => null };
      export const resolvers: CompleteResolvers = { Query: { ${query} }, Mutation };
      export type Paths = keyof Rest.Paths;
      export const path: '/api/cachedUser' extends Paths ? never : 'none' = 'none';`;
    const texts = {
      'api.ts': schemaToTypeScript(goldenExample('language-internal')),
      'none.ts': using(''),
      'fits.ts': using("cachedUser: (_, { id }) => ({ id, name: 'Ada', age: 36 })"),
      'lacks.ts': using("cachedUser: (_, { id }) => ({ id, name: 'Ada' })"),
      'unknown.ts': using('cachedUsr: () => null'),
    };
    const fits = (path: string) => typeCheck([path], texts).length === 0;
    expect(Object.keys(texts).filter(fits)).toEqual(['api.ts', 'none.ts', 'fits.ts']);
  });

  test('contains only the requested parts', () => {
    const schema = sampleSchema();
    expect(schemaToTypeScript(schema, { only: 'resolvers' })).not.toContain('namespace Rest');
    const rest = schemaToTypeScript(schema, { only: 'rest' });
    expect(rest).not.toContain('import');
    expect(rest).not.toContain('Resolvers');
  });

  test('has the type of a custom scalar only if it is set', () => {
    const schema = schemaOf({ scalars: [scalar('Date')], queries: [query('now', 'Date!')] });
    expect(schemaToTypeScript(schema)).toContain('export type DateType = unknown;');
    const text = schemaToTypeScript(schema, { scalars: { Date: 'Date' }, restScalars: { Date: 'string' } });
    expect(text).toContain('export type DateType = Date;');
    expect(text).toContain('  export type DateType = string;');
    const same = schemaToTypeScript(schema, { scalars: { Date: 'string' } });
    expect(same.match(/export type DateType = string;/g)).toHaveLength(2);
    expect(schemaToTypeScript(schemaOf({ scalars: [scalar('toString')] }))).toContain('toString = unknown');
  });

  test('lets resolvers tell the number of all items only where pages have it', () => {
    const textOf = (page: string) =>
      schemaToTypeScript(
        compile(`(root)-[:PROCESS { returns: [Book!]!, page: ${page} }]->(book { id: ID! })`).schema as GqlSchema,
      );
    const member = 'readonly totalCount?: number | (() => number | Promise<number>) | undefined;';
    expect(textOf("'2 totalCount'").split(member)).toHaveLength(3);
    expect(textOf('2')).not.toContain('totalCount');
  });

  test('has the types of standard scalars for received, returned and JSON values', () => {
    const { schema } = compile(
      '(root)-[:PROCESS { at: DateTime!, n: BigInt }]->(seen { at: DateTime!, n: BigInt, any: JSON, page: URL, day: Date })',
    );
    const text = schemaToTypeScript(schema as GqlSchema);
    for (const line of [
      'export type DateTime = Date;',
      'export type BigIntType = bigint;',
      'export type JSONType = unknown;',
      'export type URLType = URL;',
      'export type DateType = string;',
      '  readonly at: DateTime | string | number;',
      '  readonly n?: BigIntType | number | string | null | undefined;',
      '    readonly at: DateTime;',
      '  export type DateTime = string;',
      '  export type BigIntType = string | number;',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    const own = schemaToTypeScript(schema as GqlSchema, { scalars: { DateTime: 'Temporal.Instant' } });
    expect(own).toContain('export type DateTime = Temporal.Instant;');
    expect(own).toContain('  readonly at: DateTime;');
    expect(own).toContain('  export type DateTime = string;');
  });

  test('contains the descriptions, which cannot end their comments', () => {
    const schema = schemaOf({
      objects: [
        object(
          'A',
          { id: { type: type('ID!'), description: 'One.\n\nTwo. */ x \u2028Three.' } },
          { description: 'An A.' },
        ),
      ],
      queries: [query('a', 'A', [argument('first', 'Int', 5, 'How many.'), argument('last', 'Int', 1)])],
    });
    const text = schemaToTypeScript(schema, { only: 'resolvers' });
    expect(text).toContain('/** An A. */\nexport interface A {\n  /**\n   * One.\n   *\n   * Two. *\\/ x\n   * Three.');
    expect(text).toContain('     * How many.\n     *\n     * Default: `5`.\n');
    expect(text).toContain('    /** Default: `1`. */\n    readonly last: number | null;\n');
  });

  test('has the tags of doc comments as JSDoc tags', () => {
    const { schema } = project(`
      (size: Enum { values: [
        /// Little.
        SMALL,
        /// @deprecated Nobody takes it.
        LARGE] })
      (book {
        /// What it costs.
        /// @exclusiveMinimum 0
        /// @example 19.9
        price: Float!, size: Size })
      /// Finds one.
      /// @deprecated Use books.
      (root)-[:PROCESS {
        /// @maxLength 3
        /// @deprecated
        key: String = 'a' }]->(book)`);
    const text = schemaToTypeScript(schema, { only: 'resolvers' });
    expect(text).toContain('/**\n * - `SMALL`: Little.\n * - `LARGE`: Deprecated: Nobody takes it.\n */\n');
    const price = '   * What it costs.\n   *\n   * @exclusiveMinimum 0\n   * @example 19.9\n   */\n  readonly price:';
    expect(text).toContain(price);
    expect(text).toContain('   * Finds one.\n   *\n   * @deprecated Use books.\n   */\n  readonly book:');
    expect(text).toContain(
      '     * Default: `"a"`.\n     *\n     * @maxLength 3\n     * @deprecated No longer supported\n',
    );
  });
});

describe('a value that a resolver returns', () => {
  const schema = schemaOf({
    objects: [
      object('A', {
        must: 'String!',
        may: 'String',
        constant: { type: type('Int!'), fallback: 5 },
        inner: 'Constants!',
        outer: 'Holder!',
        lists: '[[Constants]!]!',
        raced: 'U!',
        unraced: 'V!',
        ring: 'Ring!',
      }),
      object('Constants', { one: { type: type('Int!'), fallback: 1 }, may: 'Int' }),
      object('Holder', { inner: 'Constants!' }),
      object('B', { id: 'ID!' }),
      object('C', { id: 'ID!' }),
      object('Ring', { ring: 'Ring!', one: { type: type('Int!'), fallback: 1 } }),
    ],
    unions: [union('U', ['B', 'A']), union('V', ['C'])],
    queries: [query('a', 'A'), query('b', 'B'), query('c', '[C]'), query('holder', 'Holder'), query('u', 'U')],
    mutations: [mutation('change', 'A!')],
    subscriptions: [subscription('heard', 'Int')],
  });
  const text = schemaToTypeScript(schema, { only: 'resolvers' });

  test('may lack fields that are nullable, constant, composed of constants, or raced', () => {
    const [, body = ''] = /interface A<[^{]*\{\n(.*?)\n\}/s.exec(text) ?? [];
    expect(body.split('\n')).toEqual([
      '  readonly must: string;',
      '  readonly may?: string | null | undefined;',
      '  readonly constant?: number | undefined;',
      "  readonly inner?: Given<Rows, 'Constants', Constants> | undefined;",
      "  readonly outer?: Given<Rows, 'Holder', Holder<Rows>> | undefined;",
      "  readonly lists: readonly (readonly (Given<Rows, 'Constants', Constants> | null)[])[];",
      "  readonly raced?: Given<Rows, 'U', U<Rows>> | undefined;",
      "  readonly unraced: Given<Rows, 'V', V<Rows>>;",
      "  readonly ring: Given<Rows, 'Ring', Ring<Rows>>;",
    ]);
  });

  test('is required for every query and mutation without a fallback', () => {
    expect(text).toContain("export type NeededQueries = 'a' | 'b' | 'c';");
    expect(text).toContain("export type NeededMutations = 'change';");
    const constants = schemaOf({
      objects: [object('A', { one: { type: type('Int!'), fallback: 1 } })],
      queries: [query('a', 'A')],
    });
    expect(schemaToTypeScript(constants)).toContain('Rows = unknown> = Resolvers<Context, Rows>;');
  });
});

describe('a name that is taken', () => {
  test('gets the suffix Type, and the schema keeps its name', () => {
    const text = schemaToTypeScript(clashing());
    expect(text).toContain('export interface RecordType_<Rows = unknown> {');
    expect(text).toContain('  readonly Record: RecordType_<Rows>;');
    expect(text).toContain('export type anyType<Rows = unknown> =');
    expect(text).toContain("Member<'Promise', Given<Rows, 'Promise', PromiseType>>");
    expect(text).toContain('export interface ResolversType {');
    expect(text).toContain('export interface RecordType {');
  });

  test('is one that TypeScript, ECMAScript or Node.js declares, or a single word of browsers', () => {
    const compiler = dirname(createRequire(import.meta.url).resolve('typescript'));
    const libraries = readdirSync(compiler).filter((file) => /^lib\..*\.d\.ts$/.test(file));
    const declared = (pattern: RegExp) =>
      libraries.filter((file) => pattern.test(file)).flatMap((file) => declaredNames(join(compiler, file)));
    const ecmascript = declared(/^lib\.(?:es|decorators)/);
    const browser = declared(/^lib\.(?:dom|webworker|scripthost)/).filter((name) => /^[A-Z][a-z]+$/.test(name));
    const node = ['Buffer', 'NodeJS', 'AbortController', 'AbortSignal', 'URL', 'FormData', 'ReadableStream'];
    const words = Array.from({ length: ts.SyntaxKind.LastKeyword - ts.SyntaxKind.FirstKeyword + 1 }, (_, at) =>
      ts.tokenToString(ts.SyntaxKind.FirstKeyword + at),
    );
    const all = [...ecmascript, ...browser, ...node, ...words];
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter((name) => name !== undefined && !globalNames.has(name))).toEqual([]);
  });
});

function clashing(): GqlSchema {
  return schemaOf({
    objects: [
      object('Record', { id: 'ID!', promise: 'Promise', any: 'any' }),
      object('RecordType', { id: 'ID!' }),
      object('Promise', { id: 'ID!', error: 'Error' }),
      object('Array', { id: 'ID!', of: '[Record!]!' }),
      object('Resolvers', { id: 'ID!' }),
      object('Rest', { id: 'ID!', paths: 'Paths' }),
      object('Paths', { id: 'ID!' }),
      object('Rows', { id: 'ID!', name: 'Name' }),
      object('Name', { id: 'ID!' }),
    ],
    enums: [enumeration('Error', ['Error', 'never'])],
    scalars: [scalar('Date'), scalar('string')],
    unions: [union('any', ['Record', 'Promise'])],
    queries: [
      query('record', 'Record!', [argument('date', 'Date'), argument('record', 'RecordInput')]),
      query('any', 'any'),
      query('other', 'RecordType'),
      query('array', '[Array]'),
      query('resolvers', 'Resolvers'),
      query('rest', 'Rest'),
      query('rows', 'Rows'),
    ],
    mutations: [mutation('record', 'Error', [argument('text', 'string!')])],
  });
}

/** The names that a declaration file gives to everybody. */
function declaredNames(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const { name } = statement as ts.Statement & { name?: ts.Node };
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  });
}

/** The schema of a golden case. */
function golden(name: string): GqlSchema {
  const result = compile(readFileSync(`golden/${name}/input.gg`, 'utf8'));
  if (!result.ok) throw new Error(`golden/${name} has errors`);
  return result.schema;
}

describe('the types of an enum with spellings', () => {
  const { schema } = compile(`
    (state: Enum { values: [OPEN, /// @value it's
      ITS] })
    (root)-[:PROCESS { state: State!, returns: [State!]! }]->(task)`);

  test('are the names for resolvers, and the spellings for clients of REST', () => {
    const text = schemaToTypeScript(schema);
    expect(text).toContain("\nexport type State = 'OPEN' | 'ITS';\n");
    expect(text).toContain("\n  export type State = 'OPEN' | 'it\\'s';\n");
    const path = 'test/compiler/emit/spelt.types.ts';
    const use = "export const sent: Rest.Paths['/api/task']['get']['parameters'] = { state: 'it\\'s' };\n";
    expect(typeCheck([path], { [path]: text + use })).toEqual([]);
  });

  test('are the spellings alone without resolvers', () => {
    const text = schemaToTypeScript(schema, { only: 'rest' });
    expect(text).not.toContain("'ITS'");
    expect(text).toContain("\n  export type State = 'OPEN' | 'it\\'s';\n");
  });
});

test('the runs of a chain tell what they wait for, if a step waits', () => {
  const waitsFor = 'readonly waitsFor?: { readonly event?: string; readonly until?: string };';
  const typesOf = (name: string) => schemaToTypeScript(goldenExample(name));
  expect(typesOf('language-run-waits')).toContain(waitsFor);
  expect(typesOf('language-run-policies')).not.toContain('waitsFor');
});
