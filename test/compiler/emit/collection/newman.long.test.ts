import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import type { Collection } from '../../../../src/compiler/emit/collection/format.js';
import { AuthenticationError } from '../../../../src/runtime/auth/authentication-error.js';
import type { Credentials, Principal } from '../../../../src/runtime/auth/principal.js';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import { createBetaHttpServer } from '../../../../src/runtime/hosts/beta.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';
import { loadResolvers } from '../../../docs/load-resolvers.js';
import { runNewman } from '../run-newman.js';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/**
 * Serves a topology, runs the collection that was emitted for it, as the text of its file says it, and tells
 * what REST requests came.
 */
async function run(
  name: string,
  source: string,
  resolvers: Resolvers,
  endpoint = '',
  variables: readonly object[] = [],
) {
  const server = createGqlServer({ topologies: [{ name, source }], resolvers });
  const http = createBetaHttpServer(server);
  open.push(http);
  const seen: string[] = [];
  http.prependListener('request', ({ method, url = '' }: IncomingMessage) => {
    if (/^\/(?!api\/federation|graphql)/.test(url))
      seen.push(`${method} ${decodeURIComponent(url.replace(/^\/api\//, ''))}`);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}${endpoint}`;
  // As `gg-svc build` writes it: the layers that every server has are in it.
  const readImport = (path: string) => readFileSync(path, 'utf8');
  const result = compile({ name, source }, { baseUrl, readImport, federation: true });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  const collection = JSON.parse(result.artifacts['collection.json']) as Collection;
  return { ...(await runNewman(collection, variables)), seen };
}

describe('the collection of a topology with streams', () => {
  const source = `(note: Record { id: ID! })
    (root)-[:PROCESS { operation: 'heard', returns: String }]->(note)
    (note)-[:FOLD]->(saved_note { id: ID! })
    (saved_note)-[:FORK { id: ID! }]->(heard: Event { id: ID! })`;
  const resolvers = {
    Query: { heard: () => 'a' },
    Mutation: { savedNote: () => ({ id: '1' }) },
    Subscription: {
      heard: async function* () {
        yield { id: '1' };
      },
    },
  };

  test('skips streams, and the other requests pass', async () => {
    const { failures, seen } = await run('notes.gg', source, resolvers);
    expect([failures, seen.filter((request) => request.includes('heard'))]).toEqual([[], ['GET heard']]);
  });

  test('sends streams if the variable is set, and passes', async () => {
    const follow = [{ key: 'follow_events', value: 'true' }];
    const { failures, seen } = await run('notes.gg', source, resolvers, '', follow);
    expect([failures, seen.filter((request) => request.includes('heard'))]).toEqual([
      [],
      ['GET heard', 'GET heard?id=1'],
    ]);
  });
});

describe('the collection of a topology with access', () => {
  const source = `(note: Record { id: ID!, text: String! })
    (root)-[:PROCESS { operation: 'anyNote', auth: 'optional' }]->(note)
    (root)-[:PROCESS { operation: 'ownNote', auth: 'required' }]->(note)
    (draft: Input { text: String! })-[:FOLD { scopes: ['notes:write'] }]->(saved_note { id: ID!, text: String! })`;
  const note = { id: '1', text: 'a' };
  const resolvers = {
    Query: { anyNote: () => note, ownNote: () => note },
    Mutation: { savedNote: () => note },
  };

  test.each([
    ['bearer', { type: 'bearer' }, 'authorization', 'Bearer good'],
    ['API key', { type: 'apiKey', header: 'x-key' }, 'x-key', 'good'],
  ] as const)('passes with a %s, and gets 401 without it', async (_, scheme, header, credentials) => {
    const authenticate = Object.assign(
      ({ header: read }: Credentials): Principal | null => {
        const given = read(header);
        if (given !== undefined && given !== credentials) throw new AuthenticationError('The key is wrong.');
        return given === undefined ? null : { id: 'ada', scopes: ['notes:write'] };
      },
      { scheme },
    );
    const server = createGqlServer({
      topologies: [{ name: 'notes.gg', source }],
      resolvers,
      authenticate,
      federation: false,
    });
    const http = createBetaHttpServer(server);
    open.push(http);
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const collection = (await (await fetch(`${address}/collection.json`)).json()) as Collection;
    const withToken = (token: string) => {
      const variable = collection.variable.map((one) => (one.key === 'token' ? { ...one, value: token } : one));
      return runNewman({ ...collection, variable });
    };
    const { requests, failures } = await withToken('good');
    expect([requests, failures]).toEqual([6, []]);
    // The requests without authentication still pass: two of six.
    for (const token of ['bad', '']) {
      const refused = (await withToken(token)).failures;
      expect(refused.length).toBeGreaterThanOrEqual(4);
      expect(refused.some((message) => message.includes('401'))).toBe(true);
    }
  });
});

describe('the collection of an example', () => {
  const example = async (path: string, endpoint: string) =>
    run(`${path}.gg`, readFileSync(`${path}.gg`, 'utf8'), await loadResolvers(`${path}.resolvers.mjs`), endpoint);

  test('service.gg passes against our server, and reads the saved user', async () => {
    const { failures, requests, assertions, seen } = await example('docs/examples/service', '');
    expect(failures).toEqual([]);
    expect([requests, assertions]).toEqual([12, 36]);
    expect(seen).toEqual(['POST saveUser', 'GET readUser?id=1', 'GET scanResult?url=https://example.com']);
  });

  test('bookstore/shop.gg passes against our server, over its own routes', async () => {
    const { failures, requests, seen } = await example('docs/examples/bookstore/shop', '');
    expect(failures).toEqual([]);
    expect(requests).toBe(22);
    expect(seen).toEqual(
      expect.arrayContaining([
        'POST /books',
        'DELETE /books/978-0141439662',
        'POST /books/978-0141439587/reviews',
        'GET /books/978-0141439587',
      ]),
    );
  });

  test('the requests of routes that mix text and arguments reach their operations', async () => {
    const file = 'golden/language-route-segments/input.gg';
    const part = (name: string) => ({ id: '7', name });
    const { failures, seen } = await run(file, readFileSync(file, 'utf8'), {
      Query: {
        me: () => part('me'),
        user: () => part('user'),
        userFile: () => part('userFile'),
        thumbnail: () => part('thumbnail'),
        compare: () => [part('compare')],
      },
      Mutation: { renameUser: () => part('renameUser'), cancelFile: () => true },
    });
    expect(seen.toSorted()).toEqual([
      'GET /compare/Example base...Example head',
      'GET /files/7/thumbnail.Example extension',
      'GET /users/7',
      'GET /users/7.json',
      'GET /users/@me',
      'POST /files/1:cancel',
      'PUT /users/7',
    ]);
    expect(failures).toEqual([]);
  });

  test('parcel/main.gg passes against our server, and reads the created objects', async () => {
    const { failures, requests, assertions, seen } = await example('docs/examples/parcel/main', '/graphql');
    expect(failures).toEqual([]);
    expect([requests, assertions]).toEqual([60, 180]);
    // There are three customers, two shipments, two parcels and one claim before it begins.
    expect(seen).toEqual(
      expect.arrayContaining([
        'GET customer?id=4',
        'GET shipment?id=3',
        'GET parcel?id=3',
        'GET label?parcelId=3&format=pdf',
        'GET claim?id=2',
      ]),
    );
    expect(seen.indexOf('GET customer?id=4')).toBeGreaterThan(seen.indexOf('POST signUp'));
    expect(seen.indexOf('POST payInvoice')).toBeGreaterThan(
      seen.findIndex((request) => request.startsWith('GET listInvoices')),
    );
  });
});

describe('a collection', () => {
  const source = `
    (kind: Enum { values: [GOOD, BAD] })
    (thing { id: ID!, kind: Kind, size: Float!, next: Thing })
    (made { id: ID! })
    (form { text: String! })-[:FOLD]->(made)
    (made)-[:PROCESS { id: ID! }]->(thing)
    (root)-[:PROCESS { operation: 'things', returns: [Thing] }]->(thing)
    (root)-[:PROCESS { operation: 'count', returns: Int }]->(thing)
  `;
  const thing = { id: '1', kind: 'GOOD', size: 1.5, next: { id: '2', kind: null, size: 1, next: null } };
  const resolvers = (given: Record<string, unknown>, id = 'a:7.x'): Resolvers => ({
    Query: { thing, things: [thing, null], count: 5, ...given },
    Mutation: { made: () => ({ id }) },
  });

  test('sends an id to the operations that follow in the topology', async () => {
    const { failures, seen } = await run('a.gg', source, resolvers({}));
    expect(failures).toEqual([]);
    expect(seen).toEqual(['POST made', 'GET thing?id=a:7.x', 'GET things', 'GET count']);
  });

  test('keeps the example if an id would need escaping in a URL or JSON', async () => {
    const { failures, seen } = await run('a.gg', source, resolvers({}, 'a"&b'));
    expect(failures).toEqual([]);
    expect(seen).toContain('GET thing?id=1');
  });

  test.each(['', '/graphql'])('calls the routes of the topology, at the base URL “%s”', async (endpoint) => {
    const routed = `
      (book { isbn: ID!, title: String! })
      (form { title: String! })-[:FOLD { input: Form, returns: Book, route: 'POST /v1.0/books', status: 201 }]->(add_book)
      (add_book)-[:PROCESS { isbn: ID!, loud: Boolean, route: 'GET /v1.0/books/{isbn}' }]->(book)
      (root)-[:PROCESS { isbn: ID!, operation: 'lost', route: 'GET /lost/{isbn}', null: 404 }]->(book)
      (add_book)-[:FOLD { isbn: ID!, returns: Boolean, route: 'DELETE /v1.0/books/{isbn}', status: 204 }]->(drop_book)
      (add_book)-[:FOLD { isbn: ID!, title: String, returns: Book, route: 'PATCH /v1.0/books/{isbn}' }]->(patch_book)`;
    const book = { isbn: 'a:7', title: 'Emma' };
    const { failures, seen } = await run(
      'a.gg',
      routed,
      {
        Query: { book, lost: () => null },
        Mutation: { addBook: () => book, dropBook: true, patchBook: book },
      },
      endpoint,
    );
    expect(failures).toEqual([]);
    expect(seen.toSorted()).toEqual([
      'DELETE /v1.0/books/a:7',
      'GET /lost/1',
      'GET /v1.0/books/a:7?loud=true',
      'PATCH /v1.0/books/a:7',
      'POST /v1.0/books',
    ]);
  });

  test('reads the first page, over REST and over GraphQL', async () => {
    const paged = `(book { id: ID!, title: String! })
      (root)-[:PROCESS { operation: 'books', returns: [Book!]!, page: 2 }]->(book)`;
    const books = ['1', '2', '3'].map((id) => ({ id, title: 'Emma' }));
    const { failures, seen } = await run('a.gg', paged, { Query: { books } });
    expect(failures).toEqual([]);
    expect(seen).toEqual(['GET books?first=2']);
  });

  test('accepts null wherever the API may return it', async () => {
    const { failures } = await run('a.gg', source, resolvers({ thing: null, things: null, count: null }));
    expect(failures).toEqual([]);
  });

  test('fails for a server with wrong answers', async () => {
    const other = source.replace('size: Float!', 'size: String!').replace('[GOOD, BAD]', '[GOOD, BAD, UGLY]');
    const served = createGqlServer({
      topologies: [{ name: 'b.gg', source: other }],
      resolvers: resolvers({
        thing: { ...thing, size: 'big' },
        things: [{ ...thing, kind: 'UGLY', size: '1' }],
      }),
    });
    const http = createBetaHttpServer(served);
    open.push(http);
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { artifacts } = compile(source, { baseUrl });
    const { failures } = await runNewman(JSON.parse(artifacts?.['collection.json'] ?? '{}'));
    expect(failures).toHaveLength(4);
    expect(failures.join('\n')).toContain('data.size should be number');
    expect(failures.join('\n')).toContain('data[0].kind should be equal to one of the allowed values');
  });
});
