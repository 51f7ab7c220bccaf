import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { printSelection } from '../../../src/compiler/api/print-selection.js';
import { answerSelection, type Selection } from '../../../src/compiler/api/selection.js';
import type { GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';

function schemaOf(text: string): GqlSchema {
  const { schema, diagnostics } = analyze(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return schema;
}

function selectionOf(schema: GqlSchema, name: string): Selection {
  const selection = answerSelection(schema, schema.queries.find((one) => one.name === name) as GqlOperation);
  if (selection === undefined) throw new Error(`${name} has no selection`);
  return selection;
}

const printed = (selection: Selection) => printSelection(selection).replace(/\s+/g, ' ');

/** Every selection of a type within a selection. */
function within(selection: Selection, type: string): Selection[] {
  const inner = [...selection.fields, ...selection.members].flatMap((part) =>
    part.selection === undefined ? [] : within(part.selection, type),
  );
  return selection.type === type ? [selection, ...inner] : inner;
}

describe('a page inside an object has its items', () => {
  const owners = {
    'in the result': "(root)-[:PROCESS { operation: 'it', returns: Book }]->(book)",
    'in a list': "(root)-[:PROCESS { operation: 'it', returns: [Book!]! }]->(book)",
    'in a page': "(root)-[:PROCESS { operation: 'it', returns: [Book!]!, page: 5 }]->(book)",
    'one level below': "(shelf { id: ID!, book: Book }) (root)-[:PROCESS { operation: 'it' }]->(shelf)",
    'of a union':
      "(film { id: ID! }) (film | book)-[:RACE { union: 'Any' }]->(found) (root)-[:PROCESS { operation: 'it' }]->(found)",
  };
  const back = ['book: Book!', 'book: Book', 'part: Part!', 'part: Part', 'books: [Book!]!', 'score: Int'];
  test.each(Object.entries(owners))('%s, however the item refers back', (_, owner) => {
    for (const reference of back) {
      const schema = schemaOf(`(review { id: ID!, text: String!, ${reference} }) (part { id: ID!, book: Book! })
        (book { id: ID!,
          /// @page 10
          reviews: [Review!]!,
        }) ${owner}`);
      const connections = within(selectionOf(schema, 'it'), 'ReviewConnection');
      expect(connections.length).toBeGreaterThan(0);
      for (const connection of connections) {
        expect(printed(connection)).toMatch(/^\{ edges \{ node \{ id text .*\} cursor \} pageInfo \{ /);
      }
    }
  });
});

describe('default fields', () => {
  const types = `(author { id: ID!, name: String!, born: Int, rival: Author })
    (review { id: ID!, text: String!, author: Author! })
    (book { title: String!, id: ID!,
      /// @fields name
      author: Author!,
      /// @page 10
      /// @fields text author
      reviews: [Review!]!,
    })
    (root)-[:PROCESS { operation: 'whole', returns: Book }]->(book)
    (root)-[:PROCESS { operation: 'named', returns: [Book!]!, fields: ['author', 'id', 'reviews.edges.node.id'] }]->(book)
    (root)-[:PROCESS { operation: 'deep', returns: Book, fields: ['author.rival.name', 'author.id'] }]->(book)
    (root)-[:PROCESS { operation: 'paged', returns: [Book!]!, page: 2, fields: ['id'] }]->(book)`;
  const schema = schemaOf(types);
  const items = '{ edges { node { text author { id name born } } cursor }';

  test.each([
    ['whole', `{ title id author { name } reviews ${items} pageInfo`],
    ['named', '{ id author { name } reviews { edges { node { id } } } }'],
    ['deep', '{ author { id rival { name } } }'],
    ['paged', '{ id }'],
  ])('of %s are those that the edge and the tags name, in source order', (name, start) => {
    expect(printed(selectionOf(schema, name)).slice(0, start.length)).toBe(start);
  });

  test('of tags that refer to each other come to an end', () => {
    const ring = schemaOf(`(a { id: ID!,
      /// @fields a
      b: B })
      (b { id: ID!,
      /// @fields b
      a: A })
      (root)-[:PROCESS { operation: 'it' }]->(a)`);
    expect(printed(selectionOf(ring, 'it'))).toBe('{ id b { a { id } } }');
  });
});
