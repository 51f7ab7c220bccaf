import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer } from '../../../../src/index.js';
import { shop } from '../../../runtime/call/chains/shop.js';
import { noSqlite } from '../../../runtime/store/engines.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const project = (server: object) => directoryWith({ 'gg-svc.config.json': JSON.stringify({ server }) });

describe.skipIf(noSqlite)('gg-svc runs', () => {
  test('lists, shows, continues and cancels the runs in the database of the project', async () => {
    const directory = project({ runs: { file: 'runs.sqlite' } });
    const runs = (...args: readonly string[]) => runCli(['runs', ...args], { directory });
    const { options, ran } = shop();
    const [{ source }] = options.topologies as unknown as [{ source: string }];
    const server = createGqlServer({
      ...options,
      topologies: [{ name: 'shop.gg', source: source.replaceAll('chain: true', 'chain: true, durable: true') }],
      runs: { file: join(directory, 'runs.sqlite') },
    });
    const { run: { id = '' } = {} } = await server.run('payOrder', { payOrder: { id: 'o1' } });
    const show = async (one: string) => JSON.parse((await runs('show', one)).stdout) as { state: string };
    await expect.poll(async () => (await show(id)).state).toBe('failed');
    expect((await runs('list')).stdout).toMatch(new RegExp(`^${id}  \\S+  failed     payOrder  payOrder\n$`));
    expect(await runs('cancel', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`There is no open run ${id}.`),
    });
    const { stdout } = await runs('retry', id);
    const [, next = ''] = /^The run (\S+) continues/.exec(stdout) ?? [];
    await expect.poll(async () => (await show(next)).state).toBe('failed');
    const waiting = await server.run('payOrder', { signUp: { input: { name: 'Ada' } }, placeOrder: {} });
    await expect.poll(async () => (await show(waiting.run?.id ?? '')).state).toBe('completed');
    expect(ran.slice(-3)).toEqual(['signUp', 'placeOrder', 'payOrder']);
    expect((await runs('retry', waiting.run?.id ?? '')).code).toBe(2);
    await server.close();
    expect((await runs('list', '-n', '1')).stdout.split('\n')).toHaveLength(2);
  });

  test('cancels a run while no server works', async () => {
    const directory = project({ store: { file: 'data.sqlite' } });
    const runs = (...args: readonly string[]) => runCli(['runs', ...args], { directory });
    const { options, state, ran } = shop();
    const [{ source }] = options.topologies as unknown as [{ source: string }];
    const server = createGqlServer({
      ...options,
      topologies: [{ name: 'shop.gg', source: source.replaceAll('chain: true', 'chain: true, durable: true') }],
      runs: { file: join(directory, 'data.sqlite.runs') },
    });
    state.isDeclined = true;
    const { run: { id = '' } = {} } = await server.run('payOrder', { payOrder: { id: 'o9' } });
    await expect.poll(() => ran).toContain('payOrder');
    await server.close();
    expect(await runs('cancel', id)).toMatchObject({ code: 0, stdout: `The run ${id} is cancelled.\n` });
    expect(await runs('show', crypto.randomUUID())).toMatchObject({ code: 2 });
  });

  test('ends a run whose undo does not succeed, on request', async () => {
    const directory = project({ store: { file: 'data.sqlite' } });
    const runs = (...args: readonly string[]) => runCli(['runs', ...args], { directory });
    const { options, state } = shop();
    const [{ source }] = options.topologies as unknown as [{ source: string }];
    const durable = source
      .replace('returns: Order, chain: true', "returns: Order, undo: 'dropOrder'")
      .replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true, retries: 0')
      .concat(" (order)-[:FOLD { operation: 'dropOrder', id: ID!, returns: Order }]->(order)");
    const dropOrder = () => {
      throw new Error('The warehouse is away.');
    };
    const { Mutation: mutations } = options.resolvers as unknown as { Mutation: object };
    const server = createGqlServer({
      ...options,
      topologies: [{ name: 'shop.gg', source: durable }],
      runs: { file: join(directory, 'data.sqlite.runs') },
      resolvers: { ...options.resolvers, Mutation: { ...mutations, dropOrder } } as never,
    });
    onTestFinished(() => server.close());
    state.isDeclined = true;
    const { run: { id = '' } = {} } = await server.run('payOrder', {
      signUp: { input: { name: 'Ada' } },
      placeOrder: { total: 3 },
    });
    const show = async () => JSON.parse((await runs('show', id)).stdout) as object;
    await expect.poll(show).toMatchObject({ state: 'undoing' });
    expect(await runs('cancel', id)).toMatchObject({ code: 2 });
    expect(await runs('cancel', id, '--no-undo')).toMatchObject({ code: 0, stdout: `The run ${id} is cancelled.\n` });
    expect(await show()).toMatchObject({ state: 'cancelled', steps: [{}, { operation: 'placeOrder' }] });
    expect(await show()).not.toHaveProperty('undone');
    expect(await runs('cancel', id, '--no-undo')).toMatchObject({ code: 2 });
  });

  test('says that the database is away, and why', async () => {
    const directory = project({ runs: { urlFrom: 'RUNS_URL' } });
    vi.stubEnv('RUNS_URL', 'postgres://gg:secret@127.0.0.1:1/gg');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await runCli(['runs', 'list'], { directory });
    expect(code).toBe(2);
    expect(stderr).toMatch(/The database of the runs is not available\. .*ECONNREFUSED/);
    expect(stderr).not.toContain('secret');
  });

  test('needs a database', async () => {
    expect(await runCli(['runs', 'list'], { directory: project({}) })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('runs needs a database'),
    });
    expect(await runCli(['runs', 'list'], { directory: project({ runs: {} }) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('GG5042'),
    });
  });
});

test('a durable chain without a database is an error of the project file, also if there is none', async () => {
  const { options } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const directory = directoryWith({
    'shop.gg': source.replaceAll('chain: true', 'chain: true, durable: true'),
  });
  const { code, stderr } = await runCli(['test', 'shop.gg'], { directory });
  expect(code).not.toBe(0);
  expect(stderr).toContain(
    'error[GG5042] In gg-svc.config.json, “server.runs” must name a database, because the chain placeOrder is durable.',
  );
});
