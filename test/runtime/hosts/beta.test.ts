import { afterEach, describe, expect, test, vi } from 'vitest';
import { ask, post, serve } from '../server/topology-server.js';

const source = `
  (root)-[:PROCESS { id: ID }]->(user { id: ID!, name: 'Ada' })
  (form { name: String })-[:FOLD]->(saved { name: String })
  (saved)-[:FORK]->(heard { id: ID! })
`;
const resolvers = {
  Query: { user: (_: unknown, { id }: { id?: string }) => ({ id: id ?? 1 }) },
  Mutation: { saved: (_: unknown, { input }: { input: object }) => input },
  Subscription: {
    async *heard() {
      yield { id: 1 };
      yield { id: 2 };
    },
  },
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.doUnmock('@graphql-yoga/render-graphiql');
});

describe('GraphQL over HTTP', () => {
  test('answers POST and GET', async () => {
    const server = serve(source, { resolvers });
    const answer = await post(server, '/graphql', {
      query: 'query($id: ID) { user(id: $id) { id name } }',
      variables: { id: '7' },
    });
    expect([answer.status, answer.body]).toEqual([200, { data: { user: { id: '7', name: 'Ada' } } }]);
    const get = await ask(server, '/graphql?query={user{name}}', { headers: { accept: 'application/json' } });
    expect(get.body).toEqual({ data: { user: { name: 'Ada' } } });
  });

  test('runs mutations over POST only', async () => {
    const server = serve(source, { resolvers });
    const query = 'mutation { saved(input: { name: "Zoe" }) { name } }';
    expect((await post(server, '/graphql', { query })).body).toEqual({ data: { saved: { name: 'Zoe' } } });
    expect((await ask(server, `/graphql?query=${encodeURIComponent(query)}`)).status).toBe(405);
  });

  test('reports errors of a document', async () => {
    const answer = await post(serve(source), '/graphql', { query: '{ usr { id } }' });
    expect(answer.body.errors[0].message).toMatch(/^Cannot query field "usr" on type "Query"\./);
  });

  test('answers a malformed request with 4xx', async () => {
    const server = serve(source);
    expect((await post(server, '/graphql', '{')).status).toBe(400);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    };
    expect((await ask(server, '/graphql', { method: 'POST', headers, body: '{}' })).status).toBe(400);
    expect((await ask(server, '/graphql', { method: 'DELETE' })).status).toBe(405);
    const head = await ask(server, '/graphql', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([405, '']);
  });

  test('streams a subscription as server-sent events', async () => {
    const answer = await ask(serve(source, { resolvers }), '/graphql?query=subscription{heard{id}}', {
      headers: { accept: 'text/event-stream' },
    });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = [...answer.text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data ?? ''));
    expect(events).toEqual([{ data: { heard: { id: '1' } } }, { data: { heard: { id: '2' } } }]);
  });

  test('does not allow other sites to read answers', async () => {
    const answer = await post(serve(source, { resolvers }), '/graphql', { query: '{ user { name } }' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await ask(serve(source), '/graphql', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('rejects a body of more than 1 MiB', async () => {
    const query = `{ user { name } } ${'#'.repeat(1024 * 1024)}`;
    expect((await post(serve(source), '/graphql', { query })).status).toBe(413);
  });
});

describe('the page to try queries on', () => {
  const browse = (server: ReturnType<typeof serve>) => ask(server, '/graphql', { headers: { accept: 'text/html' } });

  test('is self-contained, with the title of the API', async () => {
    const answer = await browse(serve(source, { title: 'Users' }));
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('<title>Users</title>');
    expect(answer.text).not.toMatch(/(?:src|href)="https?:\/\/(?:unpkg|cdn|esm)/);
  });

  test('escapes the title', async () => {
    const { text } = await browse(serve(source, { title: '</script><script>alert(1)</script>Users & $& more' }));
    expect(text).toContain('<title>/scriptscriptalert(1)/scriptUsers   more</title>');
    expect(text).not.toContain('alert(1)</script>');
  });

  test('has a tab for each operation, whose examples end no script', async () => {
    const hostile = `(root)-[:PROCESS { word: String! = '</script><script>alert(2)</script>', operation: 'found' }]->(user { name: String! })
      (root)-[:FORK]->(told: Event { id: ID! })`;
    const { text } = await browse(serve(hostile));
    const [, options = ''] = /renderYogaGraphiQL\([^{]*(\{.*\}),\s*\);/.exec(text) ?? [];
    const { defaultTabs } = JSON.parse(options) as { defaultTabs: { query: string; variables?: string }[] };
    expect(defaultTabs.map(({ query }) => query.split(/[ (]/, 2).join(' '))).toEqual([
      'query found',
      'subscription told',
    ]);
    expect(JSON.parse(defaultTabs[0]?.variables ?? '')).toHaveProperty('word');
    expect(text).not.toContain('alert(2)</script>');
  });

  test('is missing in production and without its package', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect((await browse(serve(source))).text).not.toContain('<html');
    vi.unstubAllEnvs();
    vi.doMock('@graphql-yoga/render-graphiql', () => {
      throw new Error('not installed');
    });
    expect((await browse(serve(source))).text).not.toContain('<html');
  });
});
