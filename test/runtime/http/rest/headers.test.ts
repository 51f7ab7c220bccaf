import { afterAll, describe, expect, test } from 'vitest';
import { createGqlServer } from '../../../../src/index.js';
import { connectTo } from '../../mcp/connect.js';

const source = `
  (kind: Enum { values: [NEW, OLD] })
  (book { id: ID!, title: String! })
  (root)-[:PROCESS {
    id: ID!,
    /// @header X-Kind
    kind: Kind!,
    /// @header X-Most
    most: Int = 5,
    returns: String
  }]->(book)
  (root)-[:FOLD {
    id: ID!,
    /// @header If-Match
    version: String,
    returns: String,
    route: 'PUT /books/{id}'
  }]->(save_book)
  (save_book)-[:FORK]->(saved { id: ID })
  (root)-[:PROCESS { operation: 'plain', returns: String }]->(book)
`;
const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  mcp: { tools: 'operations' },
  resolvers: {
    Query: { book: (_, args) => JSON.stringify(args), plain: () => 'plain' },
    Mutation: { saveBook: (_, args) => JSON.stringify(args) },
  },
});
afterAll(() => server.close());

const send = (target: string, init?: RequestInit) => server.fetch(new Request(`http://localhost${target}`, init));

async function read(target: string, headers: Record<string, string>) {
  const answer = await send(target, { headers });
  const { headers: answered, status } = answer;
  return { status, vary: answered.get('vary'), body: JSON.parse(await answer.text()) };
}

describe('arguments in headers', () => {
  test('are read from their headers over REST, and have their defaults', async () => {
    const { status, vary, body } = await read('/api/book?id=1', { 'X-Kind': 'OLD' });
    expect([status, vary, JSON.parse(body)]).toEqual([200, 'X-Kind, X-Most', { id: '1', kind: 'OLD', most: 5 }]);
    const given = await read('/api/book?id=1', { 'x-kind': 'NEW', 'x-most': '7' });
    expect(JSON.parse(given.body)).toEqual({ id: '1', kind: 'NEW', most: 7 });
  });

  test('are refused by the names of their headers', async () => {
    const { status, vary, body } = await read('/api/book?id=1', { 'x-most': 'many' });
    expect([status, vary]).toEqual([400, 'X-Kind, X-Most']);
    expect(body.errors).toEqual([
      { pointer: '#/X-Kind', detail: '“X-Kind” is missing.', code: 'MISSING_ARGUMENT' },
      expect.objectContaining({ detail: '“X-Most” must be a 32-bit integer, not "many".' }),
    ]);
  });

  test('are not read from the query string or the body', async () => {
    const inQuery = await read('/api/book?id=1&kind=OLD', { 'x-kind': 'OLD' });
    expect([inQuery.status, inQuery.body.detail]).toEqual([400, 'There is no parameter “kind”. Did you mean “id”?']);
    const inBody = await send('/books/1', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"version":"1"}',
    });
    expect(inBody.status).toBe(400);
  });

  test('are given with a write, whose answer no cache keeps', async () => {
    const answer = await send('/books/1', { method: 'PUT', headers: { 'if-match': '"3"' } });
    expect(answer.headers.get('vary')).toBeNull();
    expect(JSON.parse(JSON.parse(await answer.text()))).toEqual({ id: '1', version: '"3"' });
  });

  test('leave answers of other operations as they are', async () => {
    expect((await read('/api/plain', {})).vary).toBeNull();
  });

  test('are ordinary arguments in GraphQL and of tools', async () => {
    const query = '{ book(id: "1", kind: OLD, most: 2) }';
    const answer = await send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data } = (await answer.json()) as { data: { book: string } };
    expect(JSON.parse(data.book)).toEqual({ id: '1', kind: 'OLD', most: 2 });
    const client = await connectTo(server);
    const result = await client.callTool({ name: 'book', arguments: { id: '1', kind: 'NEW' } });
    expect(JSON.stringify(result.structuredContent)).toContain('NEW');
    await client.close();
  });
});
