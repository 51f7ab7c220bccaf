import { expect, test } from 'vitest';
import { createGqlServer } from '../../../../src/index.js';
import { connectTo } from '../../mcp/connect.js';

const source = `
  (author { id: ID!, name: String!, born: Int })
  (review { id: ID!, text: String!, book: Book! })
  (book { id: ID!, title: String!,
    /// @fields name
    author: Author!,
    /// @page 10
    reviews: [Review!]!,
  })
  (root)-[:PROCESS { operation: 'books', returns: [Book!]!, fields: ['title', 'author'] }]->(book)
  (root)-[:PROCESS { operation: 'pages', returns: [Book!]!, page: 1, fields: ['id'] }]->(book)
  (root)-[:PROCESS { operation: 'whole', returns: Book }]->(book)
`;
const book: Record<string, unknown> = {
  id: '1',
  title: 'Emma',
  author: { id: '2', name: 'Jane', born: 1775 },
};
book.reviews = [{ id: '3', text: 'Good.', book }];
const query = { books: () => [book], pages: () => [book, { ...book, id: '4' }], whole: () => book };
const node = { id: '3', text: 'Good.' };
const whole = {
  id: '1',
  title: 'Emma',
  author: { name: 'Jane' },
  reviews: { edges: [{ node }], pageInfo: { hasNextPage: false } },
};

test.each([
  ['books', [{ title: 'Emma', author: { name: 'Jane' } }]],
  ['pages', [{ id: '1' }]],
  ['whole', whole],
])('%s has its default fields, and the items of its pages, over REST and as a tool', async (name, expected) => {
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    mcp: { tools: 'operations' },
    resolvers: { Query: query },
  });
  const answer = await server.fetch(new Request(`http://localhost/api/${name}`));
  expect(await answer.json()).toMatchObject(expected);
  const client = await connectTo(server);
  const { structuredContent } = await client.callTool({ name, arguments: {} });
  const result = (structuredContent as Record<string, unknown>)[name];
  expect(name === 'pages' ? (result as { items: unknown }).items : result).toMatchObject(expected);
  const fewer = await server.fetch(new Request(`http://localhost/api/${name}?fields=author.born,reviews`));
  const first = [await fewer.json()].flat()[0];
  expect(first).toMatchObject({ author: { born: 1775 }, reviews: { edges: [{ node }] } });
  expect(first).not.toHaveProperty('id');
  await client.close();
  await server.close();
});
