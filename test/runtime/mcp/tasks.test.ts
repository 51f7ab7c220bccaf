import { type CallToolResult, type Client, type CreateTaskResult, specTypeSchemas } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import { shop } from '../call/chains/shop.js';
import { noSqlite } from '../store/engines.js';
import { connectTo, textOf } from './connect.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The shop, whose chain `payOrder` is durable and drops the order if it is not paid. */
function serve(more: Partial<GqlServerOptions> = {}, retries = 0) {
  const { options, ran, state } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const { Query, Mutation } = options.resolvers as unknown as Record<string, object>;
  const durable = source
    .replace('returns: Order, chain: true', "returns: Order, undo: 'dropOrder'")
    .replace('returns: Card, chain: true', `returns: Card, chain: true, durable: true, retries: ${retries}`)
    .concat("(order)-[:FOLD { operation: 'dropOrder', id: ID!, returns: Order }]->(order)");
  const dropOrder = (_: unknown, { id }: { id: string }) => ({ id, total: 1 });
  const server = createGqlServer({
    ...options,
    topologies: [{ name: 'shop.gg', source: durable }],
    resolvers: { Query, Mutation: { ...Mutation, dropOrder } } as never,
    runs: { file: ':memory:' },
    authenticate: ({ header }) => {
      const id = header('authorization');
      return id === undefined ? null : { id };
    },
    ...more,
  });
  open.push(server);
  const as = (name: string) => connectTo(server, '2025-11-25', { authorization: name });
  return { server, ran, state, as };
}

const all = { payOrder: {}, placeOrder: { total: 3 }, signUp: { input: { name: 'Ada' } } };
const results = {
  signUp: { id: '7', name: 'Ada' },
  placeOrder: { id: 'o7-1', total: 3 },
  payOrder: { id: 'co7-1', code: 'ok' },
};

async function toolOf(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  const able = tools.filter(({ execution }) => execution?.taskSupport === 'optional');
  expect(able).toHaveLength(1);
  return able[0]?.name ?? '';
}

async function begin(client: Client, given: object = all, name?: string) {
  const params = { name: name ?? (await toolOf(client)), arguments: given as never, task: {} };
  return client.request({ method: 'tools/call', params }, specTypeSchemas.CreateTaskResult);
}

const about = ({ task: { taskId } }: CreateTaskResult) => ({ taskId });
const read = (client: Client, params: { readonly taskId: string }) =>
  client.request({ method: 'tasks/get', params }, specTypeSchemas.GetTaskResult);
const finish = (client: Client, params: { readonly taskId: string }) =>
  client.request(
    { method: 'tasks/result', params } as never,
    specTypeSchemas.CallToolResult,
  ) as Promise<CallToolResult>;
const list = (client: Client) => client.request({ method: 'tasks/list' } as never, specTypeSchemas.ListTasksResult);
const cancel = (client: Client, params: { readonly taskId: string }) =>
  client.request({ method: 'tasks/cancel', params }, specTypeSchemas.CancelTaskResult);

describe.skipIf(noSqlite)('a call as a task', () => {
  test('is the run of its chain, with the result of a call without a task and the steps of REST', async () => {
    const { server, as, ran } = serve();
    const ada = await as('ada');
    expect(ada.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const begun = await begin(ada);
    expect(begun.task).toMatchObject({ status: 'working', ttl: null, pollInterval: 1000 });
    const result = await finish(ada, about(begun));
    expect(result.structuredContent).toEqual(results);
    expect(JSON.parse(textOf(result))).toEqual(results);
    expect(result._meta).toMatchObject({ 'io.modelcontextprotocol/related-task': about(begun) });
    expect(await read(ada, about(begun))).toMatchObject({ ...about(begun), status: 'completed' });
    const response = await server.fetch(
      new Request(`http://localhost/api/runs/${begun.task.taskId}`, { headers: { authorization: 'ada' } }),
    );
    const steps = Object.entries(results).map(([operation, result]) => ({ operation, result }));
    expect(await response.json()).toMatchObject({ id: begun.task.taskId, state: 'completed', steps });
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
    const direct = await ada.callTool({ name: await toolOf(ada), arguments: all });
    expect(Object.keys(direct.structuredContent ?? {}).sort()).toEqual(Object.keys(results).sort());
  });

  test('is found by its own caller only, for whom it is listed', async () => {
    const { as } = serve();
    const [ada, eve] = [await as('ada'), await as('eve')];
    const first = about(await begin(ada));
    const second = about(await begin(ada));
    for (const ask of [read, cancel, finish])
      for (const params of [first, { taskId: crypto.randomUUID() }, { taskId: "x' OR 1=1" }])
        await expect(ask(eve, params)).rejects.toMatchObject({
          code: -32602,
          message: expect.stringContaining('There is no such run.'),
        });
    await Promise.all([finish(ada, first), finish(ada, second)]);
    const { tasks } = await list(ada);
    expect(tasks.map(({ taskId }) => taskId).sort()).toEqual([first.taskId, second.taskId].sort());
    expect((await list(eve)).tasks).toEqual([]);
  });

  test('is not listed for a caller that cannot be told apart, but read by its id', async () => {
    const { server } = serve();
    const client = await connectTo(server, '2025-11-25');
    const begun = about(await begin(client));
    expect((await finish(client, begun)).structuredContent).toEqual(results);
    expect((await list(client)).tasks).toEqual([]);
  });

  test('fails with the problem of its step, and does not name the steps that were undone as done', async () => {
    const { as, state } = serve();
    state.isDeclined = true;
    const ada = await as('ada');
    const begun = about(await begin(ada));
    const result = await finish(ada, begun);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        done: { signUp: results.signUp },
        failed: { step: 'payOrder', status: 500, undone: ['placeOrder'] },
      },
    });
    expect(await read(ada, begun)).toMatchObject({
      status: 'failed',
      statusMessage: 'payOrder: The bank is away.',
    });
  });

  test('is cancelled once', async () => {
    const { as, state } = serve({}, 50);
    state.isDeclined = true;
    const ada = await as('ada');
    const begun = about(await begin(ada));
    await cancel(ada, begun);
    const result = await finish(ada, begun);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('The run was cancelled.');
    expect(await read(ada, begun)).toMatchObject({ status: 'cancelled' });
  });

  test('cannot be cancelled after its end', async () => {
    const { as } = serve();
    const ada = await as('ada');
    const begun = about(await begin(ada));
    await finish(ada, begun);
    await expect(cancel(ada, begun)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('The run has ended.'),
    });
  });

  test('is refused before a run begins if its inputs are wrong or it names other operations', async () => {
    const { as, ran } = serve();
    const ada = await as('ada');
    await expect(begin(ada, { ...all, placeOrder: { total: 'five' } })).rejects.toMatchObject({
      code: -32602,
      data: { status: 400 },
    });
    for (const given of [{ signUp: all.signUp }, { ...all, orders: {} }])
      await expect(begin(ada, given)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('Only a call of a durable chain can be a task: payOrder'),
      });
    expect(ran).toEqual([]);
    expect((await list(ada)).tasks).toEqual([]);
  });

  test('ends the wait for its result if the server shuts down', async () => {
    const { server, as, state, ran } = serve({}, 50);
    state.isDeclined = true;
    const ada = await as('ada');
    const begun = about(await begin(ada, { payOrder: { id: '9' } }));
    await expect.poll(() => ran).toContain('payOrder');
    const outcome = finish(ada, begun);
    server.drain();
    await expect(outcome).rejects.toMatchObject({ code: -32603, data: { status: 503 } });
  });

  test.each(['operations', 'find'] as const)('is a call of one step with tools: %s, too', async (tools) => {
    const { as } = serve({ mcp: { tools } });
    const ada = await as('ada');
    const given = tools === 'find' ? { name: 'payOrder', inputs: { payOrder: { id: 'o9' } } } : { id: 'o9' };
    const result = await finish(ada, about(await begin(ada, given)));
    expect(result.structuredContent).toEqual({ payOrder: { id: 'co9', code: 'ok' } });
    if (tools === 'find')
      await expect(begin(ada, { ...given, fields: { payOrder: ['id'] } })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('without “fields”'),
      });
  });
});

describe.skipIf(noSqlite)('the extension of MCP 2026-07-28', () => {
  const key = 'io.modelcontextprotocol';
  const envelope = (accepts: boolean) => ({
    [`${key}/protocolVersion`]: '2026-07-28',
    [`${key}/clientInfo`]: { name: 'test', version: '1.0.0' },
    [`${key}/clientCapabilities`]: accepts ? { extensions: { [`${key}/tasks`]: {} } } : {},
  });
  /** Sends a request as it is, because the official client does not read tasks of this version. */
  const send = async (
    server: GqlServer,
    method: string,
    params: { readonly [name: string]: unknown; readonly name?: string; readonly taskId?: string },
    accepts = true,
  ) => {
    const response = await server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: 'ada',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          'mcp-name': String(params.name ?? params.taskId),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method,
          params: { ...params, _meta: envelope(accepts) },
        }),
      }),
    );
    const text = await response.text();
    const body = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? text);
    return JSON.parse(body) as {
      readonly result?: { readonly [name: string]: unknown; readonly taskId: string };
      readonly error?: { readonly code: number; readonly message: string };
    };
  };

  test('answers clients that accept tasks with a task, whose result it has at its end', async () => {
    const { server } = serve();
    const client = await connectTo(server, '2026-07-28', { authorization: 'ada' });
    expect(client.getServerCapabilities()).toMatchObject({ extensions: { [`${key}/tasks`]: {} } });
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    const name = (await client.listTools()).tools.find((tool) => tool.name !== 'read')?.name ?? '';
    const { result } = await send(server, 'tools/call', { name, arguments: all });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    const taskId = result?.taskId ?? '';
    const get = async () => (await send(server, 'tasks/get', { taskId })).result;
    await expect.poll(async () => (await get())?.status).toBe('completed');
    expect(await get()).toMatchObject({ resultType: 'complete', result: { structuredContent: results } });
    expect((await send(server, 'tasks/update', { taskId, inputResponses: {} })).error).toBeUndefined();
    expect((await send(server, 'tasks/list', {})).error).toMatchObject({ code: -32601 });
    const eve = await connectTo(server, '2026-07-28', { authorization: 'eve' });
    await expect(read(eve, { taskId })).rejects.toMatchObject({ code: -32602 });
  });

  test('answers other calls, and other clients, with their results', async () => {
    const { server } = serve();
    const client = await connectTo(server, '2026-07-28', { authorization: 'ada' });
    const name = (await client.listTools()).tools.find((tool) => tool.name !== 'read')?.name ?? '';
    const wrong = await send(server, 'tools/call', { name, arguments: { payOrder: {}, signUp: 5 } });
    expect(wrong.result).toMatchObject({ resultType: 'complete', isError: true });
    const other = await send(server, 'tools/call', { name, arguments: { signUp: all.signUp } });
    expect(other.result).toMatchObject({ structuredContent: { signUp: results.signUp } });
    const given = { name, arguments: { payOrder: { id: 'o9' } } };
    const direct = { structuredContent: { payOrder: { id: 'co9', code: 'ok' } } };
    expect((await send(server, 'tools/call', given, false)).result).toMatchObject(direct);
    expect(await client.callTool(given)).toMatchObject(direct);
  });

  test('a refused call of the tool run teaches the right one', async () => {
    const { server, as, ran } = serve({ mcp: { tools: 'find' } });
    const given = { name: 'payOrder', inputs: { placeOrder: { total: 'five' } } };
    const { result } = await send(server, 'tools/call', { name: 'run', arguments: given });
    const schema = { properties: { signUp: {}, placeOrder: {}, payOrder: {} } };
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { failed: { status: 400, inputSchema: schema } },
    });
    await expect(begin(await as('ada'), given)).rejects.toMatchObject({ data: { status: 400, inputSchema: schema } });
    expect(ran).toEqual([]);
  });

  test('acknowledges the end of a task, and gives a failed run as a result with isError', async () => {
    const { server, state } = serve();
    state.isDeclined = true;
    const client = await connectTo(server, '2026-07-28', { authorization: 'ada' });
    const name = (await client.listTools()).tools.find((tool) => tool.name !== 'read')?.name ?? '';
    const { result } = await send(server, 'tools/call', { name, arguments: { payOrder: { id: 'o9' } } });
    const taskId = result?.taskId ?? '';
    const get = async () => (await send(server, 'tasks/get', { taskId })).result;
    await expect.poll(async () => (await get())?.status).toBe('completed');
    expect(await get()).toMatchObject({ result: { isError: true } });
    expect((await send(server, 'tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
  });
});
