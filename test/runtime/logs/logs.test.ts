import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createGqlServer, type LogOptions } from '../../../src/index.js';
import { runs } from '../../arbitraries/runs.js';

const source = `
(root)-[:PROCESS { id: ID!, password: String, operation: 'findUser' }]->(user: Record { id: ID!, name: String })
(root)-[:PROCESS]->(broken: Record { value: String })
`;

const directories: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function createServer(logs: LogOptions) {
  return createGqlServer({
    topologies: [{ name: 'users.gg', source }],
    logs,
    resolvers: {
      Query: {
        findUser: (_: unknown, { id }: { id: string }) => ({ id, name: 'Ada' }),
        broken: (_: unknown, __: unknown, { request }: { request: Request }) => {
          const headers = JSON.stringify([...request.headers]);
          throw new Error(`Upstream refused ${request.url} ${headers}`);
        },
      },
    },
  });
}

/** A server that keeps its lines. */
function logged(options: LogOptions = {}) {
  const texts: string[] = [];
  const server = createServer({ destination: { write: (line) => void texts.push(line) }, ...options });
  return { server, texts, lines: () => texts.map((text) => JSON.parse(text)) };
}

const get = (server: ReturnType<typeof createServer>, path: string, headers: Record<string, string> = {}) =>
  server.fetch(new Request(`http://localhost${path}`, { headers }));
const post = (server: ReturnType<typeof createServer>, body: object) =>
  server.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

describe('arguments', () => {
  test('are not logged by default, and neither are paths and queries', async () => {
    const { server, texts } = logged();
    await get(server, '/api/findUser?id=visible&password=hunter2');
    await get(server, '/api/visible');
    await post(server, {
      query: 'query($x: String) { findUser(id: "visible", password: $x) { id } }',
      variables: { x: 'hunter2' },
    });
    await post(server, { query: '{ visible }' });
    expect(texts).toHaveLength(4);
    expect(texts.join('')).not.toMatch(/visible|hunter2/);
  });

  test('are logged by their names in the schema if they are listed, for any variable names', async () => {
    const { server, lines } = logged({ arguments: ['id'] });
    await post(server, {
      query: 'query($id: String) { findUser(id: "7", password: $id) { id } }',
      variables: { id: 'hunter2' },
    });
    await get(server, '/api/findUser?id=8&password=hunter2');
    expect(lines().map((line) => line.arguments)).toEqual([{ id: '7' }, { id: '8' }]);
    expect(JSON.stringify(lines())).not.toContain('hunter2');
  });

  test('are all logged with true, with a URL without credentials; paths of redact are replaced', async () => {
    const { server, lines } = logged({ arguments: true, redact: ['arguments.password'] });
    await get(server, '/api/findUser?id=8&password=hunter2');
    expect(lines()[0]).toMatchObject({
      url: '/api/findUser?id=8&password=[redacted]',
      arguments: { id: '8', password: '[redacted]' },
    });
  });
});

describe('secrets of a request', () => {
  test('are not logged, even if a resolver throws them', async () => {
    const secret = fc.string({
      minLength: 8,
      maxLength: 40,
      unit: fc.constantFrom(...'abcdefghijkABC0123456789-_.~'),
    });
    const values = fc.uniqueArray(secret, { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.constantFrom('/api/broken', '/graphql?query={broken{value}}', '/api/none'),
        async (secrets, path) => {
          const [token = '', cookie = '', key = '', query = ''] = secrets;
          const { server, texts } = logged();
          const mark = path.includes('?') ? '&' : '?';
          await get(server, `${path}${mark}access_token=${query}`, {
            authorization: `Bearer ${token}`,
            cookie: `sid=${cookie}`,
            'x-api-key': key,
            'apollo-require-preflight': '1',
          });
          expect(texts.length).toBeGreaterThan(0);
          for (const value of secrets) expect(texts.join('')).not.toContain(value);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe('lines', () => {
  test('cannot be forged: each is one JSON object for any request', async () => {
    const headers = fc.record({
      'x-request-id': fc.stringMatching(/^[ -~]{0,200}$/),
      traceparent: fc.stringMatching(/^[ -~]{0,80}$/),
    });
    await fc.assert(
      fc.asyncProperty(headers, fc.webPath(), fc.string(), async (given, path, query) => {
        const { server, texts } = logged({ arguments: true });
        const answer = await get(server, path, given);
        await post(server, { query: '{ broken { value } }', operationName: query });
        await post(server, {
          query: 'query($id: ID!) { findUser(id: $id) { id } }',
          variables: { id: query },
        });
        for (const text of texts) {
          expect(text.indexOf('\n')).toBe(text.length - 1);
          expect(JSON.parse(text)).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
        }
        expect(answer.headers.get('x-request-id')).toMatch(/^[\w.:@+/=-]{1,128}$/);
      }),
      { numRuns: runs(60) },
    );
  });

  test('below the level are not written; access: false leaves error lines', async () => {
    const quiet = logged({ level: 'error' });
    await get(quiet.server, '/api/findUser?id=1');
    await get(quiet.server, '/api/broken');
    expect(quiet.lines().map(({ level, msg }) => [level, msg === 'request'])).toEqual([
      ['error', false],
      ['error', true],
    ]);
    const faults = logged({ access: false });
    await get(faults.server, '/api/findUser?id=1');
    await get(faults.server, '/api/broken');
    expect(faults.lines().map(({ field }) => field)).toEqual(['Query.broken']);
  });

  test('go to the console without the option', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = createGqlServer({
      topologies: [{ name: 'users.gg', source }],
      resolvers: {
        Query: {
          broken: () => {
            throw new Error('as before');
          },
        },
      },
    });
    const answer = await get(server, '/api/broken');
    expect(answer.headers.has('x-request-id')).toBe(false);
    expect(error.mock.calls).toEqual([
      [expect.stringMatching(/^Query\.broken \(root -\[:PROCESS\]-> broken, users\.gg:\d+:\d+\):$/), expect.any(Error)],
    ]);
  });
});

describe('a logger', () => {
  test('of the program is used, with its own settings', async () => {
    const texts: string[] = [];
    const logger = pino({ base: { app: 'shop' }, level: 'warn' }, { write: (text: string) => void texts.push(text) });
    const server = createServer({ logger });
    await get(server, '/api/findUser?id=1');
    await get(server, '/api/broken');
    expect(texts.map((text) => JSON.parse(text).app)).toEqual(['shop', 'shop']);
  });

  test.each(['level', 'redact', 'destination'] as const)('of the program excludes %s', (name) => {
    const given = { level: 'info', redact: ['a'], destination: 'stderr' } as const;
    expect(() => createServer({ logger: pino(), [name]: given[name] })).toThrow(
      `logs.${name} must not be given with logs.logger`,
    );
  });

  test('that throws does not affect requests, and is reported once', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const fail = () => {
      throw new Error('disk full');
    };
    const server = createServer({ logger: { info: fail, error: fail } });
    for (const path of ['/api/findUser?id=1', '/api/findUser?id=1', '/api/broken']) await get(server, path);
    expect((await get(server, '/api/findUser?id=1')).status).toBe(200);
    expect(error.mock.calls.flat().filter((text) => String(text).includes('disk full'))).toHaveLength(1);
  });
});

describe('a destination', () => {
  test('may be a file, which has all lines when the process ends', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-logs-'));
    directories.push(directory);
    const path = join(directory, 'deep/access.log');
    const server = createServer({ destination: path });
    for (let at = 0; at < 20; at++) await get(server, '/api/findUser?id=1');
    await expect.poll(() => readFileSync(path, 'utf8').split('\n')).toHaveLength(21);
    for (const line of readFileSync(path, 'utf8').trim().split('\n')) expect(JSON.parse(line).msg).toBe('request');
  });

  test('that cannot be opened does not affect requests', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = createServer({ destination: '/proc/no/such/file.log' });
    expect((await get(server, '/api/findUser?id=1')).status).toBe(200);
    expect((await get(server, '/api/findUser?id=1')).status).toBe(200);
    expect(error.mock.calls.length).toBeLessThanOrEqual(1);
  });
});
