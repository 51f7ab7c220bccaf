import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { type Answer, ask, post, serve } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS { id: ID }]->(user { name: 'Ada' })
  (form { name: String })-[:FOLD]->(saved { name: String })
`;
const saved = vi.fn((_: unknown, { input }: { input?: object }) => input ?? {});
const resolvers = { Mutation: { saved } };
const mutation = 'mutation { saved { name } }';
const json = { 'content-type': 'application/json' };

/** What a refusal says: its status and its code. */
function refusal({ status, body }: Answer): unknown[] {
  return [status, body?.errors?.[0]?.extensions?.code ?? body?.status];
}

describe('requests that a page of another site could send', () => {
  const server = serve(source, { resolvers });

  test.each([
    ['text', { 'content-type': 'text/plain' }, JSON.stringify({ query: mutation })],
    ['text with a parameter', { 'content-type': 'TEXT/plain; charset=utf-8' }, JSON.stringify({ query: mutation })],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, `query=${mutation}`],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['a content type that is none', { 'content-type': 'application/json text/plain' }, '{}'],
    ['an empty header of a preflight', { 'content-type': 'text/plain', 'apollo-require-preflight': '' }, '{}'],
  ])('are rejected: %s', async (_what, headers, body) => {
    saved.mockClear();
    expect(refusal(await ask(server, '/graphql', { method: 'POST', headers, body }))).toEqual([400, 'CSRF_PREVENTED']);
    expect(saved).not.toHaveBeenCalled();
  });

  test('are rejected without a content type', async () => {
    const body = new TextEncoder().encode(JSON.stringify({ query: mutation }));
    expect(refusal(await ask(server, '/graphql', { method: 'POST', body }))).toEqual([400, 'CSRF_PREVENTED']);
  });

  test('are rejected over GET if headers of a browser show another site', async () => {
    const path = '/graphql?query={user{name}}';
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]) {
      expect(refusal(await ask(server, path, { headers }))).toEqual([400, 'CSRF_PREVENTED']);
      const sure = { ...headers, 'apollo-require-preflight': '1' };
      expect((await ask(server, path, { headers: sure })).body).toEqual({ data: { user: { name: 'Ada' } } });
    }
    expect((await ask(server, path, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
    expect((await ask(server, path)).status).toBe(200);
  });

  test('are answered if csrf is off', async () => {
    const open = serve(source, { resolvers, limits: { csrf: false } });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `query=${encodeURIComponent(mutation)}`;
    expect((await ask(open, '/graphql', { method: 'POST', headers, body })).status).toBe(200);
  });

  test('are rejected in the media type that the client accepts', async () => {
    const headers = { 'content-type': 'text/plain', accept: 'application/graphql-response+json' };
    const answer = await ask(server, '/graphql', { method: 'POST', headers, body: '{}' });
    expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });
});

describe('bodies', () => {
  const server = serve(source, { resolvers });
  const send = (body: BodyInit, headers: Record<string, string> = json) =>
    ask(server, '/graphql', { method: 'POST', headers, body });

  test('are limited with and without content-length', async () => {
    const large = JSON.stringify({ query: '{ user { name } }', variables: { x: 'x'.repeat(1 << 20) } });
    expect(refusal(await send(large))).toEqual([413, 'BAD_REQUEST']);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1 << 16;
        controller.enqueue(new Uint8Array(1 << 16));
      },
    });
    const init = { method: 'POST', headers: json, body: endless, duplex: 'half' };
    expect(refusal(await ask(server, '/graphql', init as RequestInit))).toEqual([413, 'BAD_REQUEST']);
    expect(sent).toBeLessThan(4 << 20);
  });

  test('are limited by the option, over GraphQL and REST', async () => {
    const small = serve(source, { resolvers, limits: { body: 100 } });
    const query = { query: '{ user { name } }', variables: { x: 'x'.repeat(100) } };
    expect((await post(small, '/graphql', query)).status).toBe(413);
    expect((await post(small, '/api/saved', { input: { name: 'x'.repeat(100) } })).status).toBe(413);
    const wide = serve(source, { resolvers, limits: { body: false } });
    expect((await post(wide, '/api/saved', { input: { name: 'x'.repeat(2 << 20) } })).status).toBe(200);
    const variables = { x: 'x'.repeat(2 << 20) };
    expect((await post(wide, '/graphql', { query: '{ user { name } }', variables })).status).toBe(200);
  });

  test('must be UTF-8, JSON and an object', async () => {
    expect(refusal(await send(new Uint8Array([0x7b, 0xff, 0x7d])))).toEqual([400, 'BAD_REQUEST']);
    expect(refusal(await send('{'))).toEqual([400, 'BAD_REQUEST']);
    expect(refusal(await send('null'))).toEqual([400, 'BAD_REQUEST']);
    expect(refusal(await send('5'))).toEqual([400, 'BAD_REQUEST']);
  });

  test('have a limited depth, also in the variables of a query string', async () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    expect(refusal(await send(`{"query":"{user{name}}","variables":{"x":${deep}}}`))).toEqual([400, 'BAD_REQUEST']);
    const path = `/graphql?query={user{name}}&variables={"x":${'['.repeat(100)}${']'.repeat(100)}}`;
    expect(refusal(await ask(server, path))).toEqual([400, 'BAD_REQUEST']);
  });

  test('are not decompressed', async () => {
    const bomb = gzipSync(new Uint8Array(8 << 20));
    expect(refusal(await send(new Uint8Array(bomb), { ...json, 'content-encoding': 'gzip' }))).toEqual([
      415,
      'BAD_REQUEST',
    ]);
  });

  test('contain one operation, or as many as the options allow', async () => {
    const two = JSON.stringify([{ query: '{ user { name } }' }, { query: '{ user { name } }' }]);
    expect(refusal(await send(two))).toEqual([400, 'BATCHING_DISABLED']);
    const batching = serve(source, { resolvers, limits: { batching: 2 } });
    expect((await post(batching, '/graphql', two)).body).toEqual([
      { data: { user: { name: 'Ada' } } },
      { data: { user: { name: 'Ada' } } },
    ]);
    const three = JSON.stringify(Array(3).fill({ query: '{ user { name } }' }));
    expect(refusal(await post(batching, '/graphql', three))).toEqual([400, 'BATCHING_LIMIT_EXCEEDED']);
    expect(refusal(await post(batching, '/graphql', '[]'))).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('query strings', () => {
  test('must be percent-encoded UTF-8', async () => {
    expect(refusal(await ask(serve(source), '/graphql?query=%E0%A4%A'))).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('documents beyond a limit', () => {
  test('get 400 with the code of the limit, for any Accept header', async () => {
    const query = `{ ${Array.from({ length: 21 }, () => 'user { name }').join(' ')} }`;
    for (const accept of ['application/json', 'application/graphql-response+json', '*/*']) {
      const headers = { ...json, accept };
      const body = JSON.stringify({ query });
      const answer = await ask(serve(source), '/graphql', { method: 'POST', headers, body });
      expect(refusal(answer)).toEqual([400, 'ROOT_FIELDS_LIMIT_EXCEEDED']);
      expect(answer.body.errors[0].extensions).toEqual({
        code: 'ROOT_FIELDS_LIMIT_EXCEEDED',
        limit: 'rootFields',
        maximum: 20,
      });
    }
  });

  test('are rejected by tokens before they are parsed', async () => {
    const query = `{ user { ${'name '.repeat(2000)} } }`;
    expect(refusal(await post(serve(source), '/graphql', { query }))).toEqual([400, 'TOKENS_LIMIT_EXCEEDED']);
  });

  test('are rejected in process, too', async () => {
    const query = `{ ${Array.from({ length: 31 }, (_, at) => `a${at}: user { name }`).join(' ')} }`;
    const { errors } = await serve(source, { limits: { rootFields: false } }).executeOperation({ query });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['ALIASES_LIMIT_EXCEEDED']);
  });
});

describe('masking', () => {
  const resolvers = {
    Query: {
      user: () => {
        throw new Error('password=hunter2');
      },
    },
  };

  test.each([true, false])('is set by name: %s', async (masking) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve(source, { resolvers, limits: { masking } });
    const text = masking ? 'Unexpected error.' : 'password=hunter2';
    const viaGraphQL = await post(server, '/graphql', { query: '{ user { name } }' });
    expect(viaGraphQL.body.errors[0].message).toBe(text);
    expect((await ask(server, '/api/user')).body.detail).toBe(text);
    log.mockRestore();
  });

  test('does not show an error of the guard as a client error', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const body = new ReadableStream({
      pull() {
        throw new Error('the connection broke');
      },
    });
    const init = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit;
    expect((await ask(serve(source), '/graphql', init)).status).toBe(500);
    log.mockRestore();
  });
});
