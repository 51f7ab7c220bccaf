import { describe, expect, it } from 'vitest';
import { check, project } from './check.js';

const codesOf = (text: string) => project(text).diagnostics.map(({ code }) => code);

describe('page on an edge', () => {
  it.each([
    ['page: 3', 'BookConnection!'],
    ['returns: [Book!]!, page: 3', 'BookConnection!'],
    ['returns: [Book], page: 3', 'BookConnection'],
    ['returns: [String!]!, page: 3', 'StringConnection!'],
  ])('makes a connection of { %s }', (settings, type) => {
    check(`(root)-[:PROCESS { ${settings} }]->(book { id: ID! })`, {
      has: [`query book(first: Int, after: String, last: Int, before: String): ${type}`],
    });
  });

  it('uses the union as the type of the items of a race', () => {
    const text = '(a { x: Int } | b { x: Int })-[:RACE]->(c) (root)-[:PROCESS { returns: [C!]!, page: 1 }]->(c)';
    expect(project(text).schema.queries[0]?.page).toEqual({ size: 1, node: 'CRace' });
  });

  it('creates each type once', () => {
    const edge = (name: string) => `(root)-[:PROCESS { operation: '${name}', page: 1 }]->(book { id: ID! })`;
    const { schema } = project(`${edge('one')} ${edge('two')}`);
    expect(schema.objects.map(({ name }) => name)).toEqual(['Root', 'Book', 'BookConnection', 'BookEdge', 'PageInfo']);
  });

  it.each([
    ['0', 'GG2018'],
    ['1.5', 'GG2018'],
    ["'20'", 'GG2018'],
    ["'0 totalCount'", 'GG2018'],
    ['true', 'GG2018'],
  ])('is an error as %s', (value, code) => {
    expect(codesOf(`(root)-[:PROCESS { page: ${value} }]->(book { id: ID! })`)).toEqual([code]);
  });

  it.each([
    ['(root)-[:PROCESS { operation: %, page: 1 }]->(book { id: ID! })', "page: '2  totalCount'"],
    [
      '(root)-[:PROCESS { operation: %, page: 1 }]->(book { id: ID!,\n/// @page 2 totalCount\nbooks: [Book!]! })',
      'page: 3',
    ],
  ])('counts the items of all pages of a type if one place says so', (text, setting) => {
    const other = `(root)-[:PROCESS { operation: 'other', ${setting} }]->(book)`;
    const { schema, diagnostics } = project(`${text.replace('%', "'one'")} ${other}`);
    expect(diagnostics).toEqual([]);
    const connection = schema.objects.find(({ name }) => name === 'BookConnection');
    expect(connection?.fields.map(({ name }) => name)).toEqual(['edges', 'pageInfo', 'totalCount']);
    expect(schema.queries.map(({ page }) => page?.isCounted)).toEqual([
      undefined,
      setting.includes('totalCount') || undefined,
    ]);
  });

  it.each(['book_connection', 'book_edge', 'page_info'])('reserves the name of a node “%s”', (id) => {
    const text = `(${id} { x: Int }) (root)-[:PROCESS { page: 2 }]->(book { id: ID!, x: ${id === 'x' ? '' : 'Int'} })`;
    expect(codesOf(text)).toContain('GG3003');
  });

  it('has no effect on edges that are not queries', () => {
    expect(codesOf('(root)-[:PROCESS]->(x) (a)-[:FOLD { page: 2 }]->(b)')).toEqual(['GG3012']);
  });
});

describe('@page on a field', () => {
  const node = (field: string, tag = '@page 2') =>
    `(word { x: Int })\n(book {\n  id: ID!,\n  /// ${tag}\n  ${field},\n})\n(root)-[:PROCESS]->(book)`;

  it('makes a connection, and leaves the input a list', () => {
    const { schema } = project(node('words(like: String): [Word!]'));
    const field = schema.objects.find(({ name }) => name === 'Book')?.fields[1];
    expect(field).toMatchObject({ type: { name: 'WordConnection' }, page: { size: 2, node: 'Word' } });
    expect(field?.arguments?.map(({ name }) => name)).toEqual(['like', 'first', 'after', 'last', 'before']);
    const input = schema.inputs.find(({ name }) => name === 'BookInput');
    expect(input?.fields[1]).not.toHaveProperty('page');
    expect(input?.fields[1]?.type).toMatchObject({ kind: 'list' });
  });

  it.each([
    ['words: [Word!]', '@page', 'GG2036'],
    ['words: [Word!]', '@page 0', 'GG2036'],
    ['words: [Word!]', '@page many', 'GG2036'],
    ['words: Word', '@page 2', 'GG2037'],
    ['words: [[Word]]', '@page 2', 'GG2037'],
    ["words: ['a', 'b']", '@page 2', 'GG2037'],
    ['words(first: Int): [Word!]', '@page 2', 'GG3063'],
  ])('is an error at %s as %s', (field, tag, code) => {
    expect(codesOf(node(field, tag))).toContain(code);
  });

  it('has no effect in inputs and declared errors', () => {
    const field = '{\n  /// @page 2\n  words: [String!],\n}';
    expect(codesOf(`(form: Input ${field})\n(form)-[:PROCESS]->(book { id: ID! })`)).toContain('GG2037');
    expect(codesOf(`(gone: Problem ${field})\n(root)-[:PROCESS { throws: Gone }]->(book { id: ID! })`)).toContain(
      'GG2037',
    );
  });
});
