import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions, sqliteStore } from '../../../src/index.js';
import type { Principal } from '../../../src/runtime/auth/principal.js';
import { createRunRepeats, repeatsOver } from '../../../src/runtime/repeats/repeats.js';
import { shop } from '../call/chains/shop.js';
import { noSqlite } from '../store/engines.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

interface RunBody {
  readonly id: string;
  readonly state: string;
  readonly steps: readonly { readonly operation: string; readonly result: unknown }[];
  readonly [member: string]: unknown;
}

/** The shop whose chain `payOrder` is durable; the user of a request is the name in `Authorization`. */
function serve(more: Partial<GqlServerOptions> = {}) {
  const { options, ...rest } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const durable = source.replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true');
  const server = createGqlServer({
    ...options,
    topologies: [{ name: 'shop.gg', source: durable }],
    runs: { file: ':memory:' },
    authenticate: ({ header }) => {
      const id = header('authorization');
      return id === undefined ? null : { id };
    },
    ...more,
  });
  open.push(server);
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = { authorization: 'ada' },
  ) => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const json = (await response.json()) as RunBody;
    return { status: response.status, headers: response.headers, json };
  };
  const start = (inputs: unknown = all, headers?: Readonly<Record<string, string>>) =>
    send('POST', '/api/chains/payOrder', inputs, headers);
  /** Waits until a run is in a state. */
  const until = async (id: string, state: string, headers?: Readonly<Record<string, string>>) => {
    await expect.poll(async () => (await send('GET', `/api/runs/${id}`, undefined, headers)).json.state).toBe(state);
    return (await send('GET', `/api/runs/${id}`, undefined, headers)).json;
  };
  return { ...rest, server, send, start, until };
}

const all = { payOrder: {}, placeOrder: { total: 3 }, signUp: { input: { name: 'Ada' } } };
const steps = [
  { operation: 'signUp', result: { id: '7', name: 'Ada' } },
  { operation: 'placeOrder', result: { id: 'o7-1', total: 3 } },
  { operation: 'payOrder', result: { id: 'co7-1', code: 'ok' } },
];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'gg-svc-runs-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A run whose server has closed while its last step was declined. */
async function interrupted(runs: { readonly file: string }): Promise<RunBody> {
  const { start, ran, state, server } = serve({ runs });
  state.isDeclined = true;
  const { json } = await start();
  await expect.poll(() => ran).toContain('payOrder');
  await server.close();
  return json;
}

describe.skipIf(noSqlite)('a durable chain', () => {
  test('answers 202 with the place of the run, which runs the steps in their order', async () => {
    const { start, until, ran } = serve();
    const { status, headers, json } = await start();
    expect({ status, state: json.state, chain: json.chain }).toEqual({
      status: 202,
      state: 'running',
      chain: 'payOrder',
    });
    expect(headers.get('location')).toBe(`/api/runs/${json.id}`);
    const run = await until(json.id, 'completed');
    expect(run).toMatchObject({ id: json.id, steps });
    expect(Date.parse(String(run.endedAt))).toBeGreaterThanOrEqual(Date.parse(String(run.createdAt)));
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
  });

  test('keeps the claims of its caller as JSON', async () => {
    const seen: unknown[] = [];
    const claims = { tenant: 2n ** 60n, since: new Date(0), groups: [1n], none: undefined };
    const { options } = shop();
    const { Mutation: mutations } = options.resolvers as unknown as { Mutation: object };
    const payOrder = (_: unknown, __: unknown, { principal }: { principal: Principal }) => {
      seen.push(principal);
      return null;
    };
    const { start, until } = serve({
      authenticate: () => ({ id: 'ada', expiresAt: Date.now() / 1000 + 60, claims }),
      resolvers: { ...options.resolvers, Mutation: { ...mutations, payOrder } } as never,
    });
    await until((await start()).json.id, 'completed');
    const kept = { tenant: String(claims.tenant), since: '1970-01-01T00:00:00.000Z', groups: ['1'] };
    expect(seen).toEqual([{ id: 'ada', claims: kept }]);
  });

  test('refuses wrong inputs and callers before a run begins', async () => {
    const { start, ran } = serve();
    const { status, json } = await start({ placeOrder: { total: 'five' } });
    expect(status).toBe(400);
    expect(json.errors).toHaveLength(2);
    expect(ran).toEqual([]);
  });

  test('keeps runs from other callers, and answers forged ids alike', async () => {
    const { start, send, until } = serve();
    const { json } = await start();
    for (const id of [json.id, crypto.randomUUID(), "x' OR 1=1"]) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/cancel'],
      ] as const) {
        const answer = await send(method, `/api/runs/${encodeURIComponent(id)}${path}`, undefined, {
          authorization: 'eve',
        });
        expect(answer).toMatchObject({ status: 404, json: { detail: 'There is no such run.' } });
      }
    }
    await until(json.id, 'completed');
  });

  test('finds the run of a repeat with the same key, and refuses other inputs', async () => {
    const { start, until, ran } = serve();
    const key = { authorization: 'ada', 'idempotency-key': 'k1' };
    const first = await start(all, key);
    const second = await start(all, key);
    expect(second.json.id).toBe(first.json.id);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await start({ placeOrder: { customerId: '9' } }, key)).toMatchObject({
      status: 422,
      json: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect((await start(all, { ...key, authorization: 'eve' })).json.id).not.toBe(first.json.id);
    expect(await start(all, { ...key, 'idempotency-key': 'a b' })).toMatchObject({
      status: 400,
      json: { code: 'IDEMPOTENCY_KEY_INVALID' },
    });
    expect(await start(all, { 'idempotency-key': 'k1' })).toMatchObject({
      status: 400,
      json: { code: 'IDEMPOTENCY_CALLER_UNKNOWN' },
    });
    await until(first.json.id, 'completed');
    expect(ran.filter((name) => name === 'signUp').length).toBeLessThanOrEqual(2);
  });

  test('ends at a refusal, without another attempt, and says which step failed', async () => {
    const { start, until, ran } = serve();
    const { json } = await start({ payOrder: { id: 'o1' } });
    const run = await until(json.id, 'failed');
    expect(run).toMatchObject({ step: 'payOrder', steps: [], problem: { code: 'DECLINED' } });
    expect(ran).toEqual(['payOrder']);
  });

  test('tries a step again after a failure of the server, and completes', async () => {
    const { start, until, send, ran, state } = serve();
    state.isDeclined = true;
    const { json } = await start();
    // One answer must show all of it, because a run has no problem while its next attempt runs.
    await expect
      .poll(async () => (await send('GET', `/api/runs/${json.id}`)).json)
      .toMatchObject({ state: 'running', step: 'payOrder', problem: { status: 500 }, steps: steps.slice(0, 2) });
    state.isDeclined = false;
    const run = await until(json.id, 'completed');
    expect(run).toMatchObject({ steps });
    expect(run.problem).toBeUndefined();
    expect(ran.filter((name) => name !== 'payOrder')).toEqual(['signUp', 'placeOrder']);
  });

  test('stops at the step that runs when it is cancelled, and can be cancelled once', async () => {
    const { start, until, send, ran, state } = serve();
    state.isDeclined = true;
    const { json } = await start();
    await expect.poll(() => ran).toContain('payOrder');
    const cancelled = await send('POST', `/api/runs/${json.id}/cancel`);
    expect(cancelled.status).toBe(202);
    expect(await until(json.id, 'cancelled')).toMatchObject({ steps: steps.slice(0, 2) });
    const { id } = (await start({ payOrder: { id: '9' } })).json;
    state.isDeclined = false;
    await until(id, 'completed');
    expect(await send('POST', `/api/runs/${id}/cancel`)).toMatchObject({
      status: 409,
      json: { detail: 'The run has ended.' },
    });
  });

  test('goes on in a later server, with the results of the steps that ran', async () => {
    const runs = { file: join(folder(), 'runs.sqlite') };
    const json = await interrupted(runs);
    const later = serve({ runs });
    const run = await later.until(json.id, 'completed');
    expect(run).toMatchObject({ steps });
    expect(later.ran).toEqual(['payOrder']);
  });

  test('needs a key if a step does, in the program, too', async () => {
    const { options } = shop();
    const [{ source }] = options.topologies as unknown as [{ source: string }];
    const keyed = source
      .replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true')
      .replace('returns: Order, chain: true', "returns: Order, idempotent: 'required'");
    const { start, until, server, ran } = serve({ topologies: [{ name: 'shop.gg', source: keyed }] });
    const refused = { status: 400, code: 'IDEMPOTENCY_KEY_REQUIRED' };
    expect(await start()).toMatchObject({ status: 400, json: refused });
    await expect(server.run('payOrder', all as never)).rejects.toMatchObject({
      problem: { members: { code: refused.code } },
    });
    expect(ran).toEqual([]);
    const { json } = await start(all, { authorization: 'ada', 'idempotency-key': 'k' });
    await until(json.id, 'completed');
    // Without the step, no key is needed.
    expect((await start({ payOrder: { id: '9' } })).status).toBe(202);
  });

  test('goes on while the store of the keys of clients is away', async () => {
    const { start, until } = serve({ idempotency: { store: 'redis://127.0.0.1:1' } });
    await until((await start()).json.id, 'completed');
  });

  test('is refused with 503 while its database on PostgreSQL is away', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { start } = serve({ runs: { url: 'postgres://gg@127.0.0.1:1/gg' } });
    expect(await start()).toMatchObject({
      status: 503,
      json: { code: 'STORE_UNAVAILABLE', detail: 'The database of the runs is not available.' },
    });
  });

  test('goes on in a later server that allows fewer steps', async () => {
    const runs = { file: join(folder(), 'runs.sqlite') };
    const json = await interrupted(runs);
    const later = serve({ runs, limits: { rootFields: 1 } });
    expect(await later.start()).toMatchObject({ status: 400 });
    expect(await later.until(json.id, 'completed')).toMatchObject({ steps });
  });

  test('waits for a server with the steps that it began with, and can be cancelled', async () => {
    const runs = { file: join(folder(), 'runs.sqlite') };
    const json = await interrupted(runs);
    const topologies = [
      {
        name: 'shop.gg',
        source: `(order { id: ID! }) (card { id: ID!, code: String })
          (root)-[:FOLD { operation: 'placeOrder', returns: Order! }]->(order)
          (order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Card, chain: true, durable: true }]->(card)`,
      },
    ];
    const later = serve({ runs, topologies, resolvers: {} });
    const run = await later.until(json.id, 'waiting');
    expect(run.problem).toMatchObject({ status: 503 });
    await later.send('POST', `/api/runs/${json.id}/cancel`);
    await later.until(json.id, 'cancelled');
  });

  test('begins in a program, whose runs clients cannot read, unless it names their principal', async () => {
    const { server, send, until } = serve();
    const { run, steps: ran } = await server.run('payOrder', all as never);
    expect(ran).toEqual([]);
    expect((await send('GET', `/api/runs/${run?.id}`)).status).toBe(404);
    const { run: ofAda } = await server.run('payOrder', all as never, { principal: { id: 'ada' } });
    expect(await until(ofAda?.id ?? '', 'completed')).toMatchObject({ chain: 'payOrder' });
    const signal = new AbortController().signal;
    await expect(server.run('payOrder', all as never, { signal })).rejects.toThrow(TypeError);
    await expect(server.run('payOrder', { signUp: {} })).rejects.toMatchObject({ problem: { status: 400 } });
  });
});

describe.skipIf(noSqlite)('the progress of a run', () => {
  const stream = async (server: GqlServer, id: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.fetch(
      new Request(`http://localhost/api/runs/${id}`, {
        headers: { authorization: 'ada', accept: 'text/event-stream', ...headers },
      }),
    );
    const parts: string[] = [];
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(decoder.decode(part));
      return parts.join('');
    };
    return { response, parts, whole: read() };
  };
  const events = (text: string) =>
    [...text.matchAll(/^id: (.+)\ndata: (.+)$/gm)].map(([, id, data]) => ({
      id: String(id),
      run: JSON.parse(String(data)) as RunBody,
    }));

  test('is a stream of the run after each change until its end, which continues after an event', async () => {
    const { start, server, state, ran } = serve();
    state.isDeclined = true;
    const { json } = await start();
    const { response, parts, whole } = await stream(server, json.id);
    await expect.poll(() => parts.join('')).toContain('data: ');
    await expect.poll(() => ran).toContain('payOrder');
    state.isDeclined = false;
    const text = await whole;
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const all = events(text);
    expect(all.length).toBeGreaterThan(1);
    expect(all.at(-1)?.run).toMatchObject({ state: 'completed', steps });
    expect(text).toMatch(/event: complete\ndata: \n\n$/);
    const again = await stream(server, json.id, { 'last-event-id': all[0]?.id ?? '' });
    expect(events(await again.whole)).toEqual(all.slice(-1));
    const ended = await stream(server, json.id, { 'last-event-id': all.at(-1)?.id ?? '' });
    expect(events(await ended.whole)).toEqual([]);
    expect((await stream(server, json.id, { authorization: 'eve' })).response.status).toBe(404);
  });

  test('is cut without its end if the server shuts down', async () => {
    const { start, server, state, ran } = serve();
    state.isDeclined = true;
    const { json } = await start();
    await expect.poll(() => ran).toContain('payOrder');
    const { parts, whole } = await stream(server, json.id);
    await expect.poll(() => parts.join('')).toContain('data: ');
    server.drain();
    await expect(whole).rejects.toThrow();
  });
});

describe('the option runs', () => {
  test('is required unless there is a store', () => {
    expect(() => serve({ runs: undefined as never })).toThrow(
      'runs must name a database, because the chain payOrder is durable',
    );
    expect(() => serve({ runs: {} as never })).toThrow('runs must have either “file” or “url”');
  });

  test.skipIf(noSqlite)('is by default a file beside that of the store', async () => {
    const file = join(folder(), 'data.sqlite');
    const { start, until, server } = serve({ runs: undefined as never, store: sqliteStore({ file }) });
    await until((await start()).json.id, 'completed');
    await server.close();
    expect(existsSync(`${file}.runs`)).toBe(true);
  });
});

test.each(['unknown', 'busy', 'away'] as const)(
  'a step whose key is %s elsewhere runs, unless another process runs it',
  async (kind) => {
    const taken = { unknown: { kind }, busy: { kind, settled: Promise.resolve() } } as Record<string, object>;
    const take = async () => taken[kind] ?? Promise.reject(new Error('The store is away.'));
    const monitor = { fault: () => undefined } as never;
    const repeats = createRunRepeats(repeatsOver({ take } as never, monitor, 1_000), monitor);
    let isLate = false;
    vi.spyOn(performance, 'now').mockImplementation(() => (isLate ? 60_000 : 0));
    onTestFinished(() => void vi.restoreAllMocks());
    const found = repeats.find({ caller: 'a', account: 'a', key: 'run step', fingerprint: '{}' });
    isLate = true;
    if (kind === 'busy') await expect(found).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    else expect((await found).kind).toBe('first');
  },
);
