import { expect, test } from 'vitest';
import { storeTablesToTypeScript } from '../../../src/analysis/store/table-types.js';
import { storeModelOf } from '../../../src/analysis/store/tables.js';
import { compile, schemaToTypeScript } from '../../../src/compiler.js';
import { typeCheck } from '../../compiler/emit/typescript/type-check.js';

const tablesOf = (source: string) =>
  storeTablesToTypeScript(storeModelOf(compile({ name: 'a.gg', source }).schema).model);

const source = `(genre: Enum { values: [NOVEL, ESSAY] })
(book: Stored {
  id: ID!, title: String!, pages: Int = 1, genre: Genre!, tags: [String!]!, isNew: Boolean!, sold: BigInt
  /// @store created
  createdAt: DateTime!
})
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`;

test('the tables have the types that Kysely gives and takes on both engines', () => {
  const text = tablesOf(source);
  expect(text).toMatchInlineSnapshot(`
    "
    /** The tables of the store, for Kysely: \`RequestContext<StoreTables>\`. */
    export interface StoreTables {
      readonly book: {
        readonly id: string;
        readonly title: string;
        readonly pages: import('kysely').Generated<number | null>;
        readonly genre: 'NOVEL' | 'ESSAY';
        readonly tags: import('kysely').ColumnType<unknown, string, string>;
        readonly isNew: import('kysely').ColumnType<boolean | number, boolean, boolean>;
        readonly sold: import('kysely').ColumnType<string | number | null, bigint | number | string | null, bigint | number | string | null>;
        readonly createdAt: import('kysely').ColumnType<string, Date | string | undefined, Date | string>;
      };
    }
    "
  `);
  const use = `import type { Kysely } from 'kysely';
${text}
export async function use(database: Kysely<StoreTables>) {
  const row = { id: '1', title: 'Emma', genre: 'NOVEL', tags: '[]', isNew: true } as const;
  await database.insertInto('book').values(row).execute();
  // @ts-expect-error: a book has a title.
  await database.insertInto('book').values({ ...row, title: undefined }).execute();
  await database.updateTable('book').set({ isNew: false }).where('isNew', '=', true).execute();
  const found = await database.selectFrom('book').select(['title', 'pages']).executeTakeFirstOrThrow();
  return { title: found.title satisfies string, pages: found.pages satisfies number | null };
}
`;
  expect(typeCheck(['use.ts'], { 'use.ts': use })).toEqual([]);
});

test('a name that is no identifier is quoted, and a topology without stored nodes has no tables', () => {
  const column = {
    name: 'a-b',
    kind: 'json',
    isNullable: true,
    fallback: { kind: 'value', value: 1 },
  } as const;
  const table = { name: 'x-y', type: 'X', key: 'a-b', columns: [column], relations: [] };
  expect(storeTablesToTypeScript({ tables: [table] })).toContain(
    `"a-b": import('kysely').ColumnType<unknown, string | null | undefined, string | null>;`,
  );
  expect(tablesOf('(root)-[:PROCESS]->(book { title: String! })')).toBe('');
});

test('a node named StoreTables leaves the name to the tables', () => {
  const source = '(store_tables: Stored { id: ID! })\n(root)-[:PROCESS { id: ID! }]->(store_tables)\n';
  const { schema } = compile({ name: 'a.gg', source });
  const text = schemaToTypeScript(schema) + tablesOf(source);
  expect(text).toContain('export interface StoreTablesType {');
  expect(typeCheck(['a.ts'], { 'a.ts': text })).toEqual([]);
});
