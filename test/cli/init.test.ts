import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.js';
import { createGqlServer } from '../../src/server/service.js';
import { directoryWith, repository, runCli } from './stand-in-io.js';

const files = [
  '.gitignore',
  'package.json',
  'service.gg',
  'service.resolvers.mjs',
  'service.types.ts',
  'tsconfig.json',
];

/** A fresh project in a directory of its own. */
async function freshProject(): Promise<string> {
  const directory = directoryWith();
  await runCli(['init', 'my-api'], { directory });
  return join(directory, 'my-api');
}

describe('gg-svc init', () => {
  test('makes a project and says what is in it and what comes next', async () => {
    const directory = directoryWith();
    const { code, stdout, stderr } = await runCli(['init', 'my-api'], { directory });
    expect(stdout).toBe(`my-api
├── service.gg             the topology: what the API is
├── service.resolvers.mjs  where the values come from; found by its name
├── service.types.ts       the types of both, made by gg-svc types
├── package.json           what to install, and the scripts
├── tsconfig.json          checks the resolvers against the types
└── .gitignore             what is made, not written

Next:
  cd my-api
  npm install
  npm run dev

Then open http://127.0.0.1:4000, and change service.gg.
`);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(readdirSync(join(directory, 'my-api')).sort()).toEqual(files);
  });

  test('makes a project about which there is nothing to say', async () => {
    const directory = await freshProject();
    const result = await runCli(['check', 'service.gg', '--max-warnings', '0'], { directory });
    expect(result.stdout).toMatch(/^1 file checked, no findings — 2 queries, 2 mutations, 1 subscription/);
    expect(result.stderr).toBe('');
  });

  test('makes a project that is formatted, builds, and whose types are up to date', async () => {
    const directory = await freshProject();
    expect((await runCli(['fmt', '--check'], { directory })).code).toBe(0);
    expect((await runCli(['build', 'service.gg', '-o', 'out'], { directory })).code).toBe(0);
    const types = await runCli(['types', 'service.gg', '-o', 'service.types.ts'], { directory });
    expect(types.stdout).toBe('service.types.ts is up to date\n');
  });

  test('makes resolvers that have the types of the topology', async () => {
    const directory = await freshProject();
    symlinkSync(fileURLToPath(new URL('node_modules', repository)), join(directory, 'node_modules'));
    const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', repository));
    const check = () => execFileSync(process.execPath, [tsc], { cwd: directory, encoding: 'utf8' });
    expect(check()).toBe('');
    const path = join(directory, 'service.resolvers.mjs');
    const wrong = readFileSync(path, 'utf8').replace('done: true }', "done: 'yes' }");
    rmSync(path);
    const other = directoryWith({ 'service.resolvers.mjs': wrong });
    symlinkSync(join(other, 'service.resolvers.mjs'), path);
    expect(check).toThrow();
  }, 30_000);

  test('makes an API that answers', async () => {
    const directory = await freshProject();
    const { default: resolvers } = await import(join(directory, 'service.resolvers.mjs'));
    const server = createGqlServer({ topologies: [join(directory, 'service.gg')], resolvers });
    const run = async (query: string) => (await server.executeOperation({ query })).data;
    const added = 'mutation { addTask(title: "Tea") { id title done } }';
    expect(await run(added)).toEqual({ addTask: { id: '2', title: 'Tea', done: false } });
    expect(await run('mutation { finishTask(id: "2") { done } }')).toEqual({ finishTask: { done: true } });
    expect(await run('mutation { finishTask(id: "9") { done } }')).toEqual({ finishTask: null });
    expect(await run('{ readTask(id: "1") { title } }')).toEqual({ readTask: { title: 'Look at the API' } });
    expect(await run('{ listTasks(done: true) { id } }')).toEqual({ listTasks: [{ id: '2' }] });
    expect(await run('{ listTasks { id } }')).toEqual({ listTasks: [{ id: '1' }, { id: '2' }] });
  });

  test('makes scripts that call commands which exist, and asks for versions that go together', async () => {
    const directory = await freshProject();
    const made = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const known = commands.map(({ usage }) => usage.split(' ')[0]);
    const called = Object.values<string>(made.scripts).flatMap((script) =>
      [...script.matchAll(/gg-svc (\w+)/g)].map(([, name]) => name),
    );
    expect(called.length).toBeGreaterThan(3);
    expect(known).toEqual(expect.arrayContaining(called));
    const own = JSON.parse(readFileSync(new URL('package.json', repository), 'utf8'));
    expect(made.dependencies['gg-svc']).toBe(`^${own.version}`);
    expect(made.dependencies['graphql-yoga']).toBe(own.peerDependencies['graphql-yoga']);
    expect(made.devDependencies.typescript).toBe(`^${own.devDependencies.typescript}`);
  });

  test.each([
    ['my-api', 'my-api'],
    ['My API (2)', 'my-api-2'],
    ['._x', 'x'],
    ['äöü', 'my-api'],
  ])('calls the package in %j %j', async (directoryName, name) => {
    const directory = directoryWith();
    await runCli(['init', directoryName], { directory });
    const made = JSON.parse(readFileSync(join(directory, directoryName, 'package.json'), 'utf8'));
    expect(made.name).toBe(name);
  });

  test('quotes a directory that a shell would take apart', async () => {
    const { stdout } = await runCli(['init', 'My API'], { directory: directoryWith() });
    expect(stdout).toContain("  cd 'My API'\n");
  });
});

describe('gg-svc init overwrites nothing', () => {
  test.each(['service.gg', 'service.resolvers.mjs', 'service.types.ts'])(
    'and makes nothing where there is a %s',
    async (name) => {
      const directory = directoryWith({ [name]: 'mine' });
      const { code, stdout, stderr } = await runCli(['init', '.'], { directory });
      expect(stderr).toContain(
        `${name} cannot be written: it is there already, and init overwrites nothing.`,
      );
      expect(stdout).toBe('');
      expect(code).toBe(1);
      expect(readdirSync(directory)).toEqual([name]);
      expect(readFileSync(join(directory, name), 'utf8')).toBe('mine');
    },
  );

  test('and leaves a package.json as it is, with other next steps', async () => {
    const directory = directoryWith({ 'package.json': '{}' });
    const { code, stdout } = await runCli(['init', '--yes'], { directory });
    expect(stdout).toContain('├── package.json           was there before; left as it is\n');
    expect(stdout).toContain('Next:\n  npm install gg-svc graphql graphql-yoga graphql-ws ws\n');
    expect(code).toBe(0);
    expect(readFileSync(join(directory, 'package.json'), 'utf8')).toBe('{}');
    expect(readdirSync(directory).sort()).toEqual(files);
  });

  test('and takes away what it made when something is in the way', async () => {
    const directory = directoryWith();
    // A link to nothing is not there for those who look, and still in the way of those who write.
    symlinkSync('nowhere', join(directory, 'tsconfig.json'));
    const { code, stderr } = await runCli(['init', '.'], { directory });
    expect(stderr).toContain('tsconfig.json cannot be written: file already exists.');
    expect(code).toBe(1);
    expect(readdirSync(directory)).toEqual(['tsconfig.json']);
  });

  test('and makes no directory in the place of a file', async () => {
    const directory = directoryWith({ api: 'a file' });
    const { code, stderr } = await runCli(['init', 'api/new'], { directory });
    expect(stderr).toContain('error[GG4006]');
    expect(code).toBe(1);
    expect(readdirSync(directory)).toEqual(['api']);
  });
});

describe('the one question', () => {
  test('is not asked when the answer is given', async () => {
    const ask = () => Promise.reject(new Error('nobody was to be asked'));
    for (const args of [
      ['init', 'a'],
      ['init', '--yes'],
    ]) {
      expect((await runCli(args, { directory: directoryWith(), ask })).code).toBe(0);
    }
  });

  test('is where the project shall be made', async () => {
    const directory = directoryWith();
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return ' here ';
    };
    await runCli(['init'], { directory, ask });
    expect(asked).toEqual(['Where shall the project be made? (.) ']);
    expect(readdirSync(join(directory, 'here')).sort()).toEqual(files);
  });

  test('may be answered with nothing, which is this directory', async () => {
    const directory = directoryWith();
    const { stdout } = await runCli(['init'], { directory, ask: async () => '' });
    expect(stdout).not.toContain('cd ');
    expect(readdirSync(directory).sort()).toEqual(files);
  });

  test('may be broken off, and nothing is made', async () => {
    const directory = directoryWith();
    mkdirSync(join(directory, 'sub'));
    const { code, stderr } = await runCli(['init'], { directory, ask: async () => undefined });
    expect(stderr).toBe('Nothing was made.\n');
    expect(code).toBe(1);
    expect(readdirSync(directory)).toEqual(['sub']);
  });
});
