import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServerOptions } from '../../../src/index.js';
import { runs } from '../../arbitraries/runs.js';
import { connectTo, textOf } from './connect.js';

const nodes = (tags: readonly string[]) => `
  (author { id: ID!, name: String!, tags: [String!]!, books: [Book!] })
  (book: Interface { id: ID!, title: String!, state: State! })
  (novel { implements: [Book], id: ID!, title: String!, state: State!, pages: Int, ${tags[0] ?? ''}
    author: Author! })
  (essay { implements: [Book], id: ID!, title: String!, state: State!, ${tags[1] ?? ''}
    author: Author })
  (state: Enum { values: [/// @value in-print
    IN_PRINT] })
`;

const author = {
  id: '7',
  name: 'Ada',
  tags: ['a'],
  books: () => [{ id: '3', title: 'E', state: 'IN_PRINT', __typename: 'Essay' }],
};
const novel = { __typename: 'Novel', id: '1', title: 'T', state: 'IN_PRINT', pages: 9, author };
const essay = { __typename: 'Essay', id: '2', title: 'U', state: 'IN_PRINT', author: null };

/** Some paths of fields of a result, in any order. */
const paths = fc.shuffledSubarray(
  ['id', 'title', 'state', 'author', 'author.name', 'author.tags', 'author.books', 'author.books.title'],
  { minLength: 1 },
);
const lists = fc.constantFrom('returns: Novel', 'returns: [Novel!]!', 'returns: [Novel!]!, page: 1');
const tag = fc.constantFrom('', '/// @fields name\n', '/// @fields books.id id\n');

test('agents get the fields that an edge and a field name, as clients of REST do', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(
      paths,
      lists,
      fc.constantFrom('PROCESS', 'FOLD'),
      fc.tuple(tag, tag),
      async (fields, returns, type, tags) => {
        const isPage = returns.includes('page');
        fc.pre(!(isPage && type === 'FOLD'));
        const named = fields.map((path) => `'${path}'`).join(', ');
        const source = `${nodes(tags)}
        (root)-[:${type} { operation: 'found', ${returns}, fields: [${named}] }]->(novel)
        (root)-[:PROCESS { operation: 'any', returns: [Book!]!, fields: ['title'] }]->(book)`;
        const found = () => (returns.includes('[') ? [novel, novel] : novel);
        const any = () => [novel, essay];
        const resolvers = type === 'FOLD' ? { Query: { any }, Mutation: { found } } : { Query: { found, any } };
        const [one, other] = await Promise.all(
          (['chains', 'operations'] as const).map(async (tools) => {
            const topologies = [{ name: 'a.gg', source }];
            const server = createGqlServer({ topologies, resolvers, mcp: { tools } } as GqlServerOptions);
            const ask = async (path: string, init?: RequestInit) =>
              (await server.fetch(new Request(`http://localhost/api/${path}`, init))).json();
            const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
            const rest = [await ask('found', type === 'FOLD' ? post : {}), await ask('any')];
            const client = await connectTo(server);
            const agent = await Promise.all(
              ['found', 'any'].map(async (name) => {
                const tool = name === 'found' && type === 'FOLD' ? 'found' : 'read';
                // The client refuses a result that does not fit the schema of the tool.
                const result = await client.callTool(
                  tools === 'chains' ? { name: tool, arguments: { [name]: {} } } : { name, arguments: {} },
                );
                expect(result.isError, textOf(result)).toBeUndefined();
                return (result.structuredContent as Record<string, unknown>)[name];
              }),
            );
            await client.close();
            await server.close();
            return { rest, agent };
          }),
        );
        const [items, others] = one?.agent ?? [];
        expect([isPage ? (items as { items: unknown }).items : items, others]).toEqual(one?.rest);
        expect(other).toEqual(one);
      },
    ),
    { numRuns: runs(10) },
  );
});

test('an id that an edge does not return is required of callers', async () => {
  const source = `
    (author { id: ID!, name: String! }) (book { id: ID!, authorId: ID! })
    (root)-[:PROCESS { operation: 'author', name: String!, returns: Author!, fields: ['name'] }]->(author)
    (root)-[:PROCESS { operation: 'books', authorId: ID!, returns: [Book!]! }]->(book)`;
  const server = createGqlServer({ topologies: [{ name: 'a.gg', source }], mcp: true });
  const client = await connectTo(server);
  const [tool] = (await client.listTools()).tools;
  expect(tool?.inputSchema.properties?.books).toMatchObject({ required: ['authorId'] });
  await client.close();
  await server.close();
});
