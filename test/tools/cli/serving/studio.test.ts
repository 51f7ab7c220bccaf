import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { CliIo } from '../../../../src/tools/cli/terminal/io.js';
import type { Call, StudioState, VersionList } from '../../../../src/tools/studio/protocol.js';
import { freePort } from '../../../free-port.js';
import { readerOf } from '../../studio/studios.js';
import { commit, initialize } from '../git-repository.js';
import { directoryWith, endServers, type RunResult, runCli } from '../stand-in-io.js';

interface Running {
  readonly origin: string;
  readonly directory: string;
  written(): string;
  save(file: string, text: string): void;
  state(): Promise<StudioState>;
  stop(): Promise<RunResult>;
}

const running: Running[] = [];
afterEach(() => endServers(running));

const hello = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";
const greeting = '(root)-[:PROCESS { id: ID! }]->(greeting { text: String! })\n';
const token = 'a token of the tests';

/** Runs `dev a.gg` on a free port, or other arguments, until it says where it is. */
async function start(
  files: Readonly<Record<string, string>> = { 'a.gg': hello },
  args: readonly string[] = ['dev', 'a.gg'],
  env: CliIo['env'] = {},
): Promise<Running> {
  const directory = directoryWith(files);
  let written = '';
  let ask = (): void => undefined;
  let done: Promise<RunResult> | undefined;
  const origin = await new Promise<string>((resolve, reject) => {
    const write = (text: string): void => {
      written += text;
      const found = /http:\/\/[^/\s]+(?=\/\S*graphql| will answer)/.exec(written)?.[0];
      if (found !== undefined) resolve(found);
    };
    const onStop: CliIo['onStop'] = (stop) => {
      ask = stop;
      return () => undefined;
    };
    const port = args.includes('--port') ? [] : ['--port', '0'];
    done = runCli([...args, ...port], { directory, env, stdout: write, stderr: write, onStop });
    done.then(({ code }) => reject(new Error(`it ended at once: ${code} ${written}`)), reject);
  });
  const started: Running = {
    origin,
    directory,
    written: () => written,
    save: (file, text) => writeFileSync(join(directory, file), text),
    state: async () => (await (await fetch(`${origin}/_gg/api/state`)).json()) as StudioState,
    stop: () => {
      ask();
      return done as Promise<RunResult>;
    },
  };
  running.push(started);
  return started;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status;

/** The status of a request with another `Host`, as DNS rebinding makes a browser send it. */
const statusAs = (host: string, url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });

describe('the studio of dev', () => {
  test('answers in front of the API on every host and engine', async () => {
    for (const host of ['node', 'express', 'fastify']) {
      for (const engine of ['beta', 'alpha']) {
        const args = ['dev', 'a.gg', '--host', host, '--engine', engine];
        const { origin, state, written } = await start(undefined, args);
        expect(written()).toContain(`Studio      ${origin}/_gg/\n`);
        const { api } = await state();
        expect(api?.schema.queries.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['hello', 'federationSnapshot']),
        );
        expect(await (await fetch(`${origin}/api/hello`)).json()).toEqual({ text: 'Hello' });
        const messages = await fetch(`${origin}/_gg/api/messages`);
        expect(messages.headers.get('content-type')).toBe('text/event-stream');
        await messages.body?.cancel();
        expect(await statusOf(`${origin}/_gg/api/nosuch`)).toBe(404);
        expect(await statusOf(`${origin}/_ggx`)).toBe(404);
        expect(await statusAs('evil.example', `${origin}/_gg/api/state`)).toBe(403);
        expect(await statusAs('evil.example', `${origin}/api/hello`)).toBe(403);
        expect(await statusAs('localhost', `${origin}/api/hello`)).toBe(200);
      }
    }
  });

  test('shows the served schema and its implementation: resolvers, channels and layers', async () => {
    const files = {
      'a.gg': `${hello}${greeting}(root)-[:PROCESS]->(tick: Record { count: Int! })\n(clock)-[:FORK]->(ticked: Event { count: Int!, at: String! })\n`,
      'a.resolvers.mjs': 'export default { Query: { greeting: () => ({ text: "Hi" }) } };\n',
      'a.channels.mjs':
        "export default [{ node: 'clock', direction: 'in', transport: 'test', subscribe: async function* () {} }];\n",
    };
    const { api } = await (await start(files)).state();
    expect(api?.answeredBy).toMatchObject({
      'Query.hello': 'the constants and races of the topology',
      'Query.greeting': 'the resolver in a.resolvers.mjs',
      'Subscription.ticked': 'the channel test of clock',
    });
    expect(api?.answeredBy['Query.tick']).toBeUndefined();
    expect(api?.schema.io?.map(({ node }) => node)).toEqual(['clock']);
  });

  test('updates after each save, and shows mistakes in modules, too', async () => {
    const { origin, save, state } = await start({
      'a.gg': greeting,
      'a.resolvers.mjs': 'export default { Query: { greeting: () => null } };\n',
    });
    const page = readerOf(await fetch(`${origin}/_gg/api/messages`));
    type State = Awaited<ReturnType<typeof state>>;
    // The drawing comes when its layout is computed.
    const apiOf = ({ api }: State) => ({ ...api, drawing: undefined });
    const before = apiOf(await state());
    // While a file is written, it may be read as an empty one.
    const changedTo = async (isWanted: (now: State) => boolean) => {
      for (;;) {
        expect((await page.next())?.kind).toBe('state');
        const now = await state();
        if (isWanted(now)) return now;
      }
    };
    const errorsOf = ({ findings }: State) => findings.filter(({ severity }) => severity === 'error');
    save('a.gg', '(root)-[');
    const broken = await changedTo(({ findings }) => findings.some(({ code }) => code === 'GG1001'));
    expect(apiOf(broken)).toEqual(before);
    save('a.gg', greeting + hello);
    const mended = await changedTo(({ changes }) => changes.some(({ coordinate }) => coordinate === 'Query.hello'));
    expect(errorsOf(mended)).toEqual([]);
    save('a.resolvers.mjs', 'export default { Query: { nosuch: () => null } };\n');
    const misfit = await changedTo((now) => errorsOf(now).length > 0);
    expect(errorsOf(misfit).map(({ span }) => span.file)).toEqual(['a.resolvers.mjs']);
    expect(apiOf(misfit)).toEqual(apiOf(mended));
    await page.leave();
  });

  test('writes a fix to its file, and the API follows', async () => {
    const { directory, origin, state } = await start({
      'a.gg': '(root)-[:PROCESS { id: Strng }]->(hello { text: String! })\n',
    });
    const { revision, findings } = await state();
    const finding = findings.findIndex(({ fix }) => fix !== undefined);
    const fix = () =>
      fetch(`${origin}/_gg/api/fix`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ revision, finding }),
      });
    expect((await fix()).status).toBe(204);
    expect(readFileSync(join(directory, 'a.gg'), 'utf8')).toContain('{ id: String }');
    await expect.poll(async () => (await state()).findings).toEqual([]);
    expect((await fix()).status).toBe(409);
  });

  test('lists commits beside saves, and replays calls at them with the resolvers that fit', async () => {
    const resolvers = (names: string) =>
      `const hi = () => ({ text: 'Hi' });\nexport default { Query: { ${names} } };\n`;
    const { origin, directory, save, state } = await start({
      'a.gg': greeting,
      'a.resolvers.mjs': resolvers('greeting: hi'),
    });
    initialize(directory);
    commit(directory, 'greets');
    const page = readerOf(await fetch(`${origin}/_gg/api/messages`));
    save('a.resolvers.mjs', resolvers('greeting: hi, other: hi'));
    save('a.gg', `${greeting}${greeting.replace('(root)-[:PROCESS {', "(root)-[:PROCESS { operation: 'other', ")}`);
    const names = async () => (await state()).api?.schema.queries.map(({ name }) => name);
    await expect.poll(names).toContain('other');
    for (const name of ['greeting', 'other']) await fetch(`${origin}/api/${name}?id=1`);
    const { versions } = (await (await fetch(`${origin}/_gg/api/versions`)).json()) as VersionList;
    expect(versions.map(({ kind, title }) => title ?? kind)).toEqual(['greets', 'save', 'save']);
    const answer = await fetch(`${origin}/_gg/api/replay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: versions[0]?.id }),
    });
    expect(await answer.json()).toMatchObject([
      { coordinate: 'Query.greeting', outcome: 'equal', statuses: { version: 200, now: 200 } },
      { coordinate: 'Query.other', outcome: 'fails', statuses: { version: 404, now: 200 } },
    ]);
    // A commit that git has lost.
    expect((await fetch(`${origin}/_gg/api/version?id=${'1'.repeat(40)}`)).status).toBe(409);
    await page.leave();
  });

  // A version may have a durable chain that the project of now has no database for.
  test.each([{ runs: { file: 'runs.sqlite' } }, {}])(
    'replays calls at versions with durable chains, and opens no database of runs: %j',
    async (server) => {
      const durable = `${greeting}
        (form: Input { text: String! })-[:FOLD { operation: 'sign', returns: Card! }]->(card { id: ID! })
        (card)-[:FOLD { operation: 'send', id: ID!, returns: Card!, chain: true, durable: true }]->(card)
      `;
      const { origin, directory, save, state } = await start({
        'a.gg': 'runs' in server ? durable : greeting,
        'a.resolvers.mjs': "export default { Query: { greeting: () => ({ text: 'Hi' }) } };",
        'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server }),
      });
      save('a.gg', durable);
      initialize(directory);
      commit(directory, 'durable');
      save('a.gg', greeting);
      const count = async () => (await state()).api?.schema.mutations.length;
      const page = readerOf(await fetch(`${origin}/_gg/api/messages`));
      await expect.poll(count).toBe(0);
      await fetch(`${origin}/api/greeting?id=1`);
      rmSync(join(directory, 'runs.sqlite'), { force: true });
      const { versions } = (await (await fetch(`${origin}/_gg/api/versions`)).json()) as VersionList;
      const answer = await fetch(`${origin}/_gg/api/replay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ version: versions.find(({ title }) => title === 'durable')?.id }),
      });
      expect(await answer.json()).toMatchObject([{ coordinate: 'Query.greeting', outcome: 'equal' }]);
      expect(existsSync(join(directory, 'runs.sqlite'))).toBe(false);
      await page.leave();
    },
  );

  test('shows the calls that dev --demo makes, until the server stops', async () => {
    const config = {
      sources: ['a.gg'],
      callers: { ada: { roles: ['guest'] } },
      server: { store: { file: 'a.sqlite' } },
    };
    const { origin, stop, directory } = await start(
      {
        'a.gg': greeting.replace('id: ID!', "name: String!, roles: ['guest']"),
        'gg-svc.config.json': JSON.stringify(config),
      },
      ['dev', '--demo'],
    );
    running.pop();
    const page = readerOf(await fetch(`${origin}/_gg/api/messages`));
    for (let message = await page.next(); message?.kind !== 'calls'; ) message = await page.next();
    const answer = await fetch(`${origin}/_gg/api/calls?coordinate=Query.greeting`);
    const [call] = (await answer.json()) as readonly Call[];
    const given = '{"name":"Ada Lovelace"}';
    expect(call).toMatchObject({ protocol: 'rest', status: 200, caller: 'ada', arguments: given });
    // Example calls change no database.
    expect(existsSync(join(directory, 'a.sqlite'))).toBe(false);
    const [result] = await Promise.all([stop(), page.leave()]);
    expect(result.code).toBe(0);
  });

  test('dev --demo reaches nothing of the project: no database, broker, Redis, resolvers and channels', async () => {
    const away = 'redis://127.0.0.1:1';
    const node = '(book { id: ID!, title: String! })\n(new_book: Input { title: String! })\n';
    const add = "(new_book)-[:FOLD { operation: 'addBook', returns: Book!, chain: true, durable: true }]->(book)\n";
    const topology = `${node}${add}(root)-[:PROCESS { id: ID! }]->(book)\n(book)-[:FORK]->(book_added { id: ID! })\n`;
    const note = (name: string) => `import { writeFileSync } from 'node:fs';\nwriteFileSync('${name}', '');\n`;
    const modules = {
      'b.resolvers.mjs': `${note('called')}export default {};`,
      'b.channels.mjs': `${note('opened')}export default [];`,
    };
    const server = {
      store: { file: 'b.sqlite' },
      runs: { file: 'runs.sqlite' },
      events: { broker: 'redis-streams', url: away },
      idempotency: { store: away },
      rateLimits: [{ limit: 1, per: '1h', by: 'address' }],
    };
    const named = { resolvers: './b.resolvers.mjs', channels: './b.channels.mjs' };
    for (const config of [{ server }, { server, ...named }]) {
      const files = { 'b.gg': topology, ...modules, 'gg-svc.config.json': JSON.stringify(config) };
      const started = await start(files, ['dev', 'b.gg', '--demo']);
      running.pop();
      const page = readerOf(await fetch(`${started.origin}/_gg/api/messages`));
      const callsOf = async () =>
        (await (await fetch(`${started.origin}/_gg/api/calls?coordinate=Mutation.addBook`)).json()) as readonly Call[];
      await expect.poll(async () => (await callsOf()).length, { timeout: 60_000 }).toBeGreaterThan(1);
      expect(new Set((await callsOf()).map(({ status }) => status))).toEqual(new Set([200]));
      const [{ code }] = await Promise.all([started.stop(), page.leave()]);
      expect([code, readdirSync(started.directory).sort()]).toEqual([0, Object.keys(files).sort()]);
      expect(started.written()).toContain('change no data of the project');
    }
  });

  test('ends its streams when the server stops', async () => {
    const { origin, stop } = await start();
    running.pop();
    const page = readerOf(await fetch(`${origin}/_gg/api/messages`));
    const [result, message] = await Promise.all([stop(), page.next()]);
    expect([result.code, message]).toEqual([0, undefined]);
  });

  test('works again after a restart on the same port', async () => {
    const args = ['dev', 'a.gg', '--port', String(await freePort())];
    const { origin, stop, state } = await start(undefined, args);
    running.pop();
    await state();
    await stop();
    const again = await start(undefined, args);
    expect(again.origin).toBe(origin);
    expect((await again.state()).api?.schema.queries.map(({ name }) => name)).toContain('hello');
  });

  test('is not affected by a second dev on the same port, which reports that the port is in use', async () => {
    const { origin } = await start();
    const directory = directoryWith({ 'a.gg': hello });
    const { code, stderr } = await runCli(['dev', 'a.gg', '--port', new URL(origin).port], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5003]')]);
    expect(await statusOf(`${origin}/_gg/api/state`)).toBe(200);
  });

  test('warns about paths of the API that it hides', async () => {
    const config = JSON.stringify({ sources: ['a.gg'], server: { endpoint: '/_gg/graphql' } });
    const route = "(root)-[:PROCESS { route: 'GET /_gg/hello' }]->(hello { text: 'Hello' })\n";
    const { state, written } = await start({ 'a.gg': route, 'gg-svc.config.json': config }, ['dev']);
    const { findings } = await state();
    const messages = ['/_gg/graphql', '/_gg/hello'].map(
      (path) => `The studio answers all paths below /_gg, so ${path} is not served.`,
    );
    expect(findings.map(({ code, message }) => [code, message])).toEqual(
      messages.map((message) => ['GG5062', message]),
    );
    for (const message of messages) expect(written()).toContain(`warning[GG5062] ${message}`);
  });
});

describe('the availability of the studio', () => {
  const cases: readonly [readonly string[], CliIo['env'], 200 | 303 | 404][] = [
    [['dev', 'a.gg'], {}, 200],
    [['dev', 'a.gg'], { GG_SVC_STUDIO_TOKEN: token }, 303],
    [['dev', 'a.gg'], { NODE_ENV: 'production' }, 404],
    [['dev', 'a.gg'], { NODE_ENV: 'production', GG_SVC_STUDIO_TOKEN: '' }, 404],
    [['dev', 'a.gg'], { NODE_ENV: 'production', GG_SVC_STUDIO_TOKEN: token }, 303],
    [['dev', 'a.gg', '--no-studio'], { GG_SVC_STUDIO_TOKEN: token }, 404],
    [['dev', 'a.gg', '--no-studio'], { GG_SVC_STUDIO_TOKEN: 'short' }, 404],
    [['dev', 'a.gg', '--bind', '0.0.0.0'], {}, 200],
    [['serve', 'a.gg'], { GG_SVC_STUDIO_TOKEN: token }, 404],
    [['serve', 'a.gg', '--studio'], { GG_SVC_STUDIO_TOKEN: token }, 303],
  ];

  test('depends on the command, the token and the environment', async () => {
    for (const [args, env, expected] of cases) {
      const { origin, written } = await start(undefined, args, env);
      const status = await statusOf(`${origin}/_gg`);
      expect([args, env, status === 308 ? 200 : status]).toEqual([args, env, expected]);
      expect(written().includes('  Studio  ')).toBe(expected !== 404);
    }
  });

  test('is an error if the token is missing or short', async () => {
    const directory = directoryWith({ 'a.gg': hello });
    const wrong: readonly [readonly string[], string, string][] = [
      [['serve', 'a.gg', '--studio'], '', 'GG5060'],
      [['serve', 'a.gg', '--studio'], 'fifteen letters', 'GG5061'],
      [['dev', 'a.gg'], 'fifteen letters', 'GG5061'],
    ];
    for (const [args, given, code] of wrong) {
      const env = { GG_SVC_STUDIO_TOKEN: given };
      const result = await runCli([...args, '--port', '0'], { directory, env });
      expect([given, result.code, result.stderr]).toEqual([given, 1, expect.stringContaining(`error[${code}]`)]);
      expect(result.stderr).not.toContain('fifteen letters');
    }
  });

  test('excludes fixes for servers that do not watch their files', async () => {
    const { origin } = await start(undefined, ['serve', 'a.gg', '--studio'], { GG_SVC_STUDIO_TOKEN: token });
    const signIn = await fetch(`${origin}/_gg/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ token }),
    });
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const response = await fetch(`${origin}/_gg/api/state`, { headers: { cookie } });
    expect(((await response.json()) as StudioState).canWrite).toBe(false);
  });
});
