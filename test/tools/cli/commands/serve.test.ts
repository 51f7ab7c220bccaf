import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import { createGqlServer, loadConfig } from '../../../../src/index.js';
import { type BannerFacts, renderBanner } from '../../../../src/tools/cli/serving/banner.js';
import type { CliIo } from '../../../../src/tools/cli/terminal/io.js';
import { freePort } from '../../../free-port.js';
import { audience, createIssuer, issuer } from '../../../runtime/auth/tokens.js';
import { directoryWith, endServers, type RunResult, runCli, stopAtOnce } from '../stand-in-io.js';

const topology = [
  "(root)-[:PROCESS { id: ID! }]->(read_user { id: ID! = '1', name: 'Ada' })",
  "(input_user { name: String })-[:FOLD]->(save_user { id: ID! = '1' })",
  '',
].join('\n');

const resolvers = "export default { Query: { readUser: (parent, { id }) => ({ id, name: 'Grace' }) } };\n";

interface Serving {
  readonly directory: string;
  /** Everything that was written so far. */
  readonly written: () => string;
  readonly origin: string;
  readonly banner: string;
  /** Asks the server to end, and waits for it. */
  readonly stop: () => Promise<RunResult>;
}

const running: Serving[] = [];
afterEach(() => endServers(running));

/** Runs `gg-svc serve` on a free port until it says where it is. */
function serve(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Serving> {
  return serveWith({}, files, ...args);
}

/** The same in other surroundings. */
async function serveWith(
  io: Partial<CliIo>,
  files: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Serving> {
  let ask = (): void => undefined;
  let banner = '';
  let written = '';
  const directory = directoryWith(files);
  let done: Promise<RunResult> | undefined;
  await new Promise<void>((resolve, reject) => {
    done = runCli(['serve', ...args, '--port', '0'], {
      ...io,
      directory,
      stdout: (text) => {
        banner += text;
        written += text;
        resolve();
      },
      ...(args.includes('--watch')
        ? {
            stderr: (text) => {
              written += text;
            },
          }
        : {}),
      onStop: (stop) => {
        ask = stop;
        return () => undefined;
      },
    });
    done.then((result) => reject(new Error(`it ended at once: ${result.stderr}`)), reject);
  });
  const serving = {
    origin: /http:\/\/[^/]+/.exec(banner)?.[0] ?? '',
    banner,
    directory,
    written: () => written,
    stop: () => {
      ask();
      return done as Promise<RunResult>;
    },
  };
  running.push(serving);
  return serving;
}

async function readJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

/** Reads a user over REST and over GraphQL. */
async function expectAda(origin: string): Promise<void> {
  expect(await readJson(`${origin}/api/readUser?id=7`)).toEqual({ id: '1', name: 'Ada' });
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ readUser(id: "7") { name } }' }),
  });
  expect(await answer.json()).toEqual({ data: { readUser: { name: 'Ada' } } });
}

describe('gg-svc serve', () => {
  test('answers REST, GraphQL and the documents at the printed addresses', async () => {
    const { origin, banner } = await serve({ 'a.gg': topology }, 'a.gg');
    expect(banner).toMatch(/^Serving a\.gg — 1 query, 1 mutation, /);
    await expectAda(origin);
    for (const path of ['/openapi.json', '/collection.json', '/schema.graphql']) {
      expect(banner).toContain(`${origin}${path}`);
      expect((await fetch(origin + path)).status).toBe(200);
    }
  });

  test('prints a command that can be pasted', async () => {
    const { origin, banner } = await serve({ 'a.gg': topology }, 'a.gg');
    const url = /curl '([^']+)'/.exec(banner)?.[1] ?? '';
    expect(url).toBe(`${origin}/api/readUser?id=1`);
    expect((await fetch(url)).status).toBe(200);
  });

  test('exits with 0 after a signal', async () => {
    const { stop } = await serve({ 'a.gg': topology }, 'a.gg');
    running.pop();
    const { code, stderr } = await stopAtOnce(stop);
    expect(code).toBe(0);
    expect(stderr).toBe('');
  });

  test('prints warnings and still serves', async () => {
    const { stop } = await serve({ 'a.gg': "(root)-[:PROCESS]->(hello { text: 'String!' })\n" }, 'a.gg');
    running.pop();
    const { code, stderr } = await stopAtOnce(stop);
    expect(stderr).toContain('warning[GG2009]');
    expect(code).toBe(0);
  });

  test('writes the collection for --base-url', async () => {
    const { origin } = await serve({ 'a.gg': topology }, 'a.gg', '--base-url', 'https://api.example.com');
    expect(JSON.stringify(await readJson(`${origin}/collection.json`))).toContain('https://api.example.com');
  });
});

describe('engines and hosts', () => {
  const all = ['alpha', 'beta'].flatMap((engine) =>
    ['express', 'fastify', 'node'].map((host) => [engine, host] as const),
  );

  test('each engine on each host answers GraphQL and REST, and shuts down', async () => {
    const started = all.map(async ([engine, host]) => {
      const args = ['a.gg', '--engine', engine, '--host', host];
      const { origin, stop } = await serve({ 'a.gg': topology }, ...args);
      const read = await readJson(`${origin}/api/readUser?id=7`);
      const answer = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'mutation { saveUser(input: { name: "Ada" }) { id } }' }),
      });
      return [engine, host, read, await answer.json(), (await stop()).code];
    });
    const right = [{ id: '1', name: 'Ada' }, { data: { saveUser: { id: '1' } } }, 0];
    expect(await Promise.all(started)).toEqual(all.map((names) => [...names, ...right]));
    running.splice(0);
  });

  test.each(all)('%s on %s creates no fetch Request, like the library', async (engine, host) => {
    const { origin } = await serve({ 'a.gg': topology }, 'a.gg', '--engine', engine, '--host', host);
    // The engine sees each operation once before it is known.
    await expectAda(origin);
    await expectAda(origin);
    const made = vi.fn();
    vi.stubGlobal(
      'Request',
      class extends Request {
        constructor(...args: ConstructorParameters<typeof Request>) {
          made(args[0]);
          super(...args);
        }
      },
    );
    try {
      await expectAda(origin);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(made).not.toHaveBeenCalled();
  });

  test('rejects unknown engines and hosts, and suggests --bind for an address', async () => {
    const engine = await runCli(['serve', 'a.gg', '--engine', 'gamma']);
    expect([engine.code, engine.stderr]).toEqual([2, 'error: --engine must be one of beta, alpha, not gamma.\n']);
    const host = await runCli(['serve', 'a.gg', '--host', '0.0.0.0']);
    expect(host.code).toBe(2);
    expect(host.stderr).toContain('Use --bind for an address.');
  });
});

describe('--watch', () => {
  test('serves each saved version, and the last working API while the source has errors', async () => {
    const hello = (text: string): string => `(root)-[:PROCESS]->(hello { text: '${text}' })\n`;
    const files = { 'a.gg': "import './b.gg'\n", 'b.gg': hello('one') };
    const { origin, directory, written } = await serve(files, 'a.gg', '--watch');
    const text = async () => ((await readJson(`${origin}/api/hello`)) as { text?: string }).text;
    expect(await text()).toBe('one');

    writeFileSync(join(directory, 'b.gg'), hello('two'));
    await expect.poll(() => text()).toBe('two');

    writeFileSync(join(directory, 'b.gg'), '(root)-[:PROCESS]->(hello { text: ');
    await expect.poll(() => written()).toContain('The last working API is still being served.');
    expect(written()).toContain('b.gg:1:');
    expect(await text()).toBe('two');

    writeFileSync(join(directory, 'b.gg'), hello('three'));
    await expect.poll(() => text()).toBe('three');
  });

  test('reports an internal error during a rebuild, and builds the next change', async () => {
    let isBroken = false;
    const clock = (): number => {
      if (!isBroken) return 0;
      isBroken = false;
      throw new Error('invariant: the clock stands');
    };
    const hello = (text: string): string => `(root)-[:PROCESS]->(hello { text: '${text}' })\n`;
    const { origin, directory, written } = await serveWith({ clock }, { 'a.gg': hello('one') }, 'a.gg', '--watch');
    const text = async () => ((await readJson(`${origin}/api/hello`)) as { text?: string }).text;
    isBroken = true;
    writeFileSync(join(directory, 'a.gg'), hello('two'));
    await expect.poll(() => written()).toContain('invariant: the clock stands');
    expect(await text()).toBe('one');
    writeFileSync(join(directory, 'a.gg'), hello('three'));
    await expect.poll(() => text()).toBe('three');
  });

  test('loads changed resolvers again', async () => {
    const values = (name: string): string =>
      `export default { Query: { readUser: (parent, { id }) => ({ id, name: '${name}' }) } };\n`;
    const files = { 'a.gg': topology, 'a.resolvers.mjs': values('Grace') };
    const { origin, directory } = await serve(files, 'a.gg', '--watch', '--engine', 'alpha');
    const user = () => readJson(`${origin}/api/readUser?id=7`);
    expect(await user()).toEqual({ id: '7', name: 'Grace' });
    writeFileSync(join(directory, 'a.resolvers.mjs'), values('Mary'));
    await expect.poll(() => user()).toEqual({ id: '7', name: 'Mary' });
  });
});

describe('resolvers', () => {
  test.each(['a.resolvers.mjs', 'a.resolvers.js'])('in %s beside a.gg are found', async (file) => {
    const files = { 'a.gg': topology, [file]: resolvers, 'package.json': '{ "type": "module" }' };
    const { origin, banner } = await serve(files, 'a.gg');
    expect(banner).toContain(`resolvers from ${file} (found next to the topology`);
    expect(await readJson(`${origin}/api/readUser?id=7`)).toEqual({ id: '7', name: 'Grace' });
  });

  test('next to the topology are ignored with --no-resolvers', async () => {
    const { origin, banner } = await serve(
      { 'a.gg': topology, 'a.resolvers.mjs': resolvers },
      'a.gg',
      '--no-resolvers',
    );
    expect(banner).toContain('no resolvers');
    expect(await readJson(`${origin}/api/readUser?id=7`)).toEqual({ id: '1', name: 'Ada' });
  });

  test('may be named, and may be separate exports beside other exports', async () => {
    const source = `export const Query = { readUser: () => ({ id: '9', name: 'Mary' }) };
                    export function helper() {}`;
    const { origin, banner } = await serve({ 'a.gg': topology, 'api.mjs': source }, 'a.gg', '--resolvers', 'api.mjs');
    expect(banner).toContain('resolvers from api.mjs\n');
    expect(await readJson(`${origin}/api/readUser?id=7`)).toEqual({ id: '9', name: 'Mary' });
  });

  test.each([
    ['is not there', undefined, 'the file does not exist'],
    ['does not parse', 'export default {', ''],
    ['throws', "throw new Error('no database.')", 'cannot be loaded: no database.\n'],
    ['throws a text', "throw 'no luck'", 'cannot be loaded: no luck.\n'],
    ['exports a function', 'export default () => {}', 'it must export an object'],
    ['exports a list', 'export default []', 'it must export an object'],
    ['exports nothing', '', 'it exports no resolvers'],
    [
      'exports functions by their names',
      'export const readUser = () => null',
      'it exports the function readUser, but no object Query, Mutation or Subscription with such functions',
    ],
    [
      'exports Query twice in two ways',
      'export default { Query: {} }; export const Query = {}; export const Mutation = {}',
      'it has a default export, so its export Mutation has no effect; put it into the default export',
    ],
    [
      'imports a missing file',
      "import 'node:fs';\nimport { db } from './lib/db.mjs';\nexport default { Query: { readUser: db } };",
      'cannot be loaded: it imports lib/db.mjs, which does not exist (api.mjs, line 2).\n',
    ],
    [
      'imports a missing package',
      "import pg from '@example/nothing/pool';\nexport default { Query: { readUser: pg } };",
      'cannot be loaded: it imports the package @example/nothing, which is not installed (api.mjs, line 1).\n',
    ],
  ])('in a module that %s give GG5001', async (_, source, reason) => {
    const files = { 'a.gg': topology, ...(source === undefined ? {} : { 'api.mjs': source }) };
    const { code, stdout, stderr } = await runCli(['serve', 'a.gg', '-r', 'api.mjs', '-p', '0'], {
      directory: directoryWith(files),
    });
    expect(stderr).toMatch(/^error\[GG5001\] The resolvers in api\.mjs cannot be loaded: /);
    expect(stderr).toContain(reason);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test.each([
    ['./db.mjs', 'Create the file, or correct the import. The path is relative to the importing file.'],
    ['nothing-of-this-name', 'Install it: npm install nothing-of-this-name'],
  ])('that import the missing %s give advice', async (specifier, hint) => {
    const source = `import '${specifier}'; export default { Query: {} };`;
    const { stderr } = await runCli(['serve', 'a.gg', '-p', '0'], {
      directory: directoryWith({ 'a.gg': topology, 'a.resolvers.mjs': source }),
    });
    expect(stderr).toContain(`hint: ${hint}\n`);
    expect(stderr.match(/GG5001/g)).toHaveLength(1);
  });

  test('that are not grouped by type are GG5002 with the type', async () => {
    const source = 'export default { readUser: () => null };';
    const { stderr } = await runCli(['serve', 'a.gg', '-p', '0'], {
      directory: directoryWith({ 'a.gg': topology, 'a.resolvers.mjs': source }),
    });
    expect(stderr).toMatch(/^error\[GG5002\] There is a resolver for readUser, /);
    expect(stderr).toContain('Did you mean Query.readUser?');
  });

  test('for unknown fields are GG5002 with their file', async () => {
    const source = 'export default { Query: { readUsr: () => null } };';
    const { code, stderr } = await runCli(['serve', 'a.gg', '-p', '0'], {
      directory: directoryWith({ 'a.gg': topology, 'a.resolvers.mjs': source }),
    });
    expect(stderr).toMatch(/^error\[GG5002\] There is a resolver for Query\.readUsr/);
    expect(stderr).toContain(' --> a.resolvers.mjs\n');
    expect(stderr).toContain('Did you mean Query.readUser?');
    expect(code).toBe(1);
  });
});

describe('gg-svc serve fails for', () => {
  test('a topology with errors', async () => {
    const { code, stdout, stderr } = await runCli(['serve', 'a.gg', '-p', '0'], {
      directory: directoryWith({ 'a.gg': '(a' }),
    });
    expect(stderr).toContain('error[GG1001]');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('a missing file', async () => {
    const { code, stderr } = await runCli(['serve', 'none.gg'], { directory: directoryWith() });
    expect(stderr).toContain('error[GG4001]');
    expect(code).toBe(1);
  });

  test('a port in use (GG5003)', async () => {
    const taken = await new Promise<Server>((resolve) => {
      const server = createServer();
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
    const { port } = taken.address() as AddressInfo;
    const { code, stdout, stderr } = await runCli(['serve', 'a.gg', '--port', String(port)], {
      directory: directoryWith({ 'a.gg': topology }),
    });
    taken.close();
    expect(stderr).toContain(
      `error[GG5003] Cannot listen on port ${port}: address already in use.\n --> 127.0.0.1:${port}\n`,
    );
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('an unknown host (GG5003)', async () => {
    const { code, stderr } = await runCli(['serve', 'a.gg', '--port', '0', '--bind', 'no.such.host.invalid'], {
      directory: directoryWith({ 'a.gg': topology }),
    });
    expect(stderr).toContain('error[GG5003]');
    expect(code).toBe(1);
  });
});

// Each server serves for another second when it ends.
describe.concurrent('PORT and HOST', () => {
  const file = (server: object) => ({
    'a.gg': topology,
    'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server }),
  });

  /** Where the server of a command line listens; it is stopped at once. */
  async function originOf(
    command: string,
    env: CliIo['env'],
    files: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<string> {
    const { stdout } = await runCli([command, ...args], {
      env,
      directory: directoryWith(files),
      onStop: (stop) => {
        setImmediate(stop);
        return () => undefined;
      },
    });
    return /http:\/\/[^/]+/.exec(stdout)?.[0] ?? stdout;
  }

  test.each(['serve', 'dev'])(
    'set the address of %s; options override them, and they override the project file',
    async (command) => {
      const HOST = '127.0.0.2';
      const [option, setting] = [await freePort(), await freePort()];
      const [one, two, three] = [await freePort(), await freePort(), await freePort()].map(String);
      const settings = file({ port: setting, bind: '127.0.0.3' });
      const options = ['--port', String(option), '--bind', '127.0.0.4'];
      const origins = await Promise.all([
        originOf(command, { PORT: one, HOST }, settings, ...options),
        originOf(command, { PORT: one, HOST }, settings),
        originOf(command, { PORT: '', HOST: '' }, settings),
        originOf(command, { PORT: two, HOST }, { 'a.gg': topology }, 'a.gg'),
        originOf(command, { PORT: three }, settings),
      ]);
      expect(origins).toEqual([
        `http://127.0.0.4:${option}`,
        `http://127.0.0.2:${one}`,
        `http://127.0.0.3:${setting}`,
        `http://127.0.0.2:${two}`,
        `http://127.0.0.3:${three}`,
      ]);
    },
  );

  test.each([
    ['PORT', ['abc', '-1', '65536', '4000.5', ' 4000', '0x50'], 'an integer from 0 to 65535'],
    [
      'HOST',
      ['http://0.0.0.0', '0.0.0.0:8080', '[::1]', ' 0.0.0.0', '*', 'a b', '-a'],
      'an IP address or the name of a host, such as 0.0.0.0',
    ],
  ])('%s with an invalid value is an error that names the variable', async (name, values, expected) => {
    const directory = directoryWith({ 'a.gg': topology });
    const check = async (value: string) => {
      const env = { [name]: value };
      for (const command of ['serve', 'dev']) {
        const { code, stdout, stderr } = await runCli([command, 'a.gg'], { directory, env });
        expect(stderr).toBe(`error: The environment variable ${name} must be ${expected}, not ${value}.\n`);
        expect(stdout).toBe('');
        expect(code).toBe(2);
      }
      // A value that is not used does not matter.
      const options = ['--port', '0', '--bind', '127.0.0.1'];
      expect(await originOf('serve', env, { 'a.gg': topology }, 'a.gg', ...options)).toMatch(/^http:/);
      expect((await runCli(['check', 'a.gg'], { directory, env })).code).toBe(0);
    };
    await Promise.all(values.map(check));
  });

  test.each(['0.0.0.0', '127.1', 'localhost'])('HOST may be %s', async (HOST) => {
    const origin = await originOf('serve', { HOST, PORT: '0' }, { 'a.gg': topology }, 'a.gg');
    expect(origin).toMatch(/^http:\/\/(localhost|127\.1):\d+$/);
  });
});

describe('the context module', () => {
  const source = "(root)-[:PROCESS { auth: 'required' }]->(whoami: Record { id: String, tenant: String })";
  const resolvers = 'export const Query = { whoami: (_parent, _args, context) => context };';
  const authenticate =
    "export const authenticate = ({ header }) => header('x-user') ? { id: header('x-user') } : null;";
  const context = `export default (request, { principal }) => ({ id: principal.id, tenant: new URL(request.url).host });\n${authenticate}`;
  const headers = { 'x-user': 'ada' };
  const files = { 'a.gg': source, 'a.resolvers.mjs': resolvers };

  test.each(['a.context.mjs', 'a.context.js'])('%s beside a.gg is found', async (name) => {
    const { origin, banner } = await serve({ ...files, [name]: context, 'package.json': '{"type":"module"}' }, 'a.gg');
    expect(banner).toContain(`context from ${name} (found next to the topology; --no-context ignores it)`);
    expect((await fetch(`${origin}/api/whoami`)).status).toBe(401);
    const answer = await fetch(`${origin}/api/whoami`, { headers });
    expect(await answer.json()).toEqual({ id: 'ada', tenant: new URL(origin).host });
  });

  test('may be named by --context or the project file, with the schemes of server.auth', async () => {
    const project = {
      server: {
        context: 'lib/who.mjs',
        auth: {
          apiKeys: {
            header: 'X-Key',
            keys: [{ id: 'ada', sha256: createHash('sha256').update('k').digest('hex') }],
          },
        },
      },
    };
    const named = {
      ...files,
      'lib/who.mjs': context.replace(authenticate, ''),
      'gg-svc.config.json': JSON.stringify(project),
    };
    const { origin } = await serve(named, 'a.gg');
    const refused = await fetch(`${origin}/api/whoami`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'ApiKey header="X-Key"']);
    const answer = await fetch(`${origin}/api/whoami`, { headers: { 'x-key': 'k' } });
    expect(await answer.json()).toMatchObject({ id: 'ada' });
    const openapi = await readJson(`${origin}/openapi.json`);
    expect(JSON.stringify(openapi)).toContain('"name":"X-Key"');
    const other = await serve({ ...files, 'who.mjs': context }, 'a.gg', '--context', 'who.mjs');
    expect((await fetch(`${other.origin}/api/whoami`, { headers })).status).toBe(200);
  });

  test('is loaded again by --watch when it changes or appears', async () => {
    const open = { 'a.gg': source.replace('required', 'optional'), 'a.resolvers.mjs': resolvers };
    const first = authenticate.replace("header('x-user') ?", 'false ?');
    const { directory, origin, written } = await serve({ ...open, 'a.context.mjs': first }, 'a.gg', '--watch');
    expect(await readJson(`${origin}/api/whoami`)).toEqual({ id: null, tenant: null });
    writeFileSync(join(directory, 'a.context.mjs'), `export const context = () => ({ id: 'new' });\n${authenticate}`);
    await expect.poll(() => written()).toContain('rebuilt');
    expect(await readJson(`${origin}/api/whoami`)).toEqual({ id: 'new', tenant: null });
  });

  test.each([
    ['export const database = 1;', 'it exports no function, neither as default nor as context'],
    ['export default 7;', 'its default export must be a function'],
    ["export const context = 'x';", 'its export context must be a function'],
    [
      'export default () => 1; export const context = () => 2;',
      'it has a default export, so its export context has no effect',
    ],
    ['export const authenticate = 7;', 'authenticate must be a function'],
    ['export const hooks = [{ onEvnt: () => undefined }];', 'Unknown hook: hooks[0].onEvnt'],
    [
      'export const authenticate = () => null; export const guards = { Query: { whoami: true } };',
      'guards.Query.whoami must be a function',
    ],
    [
      'export const authenticate = () => null; export const guards = { Query: { whoam: () => 1 } };',
      'there is no such operation',
    ],
    ['throw new Error("no database");', 'cannot be used: no database.'],
    ['export default () => {', 'cannot be used: '],
  ])('that is invalid is GG5051: %s', async (text, reason) => {
    const directory = directoryWith({ ...files, 'a.context.mjs': text });
    const { code, stderr } = await runCli(['serve', 'a.gg', '--port', '0'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5051]')]);
    expect(stderr).toContain(reason);
  });

  test('and server.auth cannot both authenticate', async () => {
    const keys = [{ id: 'ada', sha256: '0'.repeat(64) }];
    const project = JSON.stringify({ server: { auth: { apiKeys: { keys } } } });
    const directory = directoryWith({ ...files, 'a.context.mjs': context, 'gg-svc.config.json': project });
    const { stderr } = await runCli(['serve', 'a.gg', '--port', '0'], { directory });
    expect(stderr).toContain('it exports authenticate, and the project file has server.auth');
  });

  test('is ignored with --no-context; a topology with access does not start then', async () => {
    const directory = directoryWith({ ...files, 'a.context.mjs': context });
    const { code, stderr } = await runCli(['serve', 'a.gg', '--port', '0', '--no-context'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5050]')]);
  });

  test.each([
    [{ jwt: { issuer: 'a', audience: 'b', jwks: 'none.json' } }, 'server.auth.jwt.jwks'],
    [{ jwt: { issuer: 'a', audience: 'b', jwks: 'bad.json' } }, 'server.auth.jwt.jwks'],
    [{ jwt: { issuer: 'a', audience: 'b', jwks: 'https://x/', algorithms: ['none'] } }, 'server.auth.jwt.algorithms'],
    [{ jwt: { issuer: 'a', jwks: 'https://x/' } }, 'server.auth.jwt'],
    [{ apiKeys: { keys: [{ id: 'a', sha256: 'plain' }] } }, 'server.auth.apiKeys.keys[0].sha256'],
  ])('server.auth %o is GG5042', async (auth, key) => {
    const project = JSON.stringify({ server: { auth } });
    const directory = directoryWith({ ...files, 'bad.json': '[]', 'gg-svc.config.json': project });
    const { code, stderr } = await runCli(['serve', 'a.gg', '--port', '0'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5042]')]);
    expect(stderr).toContain(`“${key}”`);
    expect(stderr).not.toContain('plain');
  });

  test('jwks may be the path of a key set', async () => {
    const { jwk, sign } = await createIssuer('one');
    const auth = { jwt: { issuer, audience, jwks: 'keys.json' } };
    const project = JSON.stringify({ server: { auth } });
    const named = { ...files, 'keys.json': JSON.stringify({ keys: [jwk] }), 'gg-svc.config.json': project };
    const { directory, origin } = await serve(named, 'a.gg');
    const authorization = `Bearer ${await sign()}`;
    expect((await fetch(`${origin}/api/whoami`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${origin}/api/whoami`)).status).toBe(401);
    const loaded = await loadConfig({ directory });
    expect(
      createGqlServer({ ...loaded?.serverOptions, topologies: [{ name: 'a.gg', source }] }).schema.security,
    ).toEqual([{ type: 'bearer', format: 'JWT' }]);
  });
});

describe('the client options of the project file', () => {
  const topology = { 'a.gg': "(root)-[:PROCESS]->(hello { text: 'x' })" };

  test.each([
    [{ trustedProxies: ['proxy.internal'] }, 'server.trustedProxies'],
    [{ cors: { origins: '*', credentials: true } }, 'server.cors.credentials'],
    [{ cors: { origins: ['app.example.com'] } }, 'server.cors.origins'],
    [{ rateLimits: [{ limit: 1, per: 'soon', by: 'address' }] }, 'server.rateLimits[0].per'],
    [{ rateLimits: [{ limit: 1, per: 1, by: 'address', operations: ['helo'] }] }, 'server.rateLimits[0].operations'],
    [{ idempotency: { ttl: '99d' } }, 'server.idempotency.ttl'],
  ])('%j is GG5042', async (server, key) => {
    const directory = directoryWith({ ...topology, 'gg-svc.config.json': JSON.stringify({ server }) });
    const { code, stderr } = await runCli(['serve', 'a.gg', '--port', '0'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5042]')]);
    expect(stderr).toContain(`“${key}”`);
  });

  test('take effect', async () => {
    const server = {
      trustedProxies: ['loopback'],
      cors: { origins: ['https://app.example.com'] },
      rateLimits: [{ limit: 1, per: '1h', by: 'address' }],
      idempotency: {},
    };
    const { origin } = await serve({ ...topology, 'gg-svc.config.json': JSON.stringify({ server }) }, 'a.gg');
    const from = (address: string) =>
      fetch(`${origin}/api/hello`, {
        headers: { origin: 'https://app.example.com', 'x-forwarded-for': address },
      });
    const answers = [await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.2')];
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200]);
    for (const { headers } of answers)
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });
});

describe('the banner', () => {
  const bannerOf = (source: string, facts: Partial<BannerFacts> = {}): string =>
    renderBanner({
      topologies: ['a.gg'],
      schema: compile(source).schema,
      origin: 'http://localhost:4000',
      resolvers: { found: false },
      context: { found: false },
      channels: { found: false },
      endpoint: '/graphql',
      mcpPath: undefined,
      hasStore: false,
      isMocked: false,
      hasStudio: false,
      hasDocuments: true,
      ...facts,
    });

  test.each<[string, Partial<BannerFacts>]>([
    ['no resolvers: constants are served, everything else answers NOT_IMPLEMENTED', {}],
    ['no resolvers: constants and the store are served, everything else answers NOT_IMPLEMENTED', { hasStore: true }],
    ['no resolvers: answers from example rows in memory, which the mock keeps', { isMocked: true }],
    [
      'resolvers from a.resolvers.mjs, and example rows in memory, which the mock keeps',
      { isMocked: true, resolvers: { path: 'a.resolvers.mjs', found: false } },
    ],
  ])('says “%s”', (line, facts) => {
    expect(bannerOf("(root)-[:PROCESS]->(hello { text: 'x' })", facts).split('\n')[1]).toBe(line);
  });

  test('lists only what is served', () => {
    const linesOf = (source: string, facts: Partial<BannerFacts> = {}) =>
      [...bannerOf(source, facts).matchAll(/^ {2}([A-Z]\w*) +http/gm)].map(([, name]) => name);
    const documents = ['OpenAPI', 'Collection', 'SDL'];
    const hello = "(root)-[:PROCESS]->(hello { text: 'x' })";
    expect(linesOf(hello)).toEqual(['GraphQL', 'REST', ...documents]);
    expect(linesOf(hello, { hasDocuments: false })).toEqual(['GraphQL', 'REST']);
    expect(linesOf('(a { id: ID! })')).toEqual(['GraphQL', ...documents]);
    expect(linesOf(hello, { mcpPath: '/mcp', hasStudio: true, hasDocuments: false })).toEqual([
      ...['Studio', 'GraphQL', 'REST', 'MCP'],
    ]);
    expect(bannerOf('(a { id: ID! })', { hasDocuments: false })).not.toContain('Try it');
  });

  function tryLineOf(source: string): string {
    const banner = bannerOf(source);
    return /Try it:\n {2}(.*)\n/.exec(banner)?.[1] ?? '';
  }

  test('calls the first query, with examples of its required arguments', () => {
    expect(tryLineOf("(root)-[:PROCESS { a: Int!, b: Int, c: Int! = 3, d: [String!]! }]->(hello { text: 'x' })")).toBe(
      "curl 'http://localhost:4000/api/hello?a=1&d=Example+d'",
    );
    expect(tryLineOf("(root)-[:PROCESS]->(hello { text: 'x' })")).toBe("curl 'http://localhost:4000/api/hello'");
  });

  test('calls a mutation if there is no query, quoted for a shell', () => {
    expect(tryLineOf("(it)-[:FOLD { text: String = 'it\\'s' }]->(save { id: ID! })")).toBe(
      `curl 'http://localhost:4000/api/save' -H 'content-type: application/json' -d '{"text":"it'\\''s"}'`,
    );
  });

  test('shows the schema if there are no operations', () => {
    expect(tryLineOf("(a { text: 'x' })-[:FORK]->(b)")).toBe("curl 'http://localhost:4000/schema.graphql'");
  });
});
