import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../free-port.js';
import { until } from '../../runtime/server/http-server.js';
import { noSqlite } from '../../runtime/store/engines.js';
import { buildProgram, program } from './build-program.js';
import { directoryWith, repository } from './stand-in-io.js';

// What only a process of its own can show: pipes, signals, and the program as it is shipped.

const root = fileURLToPath(repository);
const topology = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";

beforeAll(buildProgram);

/** What a program is started with: a test runner may ask for colours, which is not for the program to hear. */
const { FORCE_COLOR: _force, NO_COLOR: _no, ...plainEnvironment } = process.env;

/** Runs a program to its end, which has to come soon. */
function execute(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): SpawnSyncReturns<string> {
  const env = { ...plainEnvironment, ...options.env };
  // The limit of a test cannot end what blocks it.
  return spawnSync(command, args, { ...options, env, encoding: 'utf8', timeout: 300_000 });
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts the server in a directory of its own, and waits until it says where it is. */
async function startServer(files: Readonly<Record<string, string>>): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, [program, 'serve', 'a.gg', '--port', '0'], {
    cwd: directoryWith(files),
    env: plainEnvironment,
  });
  children.push(child);
  let said = '';
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /http:\/\/[^/]+(?=\/graphql)/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`it ended at once: ${said}`)));
  });
  return { child, origin };
}

/** The exit code of a process, or the signal that ended it. */
function endOf(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
}

describe('the shipped program', () => {
  test.skipIf(noSqlite)('has --mock from the library, whose server knows its relations', () => {
    const cwd = fileURLToPath(new URL('docs/examples/clinic/', repository));
    const args = [program, 'test', '--mock', '--no-resolvers'];
    const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    expect(stdout).toMatch(/8 workflows passed, 0 failed/);
  });

  test('runs by its own name and finds its pages', () => {
    const { status, stdout } = execute(program, ['explain', 'GG3001'], {});
    expect(stdout).toContain('GG3001');
    expect(status).toBe(0);
  });

  test('checks the example', () => {
    const { status, stdout, stderr } = execute(process.execPath, [program, 'check', 'docs/examples/service.gg'], {
      cwd: root,
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^1 file checked, no findings — 2 queries, 1 mutation, /);
    expect(status).toBe(0);
  });

  test('reads standard input', () => {
    const run = (input: string) => execute(process.execPath, [program, 'check', '-'], { input });
    expect(run(topology).status).toBe(0);
    const broken = run('(a');
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain(' --> <stdin>:1:3');
  });

  test('caches compiled code in the cache folder of the user if Node.js supports it', () => {
    const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = plainEnvironment;
    const home = directoryWith({});
    const places = [
      [{ XDG_CACHE_HOME: home }, 'gg-svc'],
      [{ XDG_CACHE_HOME: '', LOCALAPPDATA: '', HOME: home }, '.cache/gg-svc'],
    ] as const;
    for (const [place, folder] of places) {
      spawnSync(process.execPath, [program, '--version'], { env: { ...env, ...place } });
      expect(existsSync(join(home, folder))).toBe('enableCompileCache' in nodeModule);
    }
  });

  test.each([
    ['is missing', { XDG_CACHE_HOME: join(root, 'no/such/folder') }],
    ['is a file', { XDG_CACHE_HOME: program }],
    ['is not known', { XDG_CACHE_HOME: '', LOCALAPPDATA: '', HOME: '' }],
  ])('runs without a cache where the folder %s', (_, env) => {
    const { status, stderr } = execute(process.execPath, [program, 'check', '-'], { env, input: topology });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test.each([
    ['export const hooks = { onRequest() {} };', 'hooks must be a list of objects.'],
    ['export const hooks = [{ onRequst() {} }];', 'Unknown hook: hooks[0].onRequst.'],
    ['export const authenticate = 7;', 'authenticate must be a function'],
  ])('reports a wrong export of a context module as its mistake: %s', (text, reason) => {
    const cwd = directoryWith({ 'a.gg': topology, 'a.context.mjs': text });
    const { status, stderr } = execute(process.execPath, [program, 'serve', 'a.gg', '--port', '0'], { cwd });
    expect([status, stderr]).toEqual([1, expect.stringContaining('error[GG5051]')]);
    expect(stderr).toContain(reason);
  });

  test('reports why a resolvers module cannot be loaded', () => {
    const cwd = directoryWith({ 'a.gg': topology, 'a.resolvers.mjs': 'export default {' });
    const { status, stderr } = execute(process.execPath, [program, 'serve', 'a.gg'], {
      cwd,
    });
    expect(stderr).toMatch(/^error\[GG5001\] .*a\.resolvers\.mjs cannot be loaded: SyntaxError: /);
    expect(status).toBe(1);
  });
});

describe('a package that is not installed', () => {
  // Looked for from a directory that does not exist, a package is not found, wherever the tests run.
  const hook = `export const resolve = (specifier, context, next) =>
    next(specifier, ['graphql-yoga', '@resvg/resvg-js'].includes(specifier) ? { ...context, parentURL: 'file:///nowhere/a.js' } : context);`;
  const register = `import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
  const without = ['--import', `data:text/javascript,${encodeURIComponent(register)}`, program];

  test('is GG5004 with the install command; other commands work without the package', () => {
    const cwd = directoryWith({ 'a.gg': topology });
    const run = (...args: string[]) => execute(process.execPath, [...without, ...args], { cwd });

    const { status, stdout, stderr } = run('serve', 'a.gg', '--port', '0');
    expect(stderr).toMatch(/^error\[GG5004\] The package graphql-yoga is not installed\.\n/);
    expect(stderr).toContain('hint: Install it: npm install graphql-yoga graphql\n');
    expect(stdout).toBe('');
    expect(status).toBe(1);

    expect(run('check', 'a.gg').status).toBe(0);
    expect(run('build', 'a.gg', '-o', 'out').status).toBe(0);

    const picture = run('graph', 'a.gg', '-o', 'a.png');
    expect(picture.stderr).toContain('hint: Install it: npm install @resvg/resvg-js\n');
    expect(picture.status).toBe(1);
    expect(run('graph', 'a.gg', '-o', 'a.svg').status).toBe(0);
  });
});

describe('pipes', () => {
  const manyMistakes = `${'(a { x: 1 y: 2 })\n'.repeat(90)}`;

  test('a reader that closes the pipe causes no error', () => {
    const cwd = directoryWith({ 'a.gg': manyMistakes });
    const { stderr, stdout } = execute(
      'sh',
      ['-c', `"${process.execPath}" "${program}" check a.gg -f json | head -c 10`],
      { cwd },
    );
    expect(stdout).toHaveLength(10);
    expect(stderr).toBe('');
  });

  test.skipIf(!existsSync('/dev/full')).each([
    ['standard output', '>/dev/full', 'error: Cannot write the output: ENOSPC: no space left on device, write.\n'],
    ['both streams', '>/dev/full 2>/dev/full', ''],
  ])('a full disk behind %s fails a command, without a stack, and ends no server', async (_, redirected, written) => {
    const cwd = directoryWith({ 'a.gg': topology });
    const start = `"${process.execPath}" "${program}"`;
    for (const args of ['types a.gg', '--help', 'check a.gg']) {
      const { status, stderr } = execute('sh', ['-c', `${start} ${args} ${redirected}`], { cwd });
      expect([args, status, stderr]).toEqual([args, 1, written]);
    }
    const port = await freePort();
    const server = spawn('sh', ['-c', `exec ${start} serve a.gg --port ${port} ${redirected}`], { cwd });
    children.push(server);
    const ask = () => fetch(`http://127.0.0.1:${port}/api/hello`).then(({ status }) => status);
    await expect.poll(() => ask().catch(() => 0), { timeout: 60_000 }).toBe(200);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(1);
  });

  test('a slow reader gets everything', () => {
    const cwd = directoryWith({ 'a.gg': manyMistakes });
    const { stdout } = execute(
      'sh',
      ['-c', `"${process.execPath}" "${program}" check a.gg -f sarif | (sleep 0.5; cat)`],
      { cwd },
    );
    expect(stdout.length).toBeGreaterThan(65_536);
    expect(JSON.parse(stdout).runs[0].results).toHaveLength(90);
  });
});

// A server that ends waits for its clients.
describe.concurrent('signals', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a server with exit code 0', async (signal) => {
    const { child, origin } = await startServer({ 'a.gg': topology });
    expect((await fetch(`${origin}/api/hello`)).status).toBe(200);
    child.kill(signal);
    expect(await endOf(child)).toBe(0);
  });

  test('timers of a resolvers module do not keep the process alive', async () => {
    const { child } = await startServer({
      'a.gg': topology,
      'a.resolvers.mjs': 'setInterval(() => {}, 1000); export default { Query: {} };',
    });
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(0);
  });

  test('a request in flight ends before the server does; a second signal does not wait', async () => {
    const resolvers = (answer: string) =>
      `export const Query = { hello: () => { console.error('asked'); return ${answer}; } };`;
    const asked = async (child: ChildProcess) => {
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      await until(() => said.includes('asked'));
    };
    const late = "new Promise((done) => setTimeout(done, 1000, { text: 'late' }))";
    const patient = await startServer({ 'a.gg': topology, 'a.resolvers.mjs': resolvers(late) });
    const patientAsked = asked(patient.child);
    const answer = fetch(`${patient.origin}/api/hello`).then((response) => response.json());
    await patientAsked;
    patient.child.kill('SIGTERM');
    const end = endOf(patient.child);
    expect(await answer).toEqual({ text: 'late' });
    expect(await end).toBe(0);

    const never = 'new Promise(() => {})';
    const hasty = await startServer({ 'a.gg': topology, 'a.resolvers.mjs': resolvers(never) });
    const hastyAsked = asked(hasty.child);
    const lost = fetch(`${hasty.origin}/api/hello`).catch(() => 'cut off');
    await hastyAsked;
    const hastyEnd = endOf(hasty.child);
    hasty.child.kill('SIGTERM');
    // The first signal has arrived when the server is no longer ready.
    const isReady = () =>
      fetch(`${hasty.origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (await isReady()) await new Promise((resolve) => setTimeout(resolve, 5));
    hasty.child.kill('SIGTERM');
    expect(await hastyEnd).toBe(143);
    expect(await lost).toBe('cut off');
  });

  test('an unhandled rejection is reported and does not end the server', async () => {
    const { child, origin } = await startServer({
      'a.gg': '(root)-[:PROCESS]->(hello { text: String! })',
      'a.resolvers.mjs': `export const Query = {
        hello: () => {
          void Promise.reject(new Error('too late'));
          return { text: 'hi' };
        },
      };`,
    });
    let complaints = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    for (let time = 0; time < 2; time++) {
      expect((await fetch(`${origin}/api/hello`)).status).toBe(200);
    }
    await until(() => complaints.split('the server continues. Error: too late').length === 3);
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(0);
  });
});
