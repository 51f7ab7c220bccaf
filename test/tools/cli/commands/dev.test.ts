import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { noSqlite } from '../../../runtime/store/engines.js';
import { directoryWith, endServers, type RunResult, runCli } from '../stand-in-io.js';

/** A mutation that publishes by hand; `told` sees what subscribers get. */
const publishing = {
  'a.gg': `(root)-[:PROCESS]->(hello { text: 'Hello' })
    (root)-[:FOLD { operation: 'touch', id: ID!, returns: String }]->(hello)
    (outside)-[:FORK]->(told { id: ID! })`,
  'a.resolvers.mjs': `export const Mutation = { touch: (_, { id }, context) => {
    context.publish('told', { id });
    return typeof context.own + typeof context.principal;
  } };`,
};

interface Developing {
  readonly directory: string;
  /** Everything that was written so far. */
  readonly written: () => string;
  readonly origin: string;
  readonly save: (file: string, text: string) => void;
  readonly remove: (file: string) => void;
  readonly answers: (path: string, expected: unknown) => Promise<void>;
  readonly says: (text: string | RegExp) => Promise<void>;
  readonly stop: () => Promise<RunResult>;
}

const running: Developing[] = [];
afterEach(() => endServers(running));

/** Runs a command that serves on a free port until it says where it is. */
async function develop(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  command = 'dev',
  env: Readonly<Record<string, string>> = {},
): Promise<Developing> {
  let ask = (): void => undefined;
  let written = '';
  const directory = directoryWith(files);
  let done: Promise<RunResult> | undefined;
  let ticks = 0;
  const origin = await new Promise<string>((resolve, reject) => {
    const write = (text: string): void => {
      written += text;
      const found = /http:\/\/[\d.:]+(?=\/graphql| will answer)/.exec(written)?.[0];
      if (found !== undefined) resolve(found);
    };
    done = runCli([command, ...args, '--port', '0'], {
      directory,
      env,
      stdout: write,
      stderr: write,
      clock: () => {
        ticks += 5;
        return ticks;
      },
      onStop: (stop) => {
        ask = stop;
        return () => undefined;
      },
    });
    done.then((result) => reject(new Error(`it ended at once: ${result.code} ${written}`)), reject);
  });
  const developing: Developing = {
    directory,
    written: () => written,
    origin,
    save: (file, text) => writeFileSync(join(directory, file), text),
    remove: (file) => rmSync(join(directory, file)),
    answers: (path, expected) => expect.poll(async () => (await fetch(origin + path)).json()).toEqual(expected),
    says: (text) => expect.poll(() => written).toMatch(text),
    stop: () => {
      ask();
      return done as Promise<RunResult>;
    },
  };
  running.push(developing);
  return developing;
}

const hello = (text: string): string => `(root)-[:PROCESS]->(hello { text: '${text}' })\n`;
const greeting = '(root)-[:PROCESS { id: ID! }]->(greeting { text: String! })\n';

describe('gg-svc dev', () => {
  test('prints the changed file and the build time', async () => {
    const { answers, save, says, written } = await develop({ 'a.gg': hello('one') }, ['a.gg']);
    expect(written()).toMatch(/^Serving a\.gg — 1 query, /);
    await answers('/api/hello', { text: 'one' });
    save('a.gg', hello('two'));
    await answers('/api/hello', { text: 'two' });
    await says('a.gg changed: rebuilt in 5 ms — 1 query, 0 mutations, 0 subscriptions, 0 unions, 2 types\n');
  });

  test.each(['<b>.gg', '<stdin>.gg', '&amp;.gg', '"q".gg', "it's.gg", '%3Cb%3E.gg', '#a b.gg', '~a;$b.gg'])(
    'serves and watches a file with the name %s',
    async (name) => {
      const { answers, save } = await develop({ [name]: hello('one') }, [name]);
      await answers('/api/hello', { text: 'one' });
      save(name, hello('two'));
      await answers('/api/hello', { text: 'two' });
    },
  );

  test('serves a topology at a URL, with no file to watch', async () => {
    const http = createServer((_request, response) => response.end(hello('far')));
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    const { port } = http.address() as AddressInfo;
    try {
      const { answers } = await develop({}, [`http://127.0.0.1:${port}/a.gg`]);
      await answers('/api/hello', { text: 'far' });
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });

  test('shows the error and serves the last working API', async () => {
    const { answers, save, says, written } = await develop({ 'a.gg': hello('one') }, ['a.gg']);
    save('a.gg', '(root)-[:PROCESS]->(hello { text: ');
    await says('a.gg changed: build failed after 5 ms. The last working API is still being served.\n');
    expect(written()).toContain('> 1 | (root)-[:PROCESS]->(hello { text:');
    await answers('/api/hello', { text: 'one' });
    save('a.gg', hello('three'));
    await answers('/api/hello', { text: 'three' });
  });

  test('waits for a change if the first topology has errors', async () => {
    const { answers, origin, save, says, written } = await develop({ 'a.gg': '(a' }, ['a.gg']);
    expect(written()).toContain('error[GG1001]');
    const answer = await fetch(`${origin}/api/hello`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    save('a.gg', '(b');
    await says('No API is served yet.');
    save('a.gg', hello('one'));
    await answers('/api/hello', { text: 'one' });
    await says('Serving a.gg — 1 query');
  });

  test('stops on request, whether or not an API is served', async () => {
    for (const text of [hello('one'), '(a']) {
      const { stop } = await develop({ 'a.gg': text }, ['a.gg']);
      running.pop();
      expect((await stop()).code).toBe(0);
    }
  });

  test('rebuilds for files that a glob gains or loses, and for no others', async () => {
    const { answers, save, remove, says, written } = await develop({ 'topologies/a.gg': hello('one') }, [
      'topologies/*.gg',
    ]);
    save('topologies/notes.txt', 'nothing');
    save('other.gg', '(a');
    save('topologies/b.gg', "(root)-[:PROCESS]->(there { text: 'b' })\n");
    await answers('/api/there', { text: 'b' });
    await says('topologies/b.gg added: rebuilt');
    remove('topologies/b.gg');
    await says('topologies/b.gg removed: rebuilt');
    expect(written()).not.toMatch(/notes|other/);
  });

  test('notices that a file is removed and restored', async () => {
    const { answers, save, remove, says } = await develop({ 'a.gg': hello('one') }, ['a.gg']);
    for (const word of ['two', 'three']) {
      remove('a.gg');
      await says(/a\.gg removed: build failed.*\n$/);
      await answers('/api/hello', { text: word === 'two' ? 'one' : 'two' });
      save('a.gg', hello(word));
      await answers('/api/hello', { text: word });
    }
    save('a.gg', hello('four'));
    await answers('/api/hello', { text: 'four' });
  });

  test('notices an imported file that is created', async () => {
    const { answers, save, written } = await develop({ 'a.gg': "import './b.gg'\n(c)" }, ['a.gg']);
    expect(written()).toContain('error[GG2001]');
    save('b.gg', hello('late'));
    await answers('/api/hello', { text: 'late' });
  });

  test('notices resolvers that are created next to the topology', async () => {
    const { answers, save, written } = await develop({ 'a.gg': greeting }, ['a.gg']);
    expect(written()).toContain('no resolvers');
    save('a.resolvers.mjs', "export const Query = { greeting: () => ({ text: 'Hi' }) };");
    await answers('/api/greeting?id=1', { text: 'Hi' });
  });

  test('reports that a changed project file needs a restart', async () => {
    const dev = await develop(
      {
        'package.json': '{}',
        'gg-svc.config.json': '{ "sources": ["a.gg"] }',
        'a.gg': '(root)-[:PROCESS]->(book { id: ID! })',
      },
      [],
    );
    dev.save('gg-svc.config.json', '{ "sources": ["b.gg"] }');
    await dev.says('gg-svc.config.json has changed: start the command again to use it.');
  });

  test('rejects standard input and invalid scalar types', async () => {
    const input = await runCli(['dev', '-']);
    expect([input.code, input.stderr]).toEqual([2, 'error: dev cannot watch standard input; pass a file.\n']);
    const types = await runCli(['dev', 'a.gg', '--scalar', 'DateTime']);
    expect([types.code, types.stderr]).toEqual([
      2,
      'error: --scalar must be a name and a type, such as DateTime=string, not DateTime.\n',
    ]);
  });
});

describe('generated files', () => {
  test('are types and artifacts, after each successful build', async () => {
    const scalar = '(date: Scalar)\n(root)-[:PROCESS]->(now { at: Date! })\n';
    const { directory, save, says, written } = await develop({ 'a.gg': scalar }, [
      'a.gg',
      '--types',
      'src/compiler/api.types.ts',
      '--scalar',
      'Date=string',
      '-o',
      'out',
      '--title',
      'Times',
    ]);
    const read = (file: string): string => readFileSync(join(directory, file), 'utf8');
    expect(written()).toContain('wrote out/openapi.json\n');
    expect(written()).toContain('wrote src/compiler/api.types.ts\n');
    expect(read('src/compiler/api.types.ts')).toContain('DateType = string;');
    expect(JSON.parse(read('out/openapi.json')).info.title).toBe('Times');
    const before = read('out/schema.graphql');
    save('a.gg', '(a');
    await says('build failed');
    expect(read('out/schema.graphql')).toBe(before);
    save('a.gg', hello('one'));
    await says('The topology has no custom scalar Date.');
    expect(read('out/schema.graphql')).toContain('hello: Hello');
  });

  test('are written while the resolvers do not fit the topology', async () => {
    const resolvers = "export const Query = { greeting: () => ({ text: 'Hi' }) };";
    const { answers, directory, save, says } = await develop({ 'a.gg': greeting, 'a.resolvers.mjs': resolvers }, [
      'a.gg',
      '-t',
      'a.types.ts',
      '-o',
      'out',
    ]);
    const read = (file: string): string => readFileSync(join(directory, file), 'utf8');
    save('a.gg', greeting.replaceAll('greeting', 'welcome'));
    await says('There is a resolver for Query.greeting, but the schema has no such field or type.');
    await says(/a\.gg changed: build failed[\s\S]*wrote a\.types\.ts\n/);
    expect(read('a.types.ts')).toContain('welcome');
    expect(read('out/schema.graphql')).toContain('welcome');
    await answers('/api/greeting?id=1', { text: 'Hi' });
  });

  test('that cannot be written are reported, and the API is still served', async () => {
    const { answers, written } = await develop({ 'a.gg': hello('one'), 'out/schema.graphql/x': '' }, [
      'a.gg',
      '-o',
      'out',
    ]);
    expect(written()).toContain('error[GG4006]');
    await answers('/api/hello', { text: 'one' });
  });
});

test('gg-svc dev reports many files that change at once in one line', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { directory, written } = await develop({ 'a.gg': hello('one') }, ['*.gg']);
  mkdirSync(join(directory, 'later'));
  // On a busy machine the changes may come in several intervals, so they are made until they come in one.
  let time = 0;
  const change = () => {
    time += 1;
    for (const name of names)
      writeFileSync(join(directory, `${name}.gg`), `(root)-[:PROCESS]->(x${name} { a: ${time} })\n`);
    return written();
  };
  await expect.poll(change, { interval: 1000 }).toMatch(/gg (?:added|changed) and 2 more files: rebuilt/);
});

test.skipIf(noSqlite)('context.store gives resolvers the database beside the context of a module', async () => {
  const { origin } = await develop(
    {
      'gg-svc.config.json': '{ "sources": ["a.gg"], "server": { "store": { "file": "data.sqlite" } } }',
      'a.gg': `(book: Stored { id: ID!, title: String! })
        (root)-[:FOLD { operation: 'countBooks', returns: Int! }]->(book)`,
      'a.resolvers.mjs': `export const Mutation = { countBooks: async (_, __, { store }) => {
        const database = await store();
        await database.insertInto('book').values({ id: '1', title: 'Emma' }).execute();
        return (await database.selectFrom('book').selectAll().execute()).length;
      } };`,
      'a.context.mjs': 'export default () => ({ own: 1 });',
    },
    [],
    'serve',
  );
  const answer = await fetch(`${origin}/api/countBooks`, { method: 'POST' });
  expect(await answer.json()).toBe(1);
});

test.skipIf(noSqlite)('dev and serve show the operations that neither the store nor a resolver serves', async () => {
  const files = {
    'gg-svc.config.json': '{ "sources": ["a.gg"], "server": { "store": { "file": "data.sqlite" } } }',
    'a.gg': `(book: Stored { id: ID! })
      (root)-[:PROCESS { operation: 'books', most: Int, returns: [Book!]! }]->(book)
      (root)-[:PROCESS { operation: 'some', most: Int, returns: [Book!]! }]->(book)`,
    'a.resolvers.mjs': 'export const Query = { some: () => [] };',
  };
  for (const command of ['dev', 'serve']) {
    const { written } = await develop(files, [], command);
    expect(written().match(/GG7002.*\n.*/g)).toEqual([expect.stringContaining('Query.books')]);
  }
});

describe('context.publish', () => {
  test.each([
    ['without a context module', {}, 'undefinedobject'],
    [
      'beside the context of a module',
      { 'a.context.mjs': 'export default async () => ({ own: 1 });' },
      'numberundefined',
    ],
    [
      'beside a context that all requests share',
      { 'a.context.mjs': 'const one = { own: 1 }; export default () => one;' },
      'numberundefined',
    ],
  ])('publishes an event under dev and serve %s', async (_, module, context) => {
    for (const command of ['dev', 'serve']) {
      const { origin } = await develop({ ...publishing, ...module }, ['a.gg'], command);
      const stream = await fetch(`${origin}/api/told`, { headers: { accept: 'text/event-stream' } });
      const answer = await fetch(`${origin}/api/touch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{ "id": "7" }',
      });
      expect(await answer.json()).toBe(context);
      let text = '';
      for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
        text += new TextDecoder().decode(chunk);
        if (text.includes('data: {')) break;
      }
      expect(text).toContain('data: {"id":"7"}');
    }
  });
});

describe('a topology with access in a project without authentication', () => {
  const guarded = {
    'a.gg': "(root)-[:PROCESS { roles: ['doctor'] }]->(visit { text: 'a visit' })",
    'package.json': '{}',
    'inner/readme': '',
  };

  test('is served by dev, which accepts the tokens of gg-svc token from any folder of the project', async () => {
    const { directory, origin, written, save, says } = await develop(guarded, ['a.gg']);
    expect(written()).toContain('TOKEN=$(gg-svc token --as ada)');
    const token = async (folder: string, ...args: string[]) => {
      const { stdout } = await runCli(['token', '--as', 'ada', ...args], { directory: folder });
      return { authorization: `Bearer ${stdout.trimEnd()}` };
    };
    const status = async (headers = {}) => (await fetch(`${origin}/api/visit`, { headers })).status;
    expect(await status()).toBe(401);
    expect(await status(await token(directory))).toBe(403);
    const doctor = await token(join(directory, 'inner'), '--role', 'doctor');
    expect(await status(doctor)).toBe(200);
    save('a.gg', `${guarded['a.gg']} (root)-[:PROCESS]->(hello { text: 'one' })`);
    await says('rebuilt');
    expect(await status(doctor)).toBe(200);
    expect(written().split('gg-svc token')).toHaveLength(2);
    expect(readFileSync(join(directory, '.gg-svc/.gitignore'), 'utf8')).toBe('*\n');
    expect(statSync(join(directory, '.gg-svc/dev-secret')).mode & 0o777).toBe(0o600);
    // `serve` never reads the secret.
    const { code, stderr } = await runCli(['serve', 'a.gg', '--port', '0'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5050]')]);
  });

  test('is an error of dev in production', async () => {
    const { directory, written } = await develop(guarded, ['a.gg'], 'dev', { NODE_ENV: 'production' });
    expect(written()).toContain('error[GG5050]');
    expect(existsSync(join(directory, '.gg-svc'))).toBe(false);
  });

  test.each([
    [
      'authenticates callers itself',
      { 'a.context.mjs': 'export const authenticate = () => ({ id: "ada", roles: ["doctor"] });' },
    ],
    ['has no access settings', { 'a.gg': "(root)-[:PROCESS]->(visit { text: 'a visit' })" }],
  ])('gets no secret of dev if it %s', async (_, files) => {
    const { directory, answers } = await develop({ ...guarded, ...files }, ['a.gg']);
    await answers('/api/visit', { text: 'a visit' });
    expect(existsSync(join(directory, '.gg-svc'))).toBe(false);
  });
});
