import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../free-port.js';
import { buildProgram } from '../tools/cli/build-program.js';
import { directoryWith } from '../tools/cli/stand-in-io.js';
import { type Deployed, fileOf, patience, projectWith, serveProject, start } from './deployed.js';
import { codeBlocks } from './markdown.js';

// The manifests of the page on deployment, read by the programs that they are written for.

const page = 'docs/deployment.md';

/** The settings of the server in the block of the page that has a key. */
function settingsOnPage(key: string): object {
  const block = codeBlocks(readFileSync(page, 'utf8')).find(
    ({ language, text }) => language === 'json' && text.includes(`"${key}"`),
  );
  return JSON.parse(block?.text ?? '{}').server;
}

const files = {
  'shop.gg': `(root)-[:PROCESS { operation: 'server', returns: Server! }]->(server { pid: Int!, client: String! })
(new_book { title: String! })-[:FOLD { operation: 'addBook' }]->(book { title: String! })
(book)-[:FORK]->(book_added { title: String! })
`,
  'shop.resolvers.mjs': `export default {
  Query: { server: (_parent, _arguments, { address }) => ({ pid: process.pid, client: address }) },
  Mutation: { addBook: (_parent, { input }) => input },
};
`,
  'shop.context.mjs': 'export default (_request, { address }) => ({ address });\n',
  'gg-svc.config.json': JSON.stringify({
    sources: ['shop.gg'],
    server: { ...settingsOnPage('trustedProxies'), documents: true },
  }),
};

let project = '';
beforeAll(() => {
  buildProgram();
  project = projectWith(files, ['graphql', 'graphql-yoga', 'graphql-ws', 'ws']);
});

const pidOf = async (origin: string): Promise<number> => {
  const response = await fetch(`${origin}/api/server`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { pid: number }).pid;
};

const addBook = (origin: string, title: string) =>
  fetch(`${origin}/api/addBook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { title } }),
  });

describe('the unit of systemd', () => {
  test('is valid, and restricts the process', () => {
    const unit = fileOf(page, 'bookstore@.service');
    // The only program that has another place on this machine.
    const placed = unit.replace('/usr/bin/node', process.execPath);
    const folder = directoryWith({ 'bookstore@.service': placed });
    const verified = spawnSync('systemd-analyze', ['verify', './bookstore@.service'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(verified.stderr).toBe('');
    expect(verified.status).toBe(0);
    const security = ['security', '--offline=true', '--threshold=20', '--no-pager', './bookstore@.service'];
    const { status, stdout } = spawnSync('systemd-analyze', security, { cwd: folder, encoding: 'utf8' });
    expect(stdout).toMatch(/Overall exposure level for bookstore@\w+\.service: [01]\.\d OK/);
    expect(status).toBe(0);
  });
});

/** The proxies: how each is started on a port, in front of two others. */
const proxies = {
  async nginx(folder: string, port: number, upstream: readonly number[]): Promise<Deployed> {
    const api = fileOf(page, 'bookstore.conf')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('4001', String(upstream[0]))
      .replace('4002', String(upstream[1]));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    writeFileSync(join(folder, 'bookstore.conf'), api);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log stderr;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {}
      http {
        access_log off;
        ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
        include ${folder}/bookstore.conf;
      }`,
    );
    execFileSync('nginx', ['-t', '-q', '-e', 'stderr', '-c', join(folder, 'nginx.conf')], { stdio: 'pipe' });
    return start('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], folder);
  },
  async caddy(folder: string, port: number, upstream: readonly number[]): Promise<Deployed> {
    const text = fileOf(page, 'Caddyfile')
      .replace('api.example.com', `http://127.0.0.1:${port}`)
      .replace('4001', String(upstream[0]))
      .replace('4002', String(upstream[1]));
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${text}`);
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const run = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    execFileSync('caddy', ['validate', ...run.slice(1)], { env: { ...process.env, ...env }, stdio: 'pipe' });
    return start('caddy', run, folder, env);
  },
};

describe.each(['nginx', 'caddy'] as const)('two processes behind %s', (name) => {
  const servers: Deployed[] = [];
  const direct: string[] = [];
  let ports: number[] = [];
  let origin = '';

  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    servers.push(...(await Promise.all(ports.map((port) => serveProject(project, port)))));
    direct.push(...ports.map((port) => `http://127.0.0.1:${port}`));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    await proxies[name](directoryWith(), port, ports);
    const isReady = () =>
      fetch(`${origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(isReady, patience);
  });

  test('receive requests', async () => {
    const pids = new Set<number>();
    await expect.poll(async () => pids.add(await pidOf(origin)).size).toBe(2);
    expect([...pids].sort()).toEqual(servers.map(({ child }) => Number(child.pid)).sort());
  });

  // An event stream that is buffered would give its first event only when it ends, and this one does not end.
  test('an event stream passes while it is open', async () => {
    const abort = new AbortController();
    const stream = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { bookAdded { title } }' }),
      signal: abort.signal,
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const read = (async () => {
      while (!text.includes('Emma')) text += (await reader?.read())?.value ?? '';
    })();
    for (const each of direct) expect((await addBook(each, 'Emma')).status).toBe(200);
    await read;
    expect(text).toContain('{"data":{"bookAdded":{"title":"Emma"}}}');
    abort.abort();
  });

  test("the server knows the URL of the client's request", async () => {
    const collection = await (await fetch(`${origin}/collection.json`)).json();
    expect(JSON.stringify(collection)).toContain(`"${origin}"`);
    // A client cannot say it.
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '6.6.6.6' };
    const again = await (await fetch(`${origin}/collection.json`, { headers: forged })).text();
    expect(again).toContain(origin);
    expect(again).not.toContain('evil.example');
  });

  test.each(['127.0.0.1', '127.0.0.2'])(
    'the server knows the client %s, even with forged headers',
    async (localAddress) => {
      const forged = [
        {},
        { 'x-forwarded-for': '6.6.6.6' },
        { 'x-forwarded-for': '6.6.6.6, 127.0.0.9' },
        { forwarded: 'for=6.6.6.6' },
      ];
      for (const headers of forged) {
        const text = await new Promise<string>((done, fail) => {
          get(`${origin}/api/server`, { localAddress, headers }, (response) => {
            response.setEncoding('utf8').on('data', done);
          }).on('error', fail);
        });
        expect(JSON.parse(text)).toMatchObject({ client: localAddress });
      }
    },
  );

  test('a WebSocket connects', async () => {
    const client = createClient({
      url: origin.replace('http', 'ws').concat('/graphql'),
      webSocketImpl: WebSocket,
    });
    const events = client.iterate({ query: 'subscription { bookAdded { title } }' });
    const next = events.next();
    let event: unknown;
    next.then(({ value }) => {
      event = value;
    });
    // The time of the subscription is not known, so books are added until one is reported.
    await expect
      .poll(async () => {
        for (const each of direct) await addBook(each, 'Persuasion');
        return event;
      }, patience)
      .toEqual({ data: { bookAdded: { title: 'Persuasion' } } });
    await events.return?.();
    await client.dispose();
  });

  test('a rolling restart under 60 requests per second loses no request', async () => {
    const ends: unknown[] = [];
    let sent = 0;
    const pacer = setInterval(() => {
      sent += 1;
      // Changes are not sent again by a proxy once a process has got them, so they show what reading does not.
      const request = sent % 3 === 0 ? addBook(origin, 'Villette') : fetch(`${origin}/api/server`);
      request.then(
        async (response) => {
          await response.arrayBuffer();
          ends.push(response.status);
        },
        (error: unknown) => ends.push(error),
      );
    }, 1_000 / 60);
    for (const [at, server] of [...servers].entries()) {
      const before = sent;
      await expect.poll(() => sent, patience).toBeGreaterThan(before + 60);
      server.child.kill('SIGTERM');
      expect(await server.ended).toBe(0);
      servers[at] = await serveProject(project, ports[at] ?? 0);
      // The next process is stopped when this one serves again.
      const isReady = async () => (await fetch(`${direct[at]}/health/ready`).catch(() => undefined))?.ok;
      await expect.poll(isReady, patience).toBe(true);
    }
    const before = sent;
    await expect.poll(() => sent, patience).toBeGreaterThan(before + 60);
    clearInterval(pacer);
    await expect.poll(() => ends.length, patience).toBe(sent);
    expect(ends.filter((end) => end !== 200)).toEqual([]);
  });
});

describe('node:cluster', () => {
  const workers = availableParallelism();

  test('serves with a process for each processor, replaces one that crashes, and stops gracefully', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    writeFileSync(join(project, 'cluster.mjs'), fileOf(page, 'cluster.mjs'));
    const primary = start(process.execPath, ['cluster.mjs'], project, { PORT: String(port), HOST: '' });
    const banners = () => primary.said().split('Ctrl+C').length - 1;
    await expect.poll(banners).toBe(workers);
    const seen = new Set<number>();
    // A connection of its own for each request, because connections are spread.
    const ask = async () => seen.add(await pidOf(origin));
    await expect.poll(() => Promise.all([ask(), ask(), ask()]).then(() => seen.size)).toBe(workers);

    const [victim = 0] = seen;
    process.kill(victim, 'SIGKILL');
    await expect.poll(banners).toBe(workers + 1);
    expect(await pidOf(origin)).not.toBe(victim);

    primary.child.kill('SIGTERM');
    expect(await primary.ended).toBe(0);
    expect(primary.said().split('Stopped.').length - 1).toBe(workers);
  });

  test('does not replace processes that cannot start', async () => {
    const broken = projectWith({ ...files, 'shop.gg': '(a' }, ['graphql', 'graphql-yoga']);
    writeFileSync(join(broken, 'cluster.mjs'), fileOf(page, 'cluster.mjs'));
    const primary = start(process.execPath, ['cluster.mjs'], broken, { PORT: '0', HOST: '' });
    expect(await primary.ended).toBe(1);
    expect(primary.said().split('GG1001').length - 1).toBeLessThanOrEqual(workers);
  });
});
