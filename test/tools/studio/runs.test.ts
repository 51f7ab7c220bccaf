import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer, type GqlServerOptions } from '../../../src/index.js';
import type { Run } from '../../../src/runtime/runs/runs.js';
import type { ShownRun, StudioMessage } from '../../../src/tools/studio/protocol.js';
import { Recorder } from '../../../src/tools/studio/recorder.js';
import { keptRuns, RunList } from '../../../src/tools/studio/run-list.js';
import { shop } from '../../runtime/call/chains/shop.js';
import { hour, jump } from '../../runtime/runs/jump.js';
import { noSqlite } from '../../runtime/store/engines.js';
import { withRecorder } from './studios.js';

let recorder: Recorder;
let messages: StudioMessage[];
let close: () => void;
beforeEach(() => {
  messages = [];
  recorder = new Recorder((message) => void messages.push(message));
  close = recorder.open();
});
afterEach(() => close());

/** The last state of each run. */
function runs(): readonly ShownRun[] {
  recorder.flush();
  const sent = messages.flatMap((message) => (message.kind === 'runs' ? message.runs : []));
  return [...new Map(sent.map((run) => [run.id, run])).values()];
}

const stepsOf = (run: ShownRun | undefined) => run?.steps.map(({ name, state }) => `${name} ${state}`);

const calls = () => {
  recorder.flush();
  return messages.flatMap((message) => (message.kind === 'calls' ? message.calls : []));
};

const all = { signUp: { input: { name: 'Ada' } }, placeOrder: { total: 3 }, payOrder: {} };

function serve(given: GqlServerOptions) {
  const server = createGqlServer(withRecorder(given, recorder) as GqlServerOptions);
  onTestFinished(() => server.close());
  const post = async (path: string, body: unknown) => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return (await response.json()) as { readonly id: string };
  };
  return { server, post };
}

describe('a chain in one request', () => {
  const fields = '{ signUp { id } placeOrder { id } payOrder { code } }';
  const query = `mutation { payOrderChain(signUp: { input: { name: "Ada" } }, placeOrder: { total: 3 }) ${fields} }`;
  test.each([
    ['REST', '/api/chains/payOrder', all],
    ['GraphQL', '/graphql', { query }],
  ])('is a run with its steps, and each step is a call, over %s', async (_, path, body) => {
    const { post } = serve(shop().options);
    await post(path, body);
    const [run] = runs();
    expect(run).toMatchObject({ chain: 'payOrder', isDurable: false, state: 'completed' });
    expect(run?.end).toBeGreaterThanOrEqual(run?.start ?? Number.NaN);
    expect(stepsOf(run)).toEqual(['signUp done', 'placeOrder done', 'payOrder done']);
    expect(run?.steps[1]).toMatchObject({
      coordinate: 'Mutation.placeOrder',
      start: expect.any(Number),
      duration: expect.any(Number),
    });
    expect(calls().map((call) => [call.coordinate, call.run, call.errors])).toEqual(
      ['signUp', 'placeOrder', 'payOrder'].map((name) => [`Mutation.${name}`, run?.id, 0]),
    );
    const call = recorder.callsOf('Mutation.placeOrder')[0];
    expect(call?.request.body).toContain('placeOrder');
    expect(call?.answer).toContain('"id"');
    expect(call?.spans.length).toBeGreaterThan(0);
  });

  test('shows the step that failed with the reason, and the steps that did not begin', async () => {
    const { post } = serve(shop().options);
    await post('/api/chains/payOrder', { ...all, signUp: undefined, placeOrder: { customerId: '0' } });
    const [run] = runs();
    expect(run?.state).toBe('failed');
    expect(stepsOf(run)).toEqual(['placeOrder done', 'payOrder failed']);
    expect(run?.steps[1]?.problem).toContain('gave no id');
  });

  test('follows a run of the program, also with error hooks', async () => {
    const { server } = serve({ ...shop().options, hooks: [{ onError: () => undefined }] });
    await server.run('payOrder', all);
    expect(stepsOf(runs()[0])).toEqual(['signUp done', 'placeOrder done', 'payOrder done']);
    expect(calls().map(({ protocol }) => protocol)).toEqual(['process', 'process', 'process']);
  });

  test('names the arguments of its calls without secrets, and the caller', async () => {
    const principal = { id: 'ada' };
    const { server } = serve(shop().options);
    await server.run('payOrder', { ...all, signUp: { input: { name: 'Ada', password: 'hunter2' } } }, { principal });
    await server.run('payOrder', all, { principal });
    expect(JSON.stringify(calls())).not.toContain('hunter2');
    expect(calls().slice(0, 2)).toMatchObject([
      { caller: 'ada', arguments: '{"input":{"name":"Ada"}}' },
      { caller: 'ada', arguments: expect.stringMatching(/^\{"customerId":".*","total":3\}$/) },
    ]);
  });

  test('is not followed without a page', async () => {
    close();
    const { post } = serve(shop().options);
    await post('/api/chains/payOrder', all);
    expect(runs()).toEqual([]);
    expect(calls()).toEqual([]);
  });
});

describe.skipIf(noSqlite)('a durable chain', () => {
  function serveDurable(edit: (source: string) => string = (source) => source) {
    const { options, ...rest } = shop();
    const resolvers = options.resolvers as { readonly Mutation: object };
    const Mutation = {
      ...resolvers.Mutation,
      cancelOrder: (_: unknown, { id }: { id: string }) => ({ id, total: 0 }),
    };
    const [{ source }] = options.topologies as unknown as [{ source: string }];
    const edited = edit(source);
    const durable = edited.replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true');
    const topologies = [{ name: 'shop.gg', source: durable }];
    return {
      ...rest,
      ...serve({
        ...options,
        topologies,
        resolvers: { ...resolvers, ...(edited.includes('cancelOrder') && { Mutation }) },
        runs: { file: ':memory:' },
      } as GqlServerOptions),
    };
  }

  const withUndo = (source: string) =>
    source
      .replace('chain: true }]->(order)', "undo: 'cancelOrder' }]->(order)")
      .concat("(order)-[:FOLD { operation: 'cancelOrder', id: ID!, returns: Order }]->(order)");
  const withPause = (source: string) =>
    source.replace('returns: Card, chain: true', "returns: Card, chain: true, pause: '1h'");

  test('is one run whose steps are calls', async () => {
    const { post } = serveDurable();
    const { id } = await post('/api/chains/payOrder', all);
    await expect.poll(() => runs()[0]?.state).toBe('completed');
    const [run, ...others] = runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ id, chain: 'payOrder', isDurable: true });
    expect(stepsOf(run)).toEqual(['signUp done', 'placeOrder done', 'payOrder done']);
    expect(calls().map((call) => call.run)).toEqual([id, id, id]);
  });

  test('shows a step that is tried again, and completes with it', async () => {
    const { post, state } = serveDurable();
    state.isDeclined = true;
    await post('/api/chains/payOrder', all);
    await expect.poll(() => stepsOf(runs()[0])?.[2]).toBe('payOrder retrying');
    expect(runs()[0]?.steps[2]?.problem).toBe('The bank is away.');
    expect(runs()[0]?.state).toBe('running');
    state.isDeclined = false;
    await expect.poll(() => runs()[0]?.state).toBe('completed');
  });

  test('shows a step that waits, until it runs', async () => {
    const { post } = serveDurable(withPause);
    onTestFinished(() => void vi.unstubAllGlobals());
    await post('/api/chains/payOrder', all);
    await expect.poll(() => stepsOf(runs()[0])?.[2]).toBe('payOrder waiting');
    expect(runs()[0]?.steps[2]?.start).toBeUndefined();
    jump(hour);
    await expect.poll(() => runs()[0]?.state).toBe('completed');
    expect(stepsOf(runs()[0])).toEqual(['signUp done', 'placeOrder done', 'payOrder done']);
  });

  test('shows the goal of a run that was cancelled while it waited as open', async () => {
    const { server, post } = serveDurable(withPause);
    const { id } = await post('/api/chains/payOrder', all);
    await expect.poll(() => stepsOf(runs()[0])?.[2]).toBe('payOrder waiting');
    await server.fetch(new Request(`http://localhost/api/runs/${id}/cancel`, { method: 'POST' }));
    await expect.poll(() => runs()[0]?.state).toBe('cancelled');
    expect(stepsOf(runs()[0])).toEqual(['signUp done', 'placeOrder done', 'payOrder open']);
  });

  test('shows the steps that were undone after a refusal', async () => {
    const { post } = serveDurable(withUndo);
    await post('/api/chains/payOrder', { ...all, payOrder: { id: 'o1' } });
    await expect.poll(() => runs()[0]?.state).toBe('failed');
    expect(stepsOf(runs()[0])).toEqual(['signUp done', 'placeOrder undone', 'payOrder failed']);
  });

  test.each([
    ['has completed', undefined, all, 'completed', ['done', 'done', 'done']],
    ['waits', withPause, all, 'running', ['done', 'done', 'waiting']],
    ['has failed and was undone', withUndo, { ...all, payOrder: { id: 'o1' } }, 'failed', ['done', 'undone', 'failed']],
  ])('is shown on a page that is opened after it %s', async (_, edit, inputs, state, steps) => {
    close();
    const { server, post } = serveDurable(edit);
    const { id } = await post('/api/chains/payOrder', inputs);
    const read = async () => {
      const response = await server.fetch(new Request(`http://localhost/api/runs/${id}`));
      return (await response.json()) as Run;
    };
    const isThere = ({ endedAt, waitsFor }: Run) => (endedAt ?? waitsFor) !== undefined;
    await expect.poll(async () => isThere(await read())).toBe(true);
    expect(runs()).toEqual([]);
    close = recorder.open();
    await expect.poll(() => runs()[0]?.state).toBe(state);
    const { createdAt, endedAt = '' } = await read();
    expect(runs()).toMatchObject([{ id, start: Date.parse(createdAt) }]);
    // The steps of a run end a moment before the run itself.
    const end = runs()[0]?.end ?? Number.NaN;
    if (state === 'running') expect(end).toBeNaN();
    else expect(end).toBeLessThanOrEqual(Date.parse(endedAt));
    const names = ['signUp', 'placeOrder', 'payOrder'];
    expect(stepsOf(runs()[0])).toEqual(names.map((name, at) => `${name} ${steps[at]}`));
  });
});

describe('the list of runs', () => {
  const followed = (id: string) =>
    ({ id, chain: 'pay', isDurable: true, steps: [{ name: 'pay', coordinate: 'Mutation.pay' }] }) as const;

  test('keeps the last runs', () => {
    const list = new RunList();
    for (let at = 0; at <= keptRuns; at++) list.change(followed(String(at)), { step: 'pay', state: 'running' });
    expect(list.take().map(({ id }) => id)).toEqual(Array.from({ length: keptRuns }, (_, at) => String(at + 1)));
    expect(list.take()).toEqual([]);
    list.touch();
    expect(list.take()).toHaveLength(keptRuns);
  });

  test('keeps a step undone when the engine reports again that it is done', () => {
    const list = new RunList();
    const [run] = [followed('1')];
    list.change(run, { step: 'pay', state: 'done' });
    list.change(run, { state: 'undoing' });
    list.change(run, { step: 'pay', state: 'undone' });
    list.change(run, { step: 'pay', state: 'done' });
    list.change(run, { state: 'cancelled' });
    expect(list.take()).toMatchObject([{ state: 'cancelled', steps: [{ state: 'undone' }], end: expect.any(Number) }]);
  });

  const open = ['waiting', 'running', 'retrying'] as const;
  const ends = ['undoing', 'cancelled', 'failed'] as const;
  test.each(open.flatMap((state) => ends.map((end) => [state, end] as const)))(
    'shows a step that is %s as open when its run is %s, and a result that comes later',
    (state, end) => {
      const list = new RunList();
      const stepsNow = () => list.take()[0]?.steps;
      list.change(followed('1'), { step: 'pay', state, detail: 'It waits for paid.' });
      list.change(followed('1'), { state: end });
      expect(stepsNow()).toEqual([{ name: 'pay', coordinate: 'Mutation.pay', state: 'open' }]);
      list.change(followed('1'), { step: 'pay', state: 'done' });
      expect(stepsNow()).toMatchObject([{ state: 'done' }]);
    },
  );
});
