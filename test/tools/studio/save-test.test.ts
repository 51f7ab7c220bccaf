import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import type { Call } from '../../../src/tools/studio/protocol.js';
import { Recorder } from '../../../src/tools/studio/recorder.js';
import { printTest, type TestSetup, testFolderOf } from '../../../src/tools/studio/save-test.js';
import { copyPackage, programFolder } from '../../programs/bundle.mjs';
import { withRecorder } from './studios.js';

const topology = `
(book { id: ID!, title: String!, price: Float!, note: String })
(new_book: Input { title: String!, price: Float! })
(greeting { text: 'It\\'s "here"' })
(root)-[:PROCESS]->(greeting)
(shelf)-[:PROCESS { id: ID! }]->(book)
(shelf)-[:PROCESS { operation: 'secret', returns: Book }]->(book)
(new_book)-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
(book)-[:FORK]->(book_added { id: ID!, title: String! })
(broken: Record { value: String })
(root)-[:PROCESS]->(broken)
`;

const resolvers = `
const books = new Map([['1', { id: '1', title: 'Emma \\u2028', price: 9.5 }]]);
export default {
  Query: {
    book: (_parent, { id }) => books.get(id) ?? null,
    secret: (_parent, _args, { user }) => ({ id: '9', title: user, price: 1 }),
    broken: () => { throw new Error('no'); },
  },
  Mutation: {
    addBook: (_parent, { input }) => {
      const book = { id: String(books.size + 1), ...input };
      books.set(book.id, book);
      return book;
    },
  },
};
`;

const context = "export default (request) => ({ user: request.headers.get('authorization') ?? 'nobody' });\n";

let built: string;
let folder: string;
const setup: TestSetup = {
  topologies: ['books.gg'],
  folder: testFolderOf(['books.gg']),
  resolvers: { path: 'books.resolvers.mjs', isDefault: true },
  context: 'books.context.mjs',
  hasProject: false,
};

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  built = copyPackage();
  folder = programFolder('saved-tests');
  mkdirSync(join(folder, 'node_modules'));
  mkdirSync(join(folder, 'tests'));
  symlinkSync(built, join(folder, 'node_modules/gg-svc'));
  writeFileSync(join(folder, 'books.gg'), topology);
  writeFileSync(join(folder, 'books.resolvers.mjs'), resolvers);
  writeFileSync(join(folder, 'books.context.mjs'), context);
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const made of [built, folder]) rmSync(made, { recursive: true, force: true });
});

/** A server of the folder, in which each call is the first one, as in a saved test. */
async function record(call: (server: GqlServer) => Promise<unknown>, coordinate: string): Promise<Call> {
  const recorder = new Recorder(() => undefined);
  const close = recorder.open();
  const load = async (file: string) =>
    (await import(/* @vite-ignore */ `${pathToFileURL(join(folder, file))}?${Math.random()}`)).default;
  const options: GqlServerOptions = {
    topologies: [{ name: 'books.gg', source: topology }],
    resolvers: await load('books.resolvers.mjs'),
    context: await load('books.context.mjs'),
  };
  await call(createGqlServer(withRecorder(options, recorder)));
  const [recorded] = recorder.callsOf(coordinate);
  close();
  if (recorded === undefined) throw new Error(`${coordinate} was not called.`);
  return recorded;
}

const { schema } = createGqlServer({ topologies: [{ name: 'books.gg', source: topology }] });

const fetching = (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const init =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        };
  return async (server: GqlServer) => (await server.fetch(new Request(`http://localhost${path}`, init))).text();
};
const graphql = (query: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  fetching('/graphql', { query, ...more }, headers);

const calls: readonly (readonly [string, string, (server: GqlServer) => Promise<unknown>])[] = [
  ['a query over REST', 'Query.book', fetching('/api/book?id=1')],
  ['null over REST', 'Query.book', fetching('/api/book?id=7')],
  ['a refused request', 'Query.book', fetching('/api/book?id=1&other=it%27s')],
  ['a constant', 'Query.greeting', fetching('/api/greeting')],
  ['a mutation over REST', 'Mutation.addBook', fetching('/api/addBook', { input: { title: "It's", price: 8 } })],
  ['a mutation that is refused', 'Mutation.addBook', fetching('/api/addBook', { input: { title: 'a' } })],
  ['an error over REST', 'Query.broken', fetching('/api/broken')],
  [
    'a query over GraphQL',
    'Query.book',
    graphql('query One($id: ID!) { book(id: $id) { title } }', { variables: { id: '1' } }),
  ],
  ['a query by GET', 'Query.book', fetching('/graphql?query={book(id:"1"){id}}')],
  ['an error over GraphQL', 'Query.broken', graphql('{ broken { value } greeting { text } }')],
  [
    'a mutation over GraphQL',
    'Mutation.addBook',
    graphql('mutation { addBook(input: { title: "a", price: 1 }) { id } }'),
  ],
  ['a query over SSE', 'Query.book', graphql('{ book(id: "1") { title } }', {}, { accept: 'text/event-stream' })],
  [
    'a call of the program',
    'Query.book',
    (server) => server.executeOperation({ query: '{ book(id: "1") { title } }' }),
  ],
  ['HEAD', 'Query.book', (server) => server.fetch(new Request('http://localhost/api/book?id=1', { method: 'HEAD' }))],
];

/** One of each form of test. */
const comparing = new Set(['null over REST', 'an error over GraphQL', 'a call of the program']);

/** Runs a file of tests of the folder as users do. */
function runTests(env: Readonly<Record<string, string>> = {}, file = 'saved.test.mjs') {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...rest } = process.env;
  const args = ['--test', '--test-reporter=tap', `tests/${file}`];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...rest, ...env } });
}

function save(text: string, file = 'saved.test.mjs'): void {
  writeFileSync(join(folder, 'tests', file), text);
}

/** Runs tests in one process, each in a suite of its name and with modules of its own: resolvers keep what was changed. */
function runTogether(texts: ReadonlyMap<string, string>) {
  const suites = [...texts].map(([name, text], at) => {
    const own = join(folder, `part${at}`);
    mkdirSync(join(own, 'tests'), { recursive: true });
    for (const module of ['books.resolvers.mjs', 'books.context.mjs'])
      copyFileSync(join(folder, module), join(own, module));
    writeFileSync(join(own, 'tests/part.mjs'), text);
    return `describe(${JSON.stringify(name)}, () => import('../part${at}/tests/part.mjs'));`;
  });
  save(`import { describe } from 'node:test';\n${suites.join('\n')}\n`, 'together.test.mjs');
  return runTests({}, 'together.test.mjs');
}

describe('a saved test', () => {
  test('of each call passes, and is the same each time', async () => {
    const texts = new Map<string, string>();
    for (const [name, coordinate, call] of calls) {
      const text = printTest(await record(call, coordinate), schema, setup);
      expect(printTest(await record(call, coordinate), schema, setup)).toBe(text);
      texts.set(name, text);
    }
    const { status, stdout } = runTogether(texts);
    expect([status, stdout]).toEqual([0, expect.stringContaining(`# pass ${calls.length}`)]);
  });

  test('of null, of an error and of a call of the program fails when the answer differs', async () => {
    const texts = new Map<string, string>();
    for (const [name, coordinate, call] of calls.filter(([name]) => comparing.has(name))) {
      const recorded = await record(call, coordinate);
      const answer = recorded.answer?.replace(/[a-z](?=[^a-z]*$)/i, 'Q');
      expect(answer).not.toBe(recorded.answer);
      texts.set(name, printTest({ ...recorded, ...(answer === undefined ? {} : { answer }) }, schema, setup));
    }
    const { status, stdout } = runTogether(texts);
    expect([status, stdout]).toEqual([1, expect.stringMatching(`# pass 0\n# fail ${comparing.size}\n`)]);
  });

  test('reads credentials from the environment, and is skipped without them', async () => {
    const headers = { authorization: 'Bearer abcdefgh' };
    const recorded = await record(fetching('/api/secret', undefined, headers), 'Query.secret');
    const text = printTest(recorded, schema, setup);
    expect(text).not.toContain('abcdefgh');
    expect(text).toContain("'authorization': process.env.TEST_AUTHORIZATION,");
    save(text);
    expect(runTests().stdout).toContain('# SKIP set TEST_AUTHORIZATION');
    const { status, stdout } = runTests({ TEST_AUTHORIZATION: 'Bearer abcdefgh' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('# pass 1')]);
  });
});

test('a call that a test cannot repeat is rejected with a reason', async () => {
  const base = await record(fetching('/api/book?id=1'), 'Query.book');
  const redacted = { ...base, request: { ...base.request, url: '/api/book?id=1&token=[redacted]' } };
  const large = { ...base, request: { ...base.request, body: `${'x'.repeat(100)}…` } };
  for (const call of [{ ...base, coordinate: 'Subscription.bookAdded' }, redacted, large]) {
    expect(() => printTest(call, schema, setup)).toThrow();
  }
  const operation = { kind: 'query', name: 'book', access: 'read' } as const;
  const io = [{ node: 'book', direction: 'in', transport: 'http', operations: [operation] }] as const;
  expect(() => printTest(base, { ...schema, io }, setup)).toThrow();
});

test('a test of a project with a project file and named resolvers sets up the same server', async () => {
  const base = await record(fetching('/api/greeting'), 'Query.greeting');
  const topologies = ['api/books.gg', 'api/*.gg'];
  const text = printTest(base, schema, {
    topologies,
    folder: testFolderOf(topologies),
    resolvers: { path: 'api/books.resolvers.ts', isDefault: false },
    hasProject: true,
  });
  expect(text).toContain("import * as resolvers from '../books.resolvers.ts';");
  expect(text).toContain('const project = await loadConfig();');
  expect(text).toContain("  topologies: ['api/books.gg', 'api/*.gg'],");
});
