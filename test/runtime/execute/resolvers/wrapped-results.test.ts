import { expect, test } from 'vitest';
import { createGqlServer } from '../../../../src/index.js';

const source = `
  (book { id: ID!, title: String })
  (answer { data: String, id: ID! })
  (shelf { id: ID!, books: [Book!]! })
  (root)-[:PROCESS { operation: 'book', returns: Book }]->(book)
  (root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
  (root)-[:PROCESS { operation: 'shelf', returns: Shelf }]->(shelf)
  (root)-[:PROCESS { operation: 'answer', returns: Answer }]->(answer)`;
const one = { id: '1', title: 'Emma' };

async function errorsOf(name: string, value: unknown, fields: string): Promise<(string | undefined)[]> {
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    resolvers: { Query: { [name]: () => value } },
    limits: { masking: false },
  });
  const rest = await server.fetch(new Request(`http://localhost/api/${name}`));
  const graphql = await server.executeOperation({ query: `{ ${name} ${fields} }` });
  await server.close();
  return [((await rest.json()) as { detail?: string }).detail, graphql.errors?.[0]?.message];
}

test.each([
  ['an object', 'book', { data: one }, '{ id }', 'Book.id is missing: the resolver returned an object with “data”'],
  ['a promise', 'book', Promise.resolve({ data: one }), '{ id }', 'return the Book itself.'],
  ['a list', 'books', { data: [one] }, '{ id }', 'an object with “data” in place of a list'],
  ['a nested list', 'shelf', { id: '1', books: { data: [one] } }, '{ id books { id } }', 'return the list itself.'],
])('an error names the “data” that a resolver returned in place of %s', async (_, name, value, fields, message) => {
  for (const error of await errorsOf(name, value, fields)) expect(error).toContain(message);
});

test('a type may have a field “data” itself', async () => {
  expect(await errorsOf('answer', { data: 'x', id: '1' }, '{ id data }')).toEqual([undefined, undefined]);
});
