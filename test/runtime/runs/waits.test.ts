import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import { signalOf } from '../../../src/runtime/runs/follow-events.js';
import { manageRuns } from '../../../src/runtime/runs/manage-runs.js';
import { openBackend } from '../../../src/runtime/runs/open-backend.js';
import { attemptsOf } from '../../../src/runtime/runs/read-run.js';
import { FakeLog } from '../brokers/fake-broker.js';
import { shop } from '../call/chains/shop.js';
import { noSqlite } from '../store/engines.js';
import { hour, jump } from './jump.js';

const open: GqlServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const server of open.splice(0)) await server.close();
});

interface RunBody {
  readonly id: string;
  readonly state: string;
  readonly [member: string]: unknown;
}

interface More {
  /** The settings of the FORK edge. */
  readonly fork?: string;
  /** The fields of the event. */
  readonly event?: string;
  readonly edges?: string;
  /** Called when an order is placed. */
  readonly place?: (server: GqlServer, id: string) => void;
}

/** The shop, whose orders are paid when they are packed; else they are dropped. */
function serve(
  settings = ", awaits: 'orderPacked'",
  {
    fork = '',
    event = 'orderId: ID!',
    edges = '',
    place = () => undefined,
    ...more
  }: Partial<GqlServerOptions> & More = {},
) {
  const { options, ...rest } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const mutations = (
    options.resolvers as unknown as {
      Mutation: { placeOrder: (_: unknown, args: unknown) => { id: string } | null };
    }
  ).Mutation;
  const durable = source
    .replace('returns: Order, chain: true', "returns: Order, undo: 'dropOrder'")
    .replace('returns: Card, chain: true', `returns: Card, chain: true, durable: true${settings}`)
    .concat(`${edges}
      (order)-[:FOLD { operation: 'dropOrder', id: ID!, returns: Order }]->(order)
      (root)-[:FOLD { operation: 'pack', orderId: ID!, returns: Packing! }]->(packing { orderId: ID!, customerId: ID })
      (packing)-[:FORK${fork}]->(order_packed { ${event} })`);
  const undone: unknown[] = [];
  const server = createGqlServer({
    ...options,
    topologies: [{ name: 'shop.gg', source: durable }],
    runs: { file: ':memory:' },
    authenticate: ({ header }) => ({ id: header('authorization') ?? 'nobody' }),
    resolvers: {
      ...options.resolvers,
      Mutation: {
        ...mutations,
        placeOrder: (_: unknown, args: unknown) => {
          const order = mutations.placeOrder(_, args);
          if (order !== null) place(server, order.id);
          return order;
        },
        ...(edges !== '' && {
          sendOrder: (_: unknown, { id }: { id: string }) => {
            rest.ran.push('sendOrder');
            return { id };
          },
        }),
        dropOrder: (_: unknown, args: { id: string }) => {
          undone.push(args.id);
          return { id: args.id, total: 1 };
        },
        pack: (_: unknown, { orderId }: { orderId: string }) => ({ orderId }),
      },
    } as never,
    ...more,
  });
  open.push(server);
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await server.fetch(
      new Request(`http://localhost/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: 'ada' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, json: (await response.json()) as RunBody };
  };
  const start = (inputs: unknown = { signUp: { input: { name: 'Ada' } }, placeOrder: { total: 3 } }) =>
    send('POST', 'chains/payOrder', inputs);
  const read = async (id: string) => (await send('GET', `runs/${id}`)).json;
  const until = async (id: string, expected: object) => {
    await expect.poll(() => read(id)).toMatchObject(expected);
    return read(id);
  };
  const pack = (orderId: string) => send('POST', 'pack', { orderId });
  return { ...rest, server, undone, send, start, until, read, pack };
}

describe.skipIf(noSqlite)('a step that waits for an event', () => {
  test('runs when an event with the id of the run comes, and shows until then what it waits for', async () => {
    const { start, until, pack, ran } = serve();
    const { json } = await start();
    const run = await until(json.id, { state: 'running', waitsFor: { event: 'orderPacked' } });
    expect(run.waitsFor).toEqual({ event: 'orderPacked' });
    expect(run).toMatchObject({
      step: 'payOrder',
      steps: [{ operation: 'signUp' }, { operation: 'placeOrder' }],
    });
    await pack('of another order');
    expect(ran).toEqual(['signUp', 'placeOrder']);
    await pack('o7-1');
    const ended = await until(json.id, { state: 'completed' });
    expect(ended.waitsFor).toBeUndefined();
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
  });

  test('waits with the id of an earlier step, in whatever order the inputs name them', async () => {
    const server = createGqlServer({
      topologies: [
        {
          name: 'a.gg',
          source: `(customer { id: ID! }) (order { id: ID! }) (card { id: ID! }) (visit { customerId: ID! })
            (root)-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
            (root)-[:FOLD { operation: 'ask', returns: Order!, awaits: 'visited' }]->(order)
            (root)-[:FOLD { operation: 'payOrder', customerId: ID!, orderId: ID!, returns: Card,
              chain: true, durable: true }]->(card)
            (root)-[:FOLD { operation: 'visit', customerId: ID!, returns: Visit! }]->(visit)
            (visit)-[:FORK]->(visited { customerId: ID! })
            (shop)-[:PROCESS { id: ID! }]->(order)`,
        },
      ],
      runs: { file: ':memory:' },
      resolvers: {
        Mutation: { signUp: () => ({ id: '7' }), ask: () => ({ id: 'o' }), payOrder: () => ({ id: 'c' }) },
      } as never,
    });
    open.push(server);
    const inputs = [['signUp', {}] as const, ['ask', {}] as const, ['payOrder', {}] as const];
    const [first, second, third] = inputs as [(typeof inputs)[0], (typeof inputs)[0], (typeof inputs)[0]];
    const orders = [
      [first, second, third],
      [second, first, third],
      [third, second, first],
    ];
    for (const [at, order] of orders.entries()) {
      const given = { key: `k${at}`, principal: { id: 'ada' } };
      const read = async () => (await server.run('payOrder', Object.fromEntries(order), given)).run;
      await expect.poll(read).toMatchObject({ step: 'ask', waitsFor: { event: 'visited' } });
      server.publish('visited', { customerId: '7' });
      await expect
        .poll(async () => (await read())?.steps.map(({ operation }) => operation))
        .toEqual(['signUp', 'ask', 'payOrder']);
    }
  });

  test('does not miss an event that comes before the run waits', async () => {
    const { start, until } = serve(undefined, {
      place(server, id) {
        server.publish('orderPacked', { orderId: id });
      },
    });
    const { json } = await start();
    await until(json.id, { state: 'completed' });
  });

  test('fails for good if no event comes in time, and undoes the steps that ran', async () => {
    const { start, until, undone, ran } = serve(", awaits: 'orderPacked', within: '200ms'");
    const { json } = await start();
    const run = await until(json.id, { state: 'failed' });
    expect(run).toMatchObject({
      step: 'payOrder',
      problem: { status: 504, detail: 'orderPacked did not come within 200ms.' },
      undone: ['placeOrder'],
    });
    expect(undone).toEqual(['o7-1']);
    expect(ran).toEqual(['signUp', 'placeOrder']);
  });

  test('is cancelled while it waits, and the event moves nothing then', async () => {
    const { start, until, undone, send, pack, ran } = serve(", awaits: 'orderPacked', within: '2d'");
    const { json } = await start();
    const waiting = await until(json.id, { waitsFor: { event: 'orderPacked' } });
    const { until: end } = waiting.waitsFor as { until: string };
    expect(Date.parse(end) - Date.parse(String(waiting.createdAt))).toBeGreaterThanOrEqual(2 * 86_400_000);
    expect(await send('POST', `runs/${json.id}/cancel`)).toMatchObject({ status: 202 });
    await pack('o7-1');
    expect(await until(json.id, { state: 'cancelled' })).toMatchObject({ undone: ['placeOrder'] });
    expect(undone).toEqual(['o7-1']);
    expect(ran).toEqual(['signUp', 'placeOrder']);
  });

  test('takes the id from its argument, if the chain starts there', async () => {
    const { start, until, pack, ran } = serve();
    const { json } = await start({ payOrder: { id: 'o1-9' } });
    await until(json.id, { waitsFor: { event: 'orderPacked' } });
    await pack('o1-9');
    await until(json.id, { state: 'completed' });
    expect(ran).toEqual(['payOrder']);
  });

  test.each([" { roles: ['packer'] }", " { owner: 'customerId' }"])(
    'is not begun by a caller that may not follow the event, or whose owner is not known: %s',
    async (fork) => {
      const event = 'orderId: ID!, customerId: ID';
      const { start, ran } = serve(undefined, { fork, event });
      expect(await start()).toMatchObject({
        status: 403,
        json: { detail: 'The caller may not follow orderPacked, for which payOrder waits.' },
      });
      expect(ran).toEqual([]);
    },
  );

  test('pauses, and shows until when', async () => {
    const { start, until, ran } = serve(", pause: '1h'");
    const { json } = await start();
    const run = await until(json.id, { waitsFor: {} });
    expect(run).toMatchObject({ state: 'running', step: 'payOrder' });
    expect(Object.keys(run.waitsFor as object)).toEqual(['until']);
    expect(ran).toEqual(['signUp', 'placeOrder']);
    jump(hour);
    await until(json.id, { state: 'completed' });
  });

  test('is not tried again when its time is over', async () => {
    const { start, until, state, ran } = serve(", retries: 100, within: '50ms'");
    state.isDeclined = true;
    const { json } = await start();
    const run = await until(json.id, { state: 'failed' });
    expect(run).toMatchObject({ step: 'payOrder', problem: { status: 500 } });
    expect(ran.filter((name) => name === 'payOrder').length).toBeLessThan(4);
  });

  test('fails if the step that gives the id has none, and is not begun without that step', async () => {
    const none = serve();
    const { json } = await none.start({ placeOrder: { customerId: '0' } });
    expect(await none.until(json.id, { state: 'failed' })).toMatchObject({
      step: 'payOrder',
      problem: {
        status: 400,
        detail: 'payOrder waits for orderPacked with one id of placeOrder, which gave 0.',
      },
    });
    const other = serve(undefined, { event: 'customerId: ID' });
    expect(await other.start({ payOrder: { id: '1' } })).toMatchObject({
      status: 400,
      json: { detail: 'payOrder waits for orderPacked with the id of signUp. Pass “signUp”.' },
    });
  });
});

test('the attempt of a run that waits is the last one, though another one began in the same millisecond', async () => {
  const at = new Date();
  const attempts = [
    { stepName: 'wait payOrder', createdAt: at, finishedAt: null },
    { stepName: 'placeOrder', createdAt: at, finishedAt: at },
    { stepName: 'signUp', createdAt: new Date(at.getTime() - 1), finishedAt: at },
  ];
  const backend = { listStepAttempts: async () => ({ data: attempts }) };
  const ordered = await attemptsOf(backend as never, 'a');
  expect(ordered.map(({ stepName }) => stepName)).toEqual(['signUp', 'placeOrder', 'wait payOrder']);
});

test('the attempts of a chain are in the order of its steps and their waits, whatever the clocks say', async () => {
  const plan = ['signUp', 'placeOrder', 'payOrder'];
  const names = ['signUp', 'placeOrder', 'placeOrder', 'wait payOrder', 'event payOrder', 'wait payOrder:1'];
  const rest = ['event payOrder:1', 'pause payOrder', 'payOrder'];
  const ordered = [...names, ...rest].map((stepName, at) => ({ stepName, status: at === 1 ? 'failed' : 'completed' }));
  const times = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 18, maxLength: 18 });
  const orders = fc.shuffledSubarray(ordered, { minLength: ordered.length });
  await fc.assert(
    fc.asyncProperty(times, orders, async (all, order) => {
      const timed = order.map((attempt, at) => ({
        ...attempt,
        createdAt: new Date(all[at] as number),
        finishedAt: new Date(all[at + 9] as number),
      }));
      const backend = { listStepAttempts: async () => ({ data: timed }) };
      const found = await attemptsOf(backend as never, 'a', plan);
      expect(found.map(({ stepName, status }) => ({ stepName, status }))).toEqual(ordered);
    }),
  );
});

/** Events of orders, as another program publishes them. */
function packed(id: string, orderId: string) {
  return { id, subscription: 'orderPacked', payload: JSON.stringify({ orderId }) };
}

function file(): string {
  const path = mkdtempSync(join(tmpdir(), 'gg-svc-waits-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return join(path, 'runs.sqlite');
}

describe.skipIf(noSqlite)('the events of a broker', () => {
  test('move a run in a later server, if they came while no server listened', async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const { start, until, server } = serve(undefined, { runs, events: log.broker() });
    const { json } = await start();
    await until(json.id, { waitsFor: { event: 'orderPacked' } });
    await server.close();
    log.store(packed('e1', 'of another order'));
    log.store(packed('e2', 'o7-1'));
    const later = serve(undefined, { runs, events: log.broker() });
    await later.until(json.id, { state: 'completed' });
    expect(later.ran).toEqual(['payOrder']);
  });

  test('count though the deadline passed while no server listened', async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const settings = ", awaits: 'orderPacked', within: '1h'";
    const { start, until, server } = serve(settings, { runs, events: log.broker() });
    const { json } = await start();
    const { waitsFor } = await until(json.id, { waitsFor: { event: 'orderPacked' } });
    await server.close();
    log.store(packed('e1', 'o7-1'));
    jump(2 * hour);
    const { until: end } = waitsFor as { until: string };
    expect(Date.now()).toBeGreaterThan(Date.parse(end));
    const later = serve(settings, { runs, events: log.broker() });
    await later.until(json.id, { state: 'completed' });
  });

  test('are found in the log of another broker, and after the log was away', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const [log, other, runs] = [new FakeLog(), new FakeLog('others'), { file: file() }];
    const { start, until, server } = serve(undefined, { runs, events: log.broker() });
    const { json } = await start();
    await until(json.id, { waitsFor: { event: 'orderPacked' } });
    await server.close();
    other.store(packed('e1', 'o7-1'));
    let isAway = true;
    other.delay = async () => {
      if (!isAway) return;
      isAway = false;
      throw new Error('The log is away.');
    };
    const later = serve(undefined, { runs, events: other.broker() });
    await later.until(json.id, { state: 'completed' });
  });

  test('move a run of two servers once', async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const servers = [1, 2].map(() => serve(undefined, { runs, events: log.broker() }));
    const [first] = servers as [(typeof servers)[0]];
    const { json } = await first.start();
    await first.until(json.id, { waitsFor: { event: 'orderPacked' } });
    await servers[1]?.pack('o7-1');
    await first.until(json.id, { state: 'completed' });
    expect(servers.flatMap(({ ran }) => ran).sort()).toEqual(['payOrder', 'placeOrder', 'signUp']);
  });

  test('move one wait each, however often they are delivered', async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const { until, send, ran } = serve(", awaits: 'orderPacked'", {
      runs,
      events: log.broker(),
      edges: `(parcel { id: ID! })
        (card)-[:FOLD { operation: 'sendOrder', id: ID!, returns: Parcel,
        awaits: 'orderPacked', chain: true, durable: true }]->(parcel)`,
    });
    const { json } = await send('POST', 'chains/sendOrder', {
      signUp: { input: { name: 'Ada' } },
      placeOrder: { total: 3 },
      payOrder: {},
    });
    await until(json.id, { step: 'payOrder', waitsFor: { event: 'orderPacked' } });
    log.store(packed('e1', 'o7-1'));
    await until(json.id, { step: 'sendOrder', waitsFor: { event: 'orderPacked' } });
    const backend = await openBackend(runs);
    const signal = signalOf('orderPacked', 'orderId', 'o7-1');
    // As a second server that is slower would.
    const data = { log: 'one', sequence: 1, id: 'e1' };
    const { workflowRunIds } = await backend.sendSignal({ signal, data, idempotencyKey: null });
    const [workflowRunId = ''] = workflowRunIds;
    await expect.poll(async () => (await attemptsOf(backend, workflowRunId)).at(-1)?.stepName).toBe('wait sendOrder:1');
    expect(ran).not.toContain('sendOrder');
    log.store(packed('e2', 'o7-1'));
    await until(json.id, { state: 'completed' });
    await backend.stop();
    expect(ran).toContain('sendOrder');
  });

  test('are read again after some are missing', async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const { start, until } = serve(undefined, { runs, events: log.broker() });
    const { json } = await start();
    await until(json.id, { waitsFor: { event: 'orderPacked' } });
    log.stop();
    log.store(packed('e1', 'of another order'));
    log.store(packed('e2', 'of another order'));
    log.trim(1);
    log.start();
    log.store(packed('e3', 'o7-1'));
    await until(json.id, { state: 'completed' });
  });
});

describe.skipIf(noSqlite)('a process that was killed before it woke a run', () => {
  /** Changes the tables of the engine to those that such a process leaves. */
  const change = async (path: string, ...statements: readonly string[]) => {
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path);
    for (const statement of statements) expect(db.prepare(statement).run().changes).toBe(1);
    db.close();
  };
  const asleep = "status = 'running', worker_id = NULL, available_at = '2036-01-01T00:00:00.000Z', finished_at = NULL";

  test('leaves one that undoes its steps, when the run of these had failed', async () => {
    const runs = { file: file() };
    const { start, until, server } = serve('', { runs });
    const { json } = await start();
    await until(json.id, { state: 'completed' });
    await server.close();
    await change(
      runs.file,
      `UPDATE workflow_runs SET ${asleep} WHERE workflow_name = 'gg-svc run'`,
      "UPDATE step_attempts SET status = 'running', output = NULL, finished_at = NULL WHERE kind = 'workflow'",
      "UPDATE workflow_runs SET status = 'failed', error = '{}' WHERE workflow_name = 'payOrder'",
    );
    const later = serve('', { runs });
    await later.until(json.id, { state: 'failed', undone: ['placeOrder'] });
    expect(later.undone).toEqual(['o7-1']);
  });

  test('leaves one that goes on, when its event had come', async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const { start, until, server } = serve(undefined, { runs, events: log.broker() });
    const { json } = await start();
    await until(json.id, { waitsFor: { event: 'orderPacked' } });
    await server.close();
    await change(
      runs.file,
      `INSERT INTO workflow_signals SELECT namespace_id, 'a', 'b', 'null', NULL, workflow_run_id, id, created_at
        FROM step_attempts WHERE kind = 'signal-wait' AND status = 'running'`,
    );
    const later = serve(undefined, { runs, events: log.broker() });
    await later.until(json.id, { state: 'completed' });
    expect(later.ran).toEqual(['payOrder']);
  });
});

describe.skipIf(noSqlite)('a run that another one continues', () => {
  const topology = `
    (order { id: ID! }) (card { id: ID! }) (parcel { id: ID! }) (packing { orderId: ID! })
    (root)-[:FOLD { operation: 'placeOrder', returns: Order! }]->(order)
    (order)-[:FOLD { operation: 'payOrder', orderId: ID!, returns: Card!, awaits: 'orderPacked' }]->(card)
    (card)-[:FOLD { operation: 'sendOrder', cardId: ID!, returns: Parcel, awaits: 'orderPacked', within: '1h',
      chain: true, durable: true }]->(parcel)
    (root)-[:FOLD { operation: 'pack', orderId: ID!, returns: Packing! }]->(packing)
    (packing)-[:FORK]->(order_packed { orderId: ID! })
    (shop)-[:PROCESS { id: ID! }]->(order)`;

  const begin = async () => {
    const [log, runs] = [new FakeLog(), { file: file() }];
    const ran: string[] = [];
    const state = { isRefused: false };
    const note = <Value>(name: string, value: Value) => {
      ran.push(name);
      return value;
    };
    const server = createGqlServer({
      topologies: [{ name: 'a.gg', source: topology }],
      ...{ runs, events: log.broker() },
      resolvers: {
        Mutation: {
          placeOrder: () => note('placeOrder', { id: 'o1' }),
          payOrder: () => note('payOrder', { id: 'c1' }),
          sendOrder: () => {
            note('sendOrder', undefined);
            if (state.isRefused) throw new GraphQLError('The door is locked.', { extensions: { code: 'LOCKED' } });
            return { id: 'p1' };
          },
        },
      } as never,
    });
    open.push(server);
    const manage = await manageRuns(runs);
    onTestFinished(() => manage.close());
    const until = (id: string, expected: object) => expect.poll(() => manage.read(id)).toMatchObject(expected);
    const { run } = await server.run('sendOrder', { placeOrder: {}, payOrder: {} });
    const id = run?.id ?? '';
    await until(id, { step: 'payOrder', waitsFor: { event: 'orderPacked' } });
    log.store(packed('e1', 'o1'));
    await until(id, { step: 'sendOrder', waitsFor: { event: 'orderPacked' } });
    return { ran, state, log, manage, until, id };
  };

  test('is not moved by the event that has moved an earlier step', async () => {
    const { ran, log, manage, until, id } = await begin();
    jump(hour);
    await until(id, { state: 'failed', problem: { status: 504 } });
    const next = String(await manage.retry(id));
    await until(next, { state: 'running', step: 'sendOrder', waitsFor: { event: 'orderPacked' } });
    jump(hour);
    await until(next, { state: 'failed', problem: { status: 504 } });
    const last = String(await manage.retry(next));
    await until(last, { step: 'sendOrder', waitsFor: { event: 'orderPacked' } });
    log.store(packed('e2', 'o1'));
    await until(last, { state: 'completed' });
    expect(ran).toEqual(['placeOrder', 'payOrder', 'sendOrder']);
  });

  test('takes the step again that was refused, after the event that it has waited for', async () => {
    const { ran, state, log, manage, until, id } = await begin();
    state.isRefused = true;
    log.store(packed('e2', 'o1'));
    await until(id, { state: 'failed', problem: { code: 'LOCKED' } });
    state.isRefused = false;
    await until(String(await manage.retry(id)), { state: 'completed' });
    expect(ran).toEqual(['placeOrder', 'payOrder', 'sendOrder', 'sendOrder']);
  });
});
