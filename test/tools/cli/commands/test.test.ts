import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../free-port.js';
import { noSqlite } from '../../../runtime/store/engines.js';
import { directoryWith, type RunResult, runCli } from '../stand-in-io.js';

const topology = `
  (user { id: ID!, name: String! })
  (new_user: Input { name: String! })-[:FOLD { operation: 'addUser', returns: User! }]->(user)
  (root)-[:PROCESS { id: ID! }]->(user)
  (user)-[:FORK { name: String }]->(user_added: Event { id: ID!, name: String! })
`;

const resolvers = `
  const users = new Map();
  export default {
    Mutation: { addUser: (_, { input }) => { const user = { id: String(users.size + 1), ...input }; users.set(user.id, user); return user; } },
    Query: { user: (_, { id }) => users.get(id) },
  };
`;

function runTest(files: Readonly<Record<string, string>>, ...args: string[]): Promise<RunResult> {
  return runCli(['test', ...args], { directory: directoryWith(files) });
}

const api = { 'api.gg': topology, 'api.resolvers.mjs': resolvers };

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers in its own way. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = { 'content-type': 'application/json' };
const stream = { 'content-type': 'text/event-stream' };
const ada = '{"id":"1","name":"Ada"}';

/** A server whose answers are right, with one event of this text for each stream; none if it is undefined. */
function serveWith(event: string | undefined, seen: string[] = []): Promise<string> {
  return serve((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-tenant'] ?? ''}`);
    if (request.headers.accept !== 'text/event-stream') {
      request.resume();
      response.writeHead(200, json).end(ada);
      return;
    }
    response.writeHead(200, stream).write(':\n\n');
    if (event !== undefined) response.write(event);
  });
}

describe('gg-svc test', () => {
  test('runs the workflows of a topology with its resolvers, and receives the events', async () => {
    const { code, stdout, stderr } = await runTest(api, 'api.gg');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('✓ user (2 steps, 1 event, 0 ms)\n1 workflow passed, 0 failed: 2 steps, 1 event (0 ms)\n');
  });

  test('writes a load test whose requests capture ids and hand them on', async () => {
    const guarded = `
      (order { id: ID! })
      (user)-[:FOLD { operation: 'order', userId: ID!, returns: Order!, idempotent: 'required', auth: 'required' }]->(order)
      (root)-[:PROCESS { operation: 'orders', returns: [Order!]! }]->(order)
      (root)-[:PROCESS { operation: 'byId', orderId: ID!, route: 'GET /orders/{orderId}', returns: Order }]->(order)`;
    const { code, stdout, stderr } = await runTest({ 'a.gg': topology + guarded }, 'a.gg', 'user', 'byId', '--load');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const { config, scenarios } = JSON.parse(stdout);
    expect(config).toEqual({
      target: 'http://127.0.0.1:4000',
      phases: [{ duration: 60, arrivalRate: 5, maxVusers: 50 }],
      http: { timeout: 10 },
    });
    const [user, byId] = scenarios;
    expect(user).toEqual({
      name: 'user',
      flow: [
        {
          post: {
            url: '/api/addUser',
            name: 'POST /api/addUser',
            headers: { 'content-type': 'application/json' },
            json: { input: { name: 'Ada Lovelace' } },
            capture: [{ json: '$.id', as: 'addUser_userId' }],
          },
        },
        // Artillery encodes the values of “qs”, but not those in a URL.
        { get: { url: '/api/user', qs: { id: '{{addUser_userId}}' }, name: 'GET /api/user', headers: {} } },
      ],
    });
    expect(byId.flow.at(-2).post).toMatchObject({
      headers: {
        Authorization: 'Bearer {{ $env.TOKEN }}',
        'Idempotency-Key': '{{ $randomString(20) }}-order',
      },
      json: { userId: '{{addUser_userId}}' },
    });
    expect(byId.flow.at(-1).get.url).toBe('/orders/{{order_orderId}}');
  });

  test('an argument with the name token is not the credentials', async () => {
    const source = `
      (root)-[:PROCESS { operation: 'confirm', /// @minLength 8
        token: String!, auth: 'optional' }]->(confirmed { id: ID! })
      (root)-[:PROCESS { operation: 'account', token: String!, auth: 'required' }]->(account { id: ID! })`;
    const callers = { ada: {} };
    const files = { 'a.gg': source, 'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], callers }) };
    const { code, stdout } = await runTest(files, '--mock');
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 workflows passed')]);
    const { scenarios } = JSON.parse((await runTest(files, '--load')).stdout);
    const [confirm, account] = scenarios.map(({ flow }: { flow: readonly { get: object }[] }) => flow[0]?.get);
    expect(JSON.stringify(confirm)).not.toContain('$env');
    expect(account.headers).toEqual({ Authorization: 'Bearer {{ $env.TOKEN }}' });
    expect(JSON.stringify(account.qs)).not.toContain('$env');
  });

  test('makes the idempotency keys of a run', async () => {
    const source = "(root)-[:FOLD { operation: 'pay', sum: Int!, idempotent: 'required' }]->(paid { id: ID! })";
    const { code, stdout } = await runTest({ 'a.gg': source }, 'a.gg', '--mock', '-H', 'Cookie: a=1');
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ pay')]);
  });

  test('writes a load test to a file, within limits', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const args = ['test', 'a.gg', '--load', '--rate', '20', '--duration', '5', '-H', 'X-Tenant: acme'];
    const written = await runCli([...args, '-o', 'load.json', '--url', 'https://example.com/'], {
      directory,
    });
    expect([written.code, written.stdout]).toEqual([0, 'wrote load.json\n']);
    const { config, scenarios } = JSON.parse(readFileSync(join(directory, 'load.json'), 'utf8'));
    expect([config.target, config.phases]).toEqual([
      'https://example.com',
      [{ duration: 5, arrivalRate: 20, maxVusers: 200 }],
    ]);
    expect(scenarios[0].flow[1].get.headers).toEqual({ 'X-Tenant': 'acme' });
    for (const [more, message] of [
      [['--rate', '1001'], '--rate must be an integer from 1 to 1000'],
      [['--rate', '0'], '--rate must be an integer from 1 to 1000'],
      [['--duration', '0'], '--duration must be an integer from 1 to 3600'],
      [['--as', 'ada'], 'omit --as'],
    ] as const) {
      const { code, stderr } = await runCli(['test', 'a.gg', '--load', ...more], { directory });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  test('reports the differences of an answer, and skips later steps', async () => {
    const wrong = resolvers.replace('{ id: String(users.size + 1), ...input }', "{ id: 'x', name: 5n }");
    const { code, stdout } = await runTest({ ...api, 'api.resolvers.mjs': wrong }, 'api.gg');
    expect(code).toBe(1);
    expect(stdout).toContain('✗ POST /api/addUser 500');
    expect(stdout).toContain('$statusCode is 500, expected 200');
    expect(stdout).toContain('- GET /api/user skipped');
    const other = resolvers.replace('users.get(id)', "({ id: 'other', name: 'Eve' })");
    const read = await runTest({ ...api, 'api.resolvers.mjs': other }, 'api.gg');
    expect(read.code).toBe(1);
    expect(read.stdout).toContain('✓ POST /api/addUser 200, event userAdded');
    expect(read.stdout).toContain('$response.body#/id is "other", expected "1"');
  });

  test('passes a step that its fallback answers, and fails one whose fallback fails, too', async () => {
    const vent = `(root)-[:PROCESS { operation: 'stale', id: ID!, returns: User, internal: true }]->(stale)
      (user)-[:VENT { fallback: true }]->(stale)`;
    const broken = resolvers.replace(
      'user: (_, { id }) => users.get(id)',
      "user: () => { throw new Error('down'); }, stale: (_, { id }) => users.get(id)",
    );
    const files = { 'api.gg': topology + vent, 'api.resolvers.mjs': broken };
    const { code, stdout } = await runTest(files, 'api.gg');
    expect([code, stdout]).toEqual([
      0,
      '✓ user (2 steps, 1 event, 0 ms)\n1 workflow passed, 0 failed: 2 steps, 1 event (0 ms)\n',
    ]);
    const none = broken.replace('users.get(id)', '{ throw new Error("empty"); }');
    const failed = await runTest({ ...files, 'api.resolvers.mjs': none }, 'api.gg');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('✗ GET /api/user 500');
  });

  test('writes JSON and JUnit, to standard output or to a file', async () => {
    const asJson = await runTest(api, 'api.gg', '--format', 'json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      workflows: [
        {
          workflow: 'user',
          passed: true,
          steps: [{ step: 'addUser', outcome: 'passed', status: 200, events: ['userAdded'] }, { step: 'user' }],
        },
      ],
    });
    const directory = directoryWith({ ...api, 'api.resolvers.mjs': 'export default { Query: {} };' });
    const { code, stdout } = await runCli(['test', 'api.gg', '--format', 'junit', '-o', 'report.xml'], {
      directory,
    });
    expect([code, stdout]).toEqual([1, expect.stringContaining('wrote report.xml')]);
    const report = readFileSync(join(directory, 'report.xml'), 'utf8');
    expect(report).toContain('<testsuite name="user" tests="2" failures="1" skipped="1" time="0.000">');
    expect(report).toMatch(/<testcase classname="user" name="addUser" time="0.000"><failure message="/);
    expect(report).toContain('name="user" time="0.000"><skipped/></testcase>');
  });

  test('accepts names of workflows, values of inputs and headers', async () => {
    const seen: string[] = [];
    const url = await serveWith(`data: ${ada}\n\n`, seen);
    const args = ['api.gg', 'user', '--url', `${url}/`, '--input', 'input_name=Grace', '-H', 'X-Tenant: acme'];
    const { code, stdout } = await runTest(api, ...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ user')]);
    expect(seen).toEqual(['GET /api/userAdded?name=Grace acme', 'POST /api/addUser acme', 'GET /api/user?id=1 acme']);
  });

  test.each([
    [['api.gg', 'usr'], 'The topology has no workflow usr. Did you mean user?'],
    [['api.gg', '--input', 'input_nam=x'], 'No workflow has an input input_nam. Did you mean input_name?'],
    [['api.gg', '--input', 'secret'], '--input must be a name and a value'],
    [['api.gg', '--header', 'secret'], '--header must be a name and a value'],
    [['api.gg', '--url', 'localhost:4000'], '--url must be a URL such as'],
    [['api.gg', '--timeout', 'soon'], '--timeout must be an integer'],
    [['api.gg', '--format', 'html'], 'Allowed choices are text, json, junit'],
    [['user'], 'test needs a topology'],
    [['secret.gg'], 'The workflow secret needs the input token: pass --input token=<value>, or --as <id>.'],
    [['empty.gg'], 'The topology has no workflows'],
  ])('rejects %j', async (args, message) => {
    const files = {
      ...api,
      'secret.gg': "(root)-[:PROCESS { auth: 'required' }]->(secret { id: ID! })",
      'empty.gg': '(a { id: ID! })',
      'secret.context.mjs': 'export const authenticate = () => null;',
    };
    const { code, stderr } = await runTest(files, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toMatch(/^error: .*: secret/m);
  });

  test('reports the errors of a topology and of its modules', async () => {
    const broken = await runTest({ 'api.gg': '(a' }, 'api.gg');
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('GG1')]);
    const module = await runTest({ ...api, 'api.resolvers.mjs': 'throw new Error("no");' }, 'api.gg');
    expect([module.code, module.stderr]).toEqual([1, expect.stringContaining('GG5001')]);
  });

  /** The limit that has to be reached; else one that a busy machine does not reach. */
  const limitOf = (problem: string) => ['--timeout', /within (\d+) ms/.exec(problem)?.[1] ?? '120000'];

  test.concurrent.each<[string, RequestListener | undefined, string]>([
    ['is away', undefined, 'cannot reach the server: ECONNREFUSED'],
    ['never answers', () => undefined, 'no stream of userAdded within 3000 ms'],
    [
      'answers without an end',
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200, stream).write(':\n\n');
        else response.writeHead(200, json).write('[');
      },
      'no answer within 10000 ms',
    ],
    [
      'answers with another type',
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200, stream).write(':\n\n');
        else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>');
      },
      'the content type is text/html',
    ],
    [
      'answers with 10 MB of another shape',
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200, stream).write(':\n\n');
        else response.writeHead(200, json).end(JSON.stringify(['x'.repeat(10_000_000)]));
      },
      'the value must be object, not a list',
    ],
    [
      'lacks the stream',
      (_, response) => {
        response.writeHead(404, json).end('{}');
      },
      'GET /api/userAdded answers 404',
    ],
  ])('fails, and ends, if the server %s', async (_, listener, problem) => {
    const url = listener === undefined ? `http://127.0.0.1:${await freePort()}` : await serve(listener);
    const { code, stdout } = await runTest(api, 'api.gg', '--url', url, ...limitOf(problem));
    expect([code, stdout]).toEqual([1, expect.stringContaining(problem)]);
  });

  test.concurrent.each([
    ['never comes', undefined, 'no event of userAdded within 10000 ms'],
    [
      'is about something else',
      'data: {"id":"2","name":"Eve"}\n\n',
      'in the event of userAdded: /id is "2", expected "1"',
    ],
    ['does not fit its schema', 'data: {"id":"1"}\n\n', 'in the event of userAdded: /name is missing'],
    ['is an error', 'event: error\ndata: {"detail":"Too slow."}\n\n', 'is an error: the server says: Too slow.'],
  ])('fails if an event %s', async (_, event, problem) => {
    const url = await serveWith(event);
    const { code, stdout } = await runTest(api, 'api.gg', '--url', url, ...limitOf(problem));
    expect([code, stdout]).toEqual([1, expect.stringContaining(problem)]);
  });

  test('stops reading an answer that is larger than 32 MiB', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'x');
    const url = await serve((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, stream).write(':\n\n');
        return;
      }
      response.writeHead(200, json);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const { code, stdout } = await runTest(api, 'api.gg', '--url', url, '--timeout', '300000');
    expect([code, stdout]).toEqual([1, expect.stringContaining('the answer is larger than 32 MiB')]);
  });

  test('stops after a signal', async () => {
    let stop = (): void => undefined;
    const url = await serve(() => stop());
    const { code, stdout, stderr } = await runCli(['test', 'api.gg', '--url', url], {
      directory: directoryWith(api),
      onStop: (given) => {
        stop = given;
        return () => undefined;
      },
    });
    expect([code, stderr]).toEqual([1, 'Stopped after 1 of 1 workflows.\n']);
    expect(stdout).toContain('stopped');
  });
});

describe.skipIf(noSqlite)('gg-svc test of an API with a store', () => {
  test.each([
    ['String!', ''],
    ['String!', '@format email'],
    ['String!', '@maxLength 9'],
    ['String!', '@pattern ^[A-Z]{4}-\\d{4}$'],
    ['Int!', ''],
    ['BigInt!', ''],
    ['DateTime!', ''],
    ['ID!', ''],
  ])('sends unique values that are new in each run: %s %s', async (type, limit) => {
    const notes = `/// ${limit}\n`;
    const value = `value: ${type}`;
    const source = `
      (thing: Stored { id: ID!, name: String!,
        ${notes}/// @store unique
        ${value}, parts: [Part!]! })
      (part: Stored { id: ID!,
        ${notes}/// @store unique
        ${value} })
      (coded: Stored {
        ${notes}/// @store key
        ${value}, name: String! })
      (new_part: Input {
        ${notes}${value} })
      (new_thing: Input { name: String!,
        ${notes}${value}, parts: [NewPart!]! })
      (root)-[:FOLD { operation: 'addThing', name: String!,
        ${notes}${value}, returns: Thing! }]->(thing)
      (new_thing)-[:FOLD { operation: 'buildThing', returns: Thing! }]->(thing)
      (root)-[:FOLD {
        ${notes}${value}, name: String!, operation: 'addCoded', writes: 'insert', returns: Coded! }]->(coded)
      (root)-[:PROCESS { id: ID! }]->(thing)
      (thing)-[:PROCESS { operation: 'again', id: ID!, returns: Thing! }]->(thing)
      (root)-[:PROCESS { operation: 'found', ${value}, returns: Thing }]->(thing)`;
    const server = { store: { file: 'data.sqlite' } };
    const files = { 'a.gg': source, 'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server }) };
    const directory = directoryWith(files);
    for (const turn of [1, 2, 3]) {
      const { code, stdout } = await runCli(['test'], { directory });
      expect([turn, code, stdout]).toEqual([turn, 0, expect.stringContaining('5 workflows passed, 0 failed')]);
    }
  });
});
