import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { AuthenticationError, type Credentials, type GgFile } from '../../../src/index.js';
import { lastSteps, steps } from '../../../src/runtime/http/steps.js';
import { sendRaw } from '../../attack/wire.js';
import { get, post } from '../client.js';
import type { Host, RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';
import { uploadSource } from './uploads.js';

/** For each step of a request, a check that fails without it on at least one host. */
export const stepChecks: Readonly<Record<string, (host: Host) => Promise<void>>> = {
  async refuseUnreadable(host) {
    const server = await host.start(conformanceOptions());
    // Express finds no path in it, and answers by itself.
    if (host.hasNetwork) expect([400, 404]).toContain(await raw(server, 'http://[bad/', 'a'));
  },
  async checkHost(host) {
    const server = await host.start(conformanceOptions());
    if (!host.hasNetwork) return;
    for (const name of ['a b', 'h/api/greeting#', 'h/api/greeting?', 'h\\api', 'user@h', 'h:99999', 'a, b']) {
      expect(await raw(server, '/api/greeting', name)).toBe(400);
    }
    expect(await raw(server, '/api/greeting', 'example.com:80')).toBe(200);
  },
  async trustProxies(host) {
    const server = await host.start(conformanceOptions({ trustedProxies: ['loopback', 'unix'] }));
    const headers = { 'x-forwarded-host': 'api.example.com' };
    expect((await get(server, '/', { headers })).text).toContain('http://api.example.com');
  },
  async findHealth(host) {
    const server = await host.start(conformanceOptions());
    expect((await get(server, '/health/live')).status).toBe(200);
  },
  async limitAddresses(host) {
    const server = await host.start(conformanceOptions({ rateLimits: [{ limit: 1, per: '1h', by: 'address' }] }));
    const statuses = [];
    for (const path of ['/health/live', '/api/missing', '/api/greeting', '/health/live'])
      statuses.push((await get(server, path)).status);
    expect(statuses).toEqual([200, 404, 429, 200]);
  },
  async waitForTopology(host) {
    const [{ source }] = conformanceOptions().topologies as unknown as [{ source: string }];
    const files = createServer((_, response) => setTimeout(() => response.end(source), 50));
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/orders.gg`;
      const server = await host.start(conformanceOptions({ topologies: [url] }));
      expect((await get(server, '/api/greeting')).status).toBe(200);
    } finally {
      files.close();
    }
  },
  async findResource(host) {
    const server = await host.start(conformanceOptions());
    expect((await get(server, '/api/greeting')).status).toBe(200);
  },
  async answerPreflight(host) {
    const origin = 'https://app.example.com';
    const server = await host.start(conformanceOptions({ cors: { origins: [origin] } }));
    const headers = { origin, 'access-control-request-method': 'GET' };
    const answer = await get(server, '/api/greeting', { method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
  },
  async checkMethod(host) {
    const server = await host.start(conformanceOptions());
    const answer = await get(server, '/api/greeting', { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  },
  async callRequestHooks(host) {
    const onRequest = () => {
      throw new GraphQLError('Closed.');
    };
    const server = await host.start(conformanceOptions({ hooks: [{ onRequest }] }));
    expect((await get(server, '/api/greeting')).status).toBe(403);
  },
  async checkOrigin(host) {
    const server = await host.start(conformanceOptions());
    const headers = { 'sec-fetch-site': 'cross-site' };
    const query = encodeURIComponent('{ greeting { text } }');
    const persisted = encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"00"}}');
    for (const search of [`query=${query}`, `extensions=${persisted}`]) {
      const answer = await get(server, `/graphql?${search}`, { headers });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('CSRF_PREVENTED')]);
    }
    expect((await get(server, '/api/placeOrder', { method: 'POST', headers })).status).toBe(415);
  },
  async authenticate(host) {
    const authenticate = ({ header }: Credentials) => {
      if (header('authorization') === undefined) return null;
      throw new AuthenticationError('The token is unknown.');
    };
    const server = await host.start(conformanceOptions({ authenticate }));
    const headers = { authorization: 'Bearer x' };
    for (const path of ['/api/greeting', '/graphql?query={greeting{text}}']) {
      expect((await get(server, path)).status).toBe(200);
      expect((await get(server, path, { headers })).status).toBe(401);
    }
    expect((await get(server, '/health/live', { headers })).status).toBe(200);
  },
  async limitCallers(host) {
    const server = await host.start(conformanceOptions({ rateLimits: [{ limit: 1, per: '1h', by: 'principal' }] }));
    expect((await get(server, '/api/greeting')).status).toBe(200);
    expect((await get(server, '/openapi.json')).status).toBe(200);
    expect((await get(server, '/api/greeting')).status).toBe(429);
  },
  async checkAccess(host) {
    const authenticate = () => {
      throw new AuthenticationError('The token is unknown.');
    };
    const rateLimits = [{ limit: 1, per: '1h', by: 'principal' }] as const;
    const server = await host.start(conformanceOptions({ authenticate, rateLimits }));
    const statuses = [await get(server, '/api/greeting'), await get(server, '/api/greeting')];
    expect(statuses.map(({ status }) => status)).toEqual([401, 429]);
  },
  async readBody(host) {
    const server = await host.start(conformanceOptions());
    expect((await post(server, '/api/placeOrder', { input: { total: 1 } })).status).toBe(200);
  },
  async parseBody(host) {
    const server = await host.start(conformanceOptions());
    expect((await post(server, '/api/placeOrder', { input: { total: 1 } })).status).toBe(200);
    const nested = `${'['.repeat(100)}${']'.repeat(100)}`;
    expect((await get(server, `/graphql?query={greeting{text}}&variables=${nested}`)).status).toBe(400);
  },
  async limitBatch(host) {
    const limits = { batching: 10 };
    const rateLimits = [{ limit: 3, per: '1h', by: 'address' } as const];
    const server = await host.start(conformanceOptions({ limits, rateLimits }));
    // No operation of a batch that is too large runs.
    const batch = Array.from({ length: 4 }, () => ({ query: '{ greeting { text } }' }));
    expect((await post(server, '/graphql', batch)).status).toBe(429);
  },
  async run(host) {
    const server = await host.start(conformanceOptions());
    expect((await get(server, '/api/greeting')).body).toEqual({ text: 'Hello' });
    const question = { query: '{ greeting { text } }' };
    const answers = [
      ...['/api/greeting', '/openapi.json', '/nowhere', '/'].map((path) => get(server, path)),
      ...[question, { query: '{' }, [question, question]].map((body) => post(server, '/graphql', body)),
    ];
    // Every complete answer states its length.
    for (const { headers, text } of await Promise.all(answers))
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  },
  async closeForm(host) {
    let kept: GgFile | undefined;
    const store = (_: unknown, { file }: { file: GgFile }) => {
      kept = file;
      return { id: '1' };
    };
    const server = await host.start({
      topologies: [{ name: 'uploads.gg', source: uploadSource }],
      resolvers: { Mutation: { store } },
    });
    const body = new FormData();
    body.append('file', new Blob(['x'.repeat(500_000)]), 'x');
    expect((await get(server, '/api/store', { method: 'POST', body })).status).toBe(200);
    await expect(kept?.bytes()).rejects.toThrow('The call has ended.');
  },
  async tellOutcome(host) {
    const server = await host.start(conformanceOptions({ idempotency: {} }));
    const headers = { 'idempotency-key': 'a', authorization: 'Bearer ada' };
    const order = () => post(server, '/api/placeOrder', { input: { total: 1 } }, headers);
    const [first, second] = [await order(), await order()];
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  },
  async varyByHeaders(host) {
    const source = `(root)-[:PROCESS {\n/// @header X-Tenant\ntenant: ID }]->(greeting { text: 'Hello' })`;
    const topologies = [{ name: 'headers.gg', source }];
    const server = await host.start(conformanceOptions({ topologies, resolvers: {} }));
    expect((await get(server, '/api/greeting')).headers.get('vary')).toContain('X-Tenant');
  },
  async keepFromCaches(host) {
    const server = await host.start(conformanceOptions({ authenticate: () => ({ id: 'ada' }) }));
    const { headers } = await get(server, '/api/greeting');
    expect(headers.get('cache-control')).toBe('private, no-store');
  },
  async dropBodyOfHead(host) {
    const server = await host.start(conformanceOptions());
    for (const path of ['/api/greeting', '/openapi.json', '/nowhere']) {
      const { headers, text } = await get(server, path, { method: 'HEAD' });
      expect([text, Number(headers.get('content-length')) > 0]).toEqual(['', true]);
    }
  },
  async stateRates(host) {
    const server = await host.start(conformanceOptions({ rateLimits: [{ limit: 5, per: '1h', by: 'address' }] }));
    expect((await get(server, '/api/greeting')).headers.get('ratelimit')).toMatch(/^"address";r=4;t=\d+$/);
  },
  async shareWithOrigins(host) {
    const origin = 'https://app.example.com';
    const server = await host.start(conformanceOptions({ cors: { origins: [origin] } }));
    for (const path of ['/api/greeting', '/openapi.json', '/api/missing']) {
      const { headers } = await get(server, path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  },
  async closeWhileDraining(host) {
    const server = await host.start(conformanceOptions());
    // With a connection, the server stops listening; the topic `drain` has that.
    if (host.hasNetwork) return;
    await server.drain();
    for (const path of ['/api/greeting', '/nowhere', '/health/ready']) {
      expect((await get(server, path)).headers.get('connection')).toBe('close');
    }
  },
  async recordAnswer(host) {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const server = await host.start(conformanceOptions({ logs: { destination } }));
    await get(server, '/api/greeting');
    expect(lines).toHaveLength(1);
  },
};

/** The steps of a request. `test/runtime/http/steps.test.ts` removes each of them. */
export const requestSteps: Topic = {
  name: 'the steps of a request',
  define(host) {
    test('each request step has a check', () => {
      expect(Object.keys(stepChecks)).toEqual([...steps, ...lastSteps].map((step) => step.name));
    });

    test.each(Object.entries(stepChecks))('%s', async (_, check) => check(host));
  },
};

function raw({ origin }: RunningHost, target: string, host: string): Promise<number> {
  const { port } = new URL(origin);
  const text = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return sendRaw({ origin, port: Number(port) }, text);
}
