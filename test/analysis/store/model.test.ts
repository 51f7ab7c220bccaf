import { expect, test } from 'vitest';
import { storeModelOf } from '../../../src/analysis/store/model.js';
import { compile } from '../../../src/compiler.js';

const modelOf = (source: string) => storeModelOf(compile({ name: 'a.gg', source }).schema);

test('makes tables of stored nodes, with keys, relations and defaults', () => {
  const { model, diagnostics } = modelOf(`
(author: Stored {
  id: ID!, name: String!, books: [Book!]!
})
(book: Stored {
  id: ID!, title: String!, authorId: ID!, author: Author, tags: [String!]!
  /// @store created
  at: DateTime!
})
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);
  expect(diagnostics).toEqual([]);
  expect(model).toMatchInlineSnapshot(`
    {
      "tables": [
        {
          "columns": [
            {
              "fallback": {
                "kind": "uuid",
              },
              "isNullable": false,
              "kind": "text",
              "name": "id",
            },
            {
              "isNullable": false,
              "kind": "text",
              "name": "name",
            },
          ],
          "key": "id",
          "name": "author",
          "relations": [
            {
              "column": "authorId",
              "field": "books",
              "kind": "many",
              "to": "book",
            },
          ],
          "type": "Author",
        },
        {
          "columns": [
            {
              "fallback": {
                "kind": "uuid",
              },
              "isNullable": false,
              "kind": "text",
              "name": "id",
            },
            {
              "isNullable": false,
              "kind": "text",
              "name": "title",
            },
            {
              "isNullable": false,
              "kind": "text",
              "name": "authorId",
              "references": "author",
            },
            {
              "isNullable": false,
              "kind": "json",
              "name": "tags",
            },
            {
              "fallback": {
                "kind": "now",
              },
              "isNullable": false,
              "kind": "instant",
              "name": "at",
            },
          ],
          "key": "id",
          "name": "book",
          "relations": [
            {
              "column": "authorId",
              "field": "author",
              "kind": "one",
              "to": "author",
            },
          ],
          "type": "Book",
        },
      ],
    }
  `);
});
