import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { openProxies, planAddresses } from '../../../../src/tools/cli/commands/drill/plan-addresses.js';
import { drillEnvironment, drilledProject } from '../../../../src/tools/cli/files/drilled-project.js';
import { DrillServer } from '../../../../src/tools/drill/server.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = `
  (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID! })
`;

function drill(server: object, ...args: string[]) {
  const directory = directoryWith({
    'a.gg': topology,
    'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server }),
  });
  return runCli(['drill', ...args], { directory });
}

const redis = 'redis://127.0.0.1:1';
const events = { broker: 'redis-streams', url: 'redis://production:6379' } as const;

describe('gg-svc drill', () => {
  test.each([
    ['a broker', { events }, [], 'server.events has'],
    ['a broker of another kind', { events }, ['--broker', 'nats://127.0.0.1:1'], 'server.events has'],
    ['a database', { store: { file: 'a.db' } }, ['--broker', redis], 'server.store has'],
    [
      'a Redis for keys',
      { idempotency: { store: redis } },
      ['--broker', 'nats://127.0.0.1:1'],
      'server.idempotency.store has',
    ],
  ])('uses no address of the project file for %s', async (_, server, args, message) => {
    const { code, stderr } = await drill(server, ...args);
    expect(stderr).toContain(`error[GG5067] ${message} an address that the command line does not name.`);
    expect(code).toBe(1);
  });

  test.each([{}, { events: { broker: 'memory' } }])('refuses events in memory: %j', async (server) => {
    const { code, stderr } = await drill(server);
    expect(stderr).toContain('error[GG5068]');
    expect(code).toBe(1);
  });

  test.each([
    ['kafka://me:secret@127.0.0.1', 'kafka://…@127.0.0.1: its scheme is none of a broker'],
    ['nonsense', 'nonsense: its scheme is none of a broker'],
    ['postgres://127.0.0.1/a?sslmode=require', 'a proxy cannot read TLS'],
    ['rediss://127.0.0.1', 'its scheme is none of a broker'],
  ])('refuses the broker %s', async (address, message) => {
    const { code, stderr } = await drill({}, '--broker', address);
    expect(stderr).toContain('error[GG5071] A drill cannot use ');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(code).toBe(1);
  });

  test('refuses a database that is not PostgreSQL', async () => {
    const server = { store: { urlFrom: 'DATABASE_URL' } };
    const { stderr } = await drill(server, '--broker', redis, '--database', 'nats://127.0.0.1');
    expect(stderr).toContain('GG5071');
    expect(stderr).toContain('it is not PostgreSQL');
  });

  test.each([
    [['--database', 'a.db'], '--database needs stored nodes: the project file has no “server.store”.'],
    [
      ['--only', 'fire'],
      '--only must be one of none, cut, pause, refuse, lost-answer, rollback, kill, drain, not fire.',
    ],
    [['--rounds', '-1'], '--rounds must be an integer from 0 to 1000, not -1.'],
    [['--timeout', 'soon'], '--timeout must be an integer from 0 to 600000, not soon.'],
  ])('rejects the command line %j', async (args, message) => {
    const { code, stderr } = await drill({}, '--broker', redis, ...args);
    expect(stderr).toContain(`error: ${message}`);
    expect(code).toBe(2);
  });
});

test('GG5069: refuses a topology without events before it starts servers', async () => {
  const directory = directoryWith({ 'a.gg': "(root)-[:PROCESS]->(hello { text: 'Hello' })" });
  const { code, stderr } = await runCli(['drill', 'a.gg', '--broker', redis], { directory });
  expect(stderr).toContain('error[GG5069]');
  expect(code).toBe(1);
});

test('GG5070: a server that ends at once gives the reason', async () => {
  const program = "console.error('no port'); process.exit(1)";
  const server = new DrillServer('first server', () => spawn(process.execPath, ['-e', program]));
  await expect(server.start()).rejects.toMatchObject({
    diagnostic: { code: 'GG5070', message: 'A server of the drill did not start: no port' },
  });
});

test('a server of a drill has the settings of the drill, and other servers keep those of the project', () => {
  const project = { sources: ['a.gg'], server: { port: 1, events, metrics: true } } as const;
  const own = { broker: 'nats', url: 'nats://127.0.0.1:1' } as const;
  expect(drilledProject(project, drillEnvironment({ events: own }))).toEqual({
    sources: ['a.gg'],
    server: { port: 1, events: own, metrics: false, rateLimits: [] },
  });
  expect(drilledProject(project, {})).toBe(project);
  expect(drilledProject(undefined, {})).toBeUndefined();
});

test.each([{ file: 'production.sqlite' }, { urlFrom: 'PRODUCTION' }])(
  'a server of a drill has no database, broker or Redis of the project: %j',
  async (database) => {
    const server = {
      events,
      store: database,
      runs: database,
      idempotency: { store: 'redis://production' },
      rateLimits: [{ limit: 1, per: 1, by: 'address', store: 'redis://production' }],
    } as const;
    const project = { sources: ['a.gg'], server };
    const options = { project, broker: [redis], database: 'postgres://127.0.0.1:1/test' };
    const { settings, env, proxies } = await openProxies(planAddresses(options, { directory: '/' }), options);
    for (const proxy of proxies) proxy.close();
    const drilled = drilledProject(project, { ...env, ...drillEnvironment(settings) });
    expect(Object.keys(drilled?.server ?? {})).toEqual(expect.arrayContaining(Object.keys(server)));
    expect(JSON.stringify(drilled)).not.toMatch(/production/i);
  },
);
