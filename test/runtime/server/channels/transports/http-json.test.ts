import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createHttpJsonChannel,
  type HttpJsonOptions,
} from '../../../../../src/runtime/server/channels/transports/http-json.js';
import { subscribe } from '../../subscriber.js';
import { ask, post } from '../../topology-server.js';
import { callOf, serveIo, take } from '../io-server.js';

/** The outside world: a server that answers as the test says. */
async function world(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listen(createServer(answer));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    (server as { closeAllConnections?(): void }).closeAllConnections?.();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A busy machine must not reach the limits, unless a test is about them. */
const patient = { timeout: 600_000, attemptTimeout: 600_000 };

function channelOf(url: string, options: Partial<HttpJsonOptions> = {}) {
  return createHttpJsonChannel({ node: 'far', direction: 'inout', url, interval: 5, ...patient, ...options });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const failure = (fault: string, reason: string) => expect.objectContaining({ fault, reason });

afterEach(() => vi.restoreAllMocks());

describe('reading over HTTP', () => {
  test('puts the arguments into the URL, and the headers on the request', async () => {
    const url = await world((request, response) =>
      json(response, { url: request.url, token: request.headers['x-token'], method: request.method }),
    );
    let token = 0;
    const channel = channelOf(`${url}/items/{id}?v=1`, { headers: () => ({ 'x-token': String(++token) }) });
    const args = { id: 'a/b c', tags: ['x', 'y'], near: { lat: 1 }, none: null, left: undefined };
    expect(await channel.read?.(callOf({ args }))).toEqual({
      url: '/items/a%2Fb%20c?v=1&tags=x&tags=y&near=%7B%22lat%22%3A1%7D',
      token: '1',
      method: 'GET',
    });
    expect(await channel.read?.(callOf())).toMatchObject({ url: '/items/?v=1', token: '2' });
  });

  test.each(['.', '..'])('does not leave the path, for any argument: %s', async (id) => {
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      json(response, {});
    });
    for (const address of [`${url}/items/{id}`, `${url}/items/{id}/price`, `${url}/{id}`]) {
      const reading = async () => channelOf(address).read?.(callOf({ args: { id } }));
      await expect(reading()).rejects.toEqual(failure('failed', 'an argument is not allowed in the URL'));
    }
    expect(times).toBe(0);
  });

  test('returns null for 404', async () => {
    const url = await world((_request, response) => json(response, { title: 'Not Found' }, 404));
    expect(await channelOf(url).read?.(callOf())).toBeNull();
  });

  test.each([429, 502, 503, 504])('retries if the answer is %i', async (status) => {
    let times = 0;
    const url = await world((_request, response) => json(response, { times: ++times }, times < 3 ? status : 200));
    expect(await channelOf(url).read?.(callOf())).toEqual({ times: 3 });
  });

  test('retries if the connection breaks before or during an answer', async () => {
    let times = 0;
    const url = await world((request, response) => {
      times += 1;
      if (times === 1) request.socket.destroy();
      else if (times === 2)
        response.writeHead(200, { 'content-length': '100' }).write('{"half":', () => request.socket.destroy());
      else json(response, { times });
    });
    expect(await channelOf(url).read?.(callOf())).toEqual({ times: 3 });
  });

  test.each([
    ['2', 2_000],
    ['0.3', 300],
    // Too long, too short or no number: the pause of the first retry.
    ['6', 100],
    ['0.01', 100],
    ['soon', 100],
  ])('waits before it retries after Retry-After: %s', async (header, pause) => {
    const { setTimeout } = globalThis;
    const pauses: unknown[] = [];
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay: number) => {
      pauses.push(delay);
      return setTimeout(run, delay === pause ? 0 : delay);
    }) as typeof setTimeout);
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      if (times === 1) response.writeHead(503, { 'retry-after': header }).end();
      else json(response, { times });
    });
    expect(await channelOf(url).read?.(callOf())).toEqual({ times: 2 });
    expect(pauses).toContain(pause);
  });

  test.each([400, 401, 500])('does not retry if the answer is %i', async (status) => {
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      json(response, {}, status);
    });
    await expect(channelOf(url).read?.(callOf())).rejects.toEqual(
      failure('failed', `the answer has the status ${status}`),
    );
    expect(times).toBe(1);
  });

  test('gives up after its last attempt', async () => {
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      response.writeHead(503, { 'retry-after': 'tomorrow' }).end();
    });
    await expect(channelOf(url, { retries: 1 }).read?.(callOf())).rejects.toEqual(
      failure('failed', 'the answer has the status 503'),
    );
    expect(times).toBe(2);
  });

  test('fails at an address without a listener', async () => {
    const server = createTcpServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(channelOf(url, { retries: 0 }).read?.(callOf())).rejects.toEqual(
      failure('failed', 'the connection failed'),
    );
  });

  test.each([
    ['one that never answers', (_response: ServerResponse, isLate: () => void) => isLate()],
    [
      'one that answers drop by drop',
      (response: ServerResponse, isLate: () => void) => {
        response.writeHead(200).write('[');
        // The time passes once: the end of an attempt may be noticed several drops later.
        let drops = 0;
        const drop = setInterval(() => response.write(' ', () => ++drops === 1 && isLate()), 5);
        response.once('close', () => clearInterval(drop));
      },
    ],
  ])('does not wait for %s', async (_what, answer) => {
    // Apart from the test, time passes as usual: the pause between two attempts is real.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    // A signal that was garbage-collected inside `AbortSignal.any`: it never fires.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      answer(response, () => vi.advanceTimersByTime(90_000));
    });
    const channel = channelOf(url, { attemptTimeout: 90_000, retries: 1 });
    await expect(channel.read?.(callOf())).rejects.toEqual(
      failure('timeout', 'no answer after 2 attempts of 90000 ms'),
    );
    expect(times).toBe(2);
    await expect(channelOf(url, { attemptTimeout: 90_000, retries: 0 }).read?.(callOf())).rejects.toEqual(
      failure('timeout', 'no answer after 1 attempt of 90000 ms'),
    );
  });

  test.each([
    ['<html>', 'the answer is not JSON'],
    ['{"half":', 'the answer is not JSON'],
    ['', 'the answer is not JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), 'the answer is not UTF-8 text'],
    [`"${'x'.repeat(100)}"`, 'the answer has more than 50 bytes'],
  ])('fails at %j, once', async (body, reason) => {
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      response.end(body);
    });
    await expect(channelOf(url, { maxBytes: 50 }).read?.(callOf())).rejects.toEqual(failure('unreadable', reason));
    expect(times).toBe(1);
  });

  test('stops when it is cancelled, even between two attempts', async () => {
    const controller = new AbortController();
    const url = await world((_request, response) => {
      response.writeHead(503).end(() => controller.abort(new Error('gone')));
    });
    await expect(channelOf(url).read?.(callOf({ signal: controller.signal }))).rejects.toThrow('gone');
  });
});

describe('writing over HTTP', () => {
  test('posts the record once and returns the answer', async () => {
    const url = await world(async (request, response) => {
      const body = JSON.parse(await textOf(request));
      json(
        response,
        { id: '7', body, path: request.url, method: request.method, type: request.headers['content-type'] },
        201,
      );
    });
    const written = { body: { name: 'Ada' }, type: 'application/json', id: '7' };
    const channel = channelOf(`${url}/users/{group}`, { headers: { 'x-a': '1' } });
    expect(await channel.write?.({ name: 'Ada' }, callOf({ args: { group: 'g', other: 1 } }))).toEqual({
      ...written,
      path: '/users/g',
      method: 'POST',
    });
    expect(await channelOf(url, { method: 'PUT' }).write?.({ name: 'Ada' }, callOf())).toEqual({
      ...written,
      path: '/',
      method: 'PUT',
    });
  });

  test('returns undefined for an answer without a body', async () => {
    const url = await world((_request, response) => void response.writeHead(204).end());
    expect(await channelOf(url).write?.({}, callOf())).toBeUndefined();
  });

  test.each([404, 503])('is never retried, here after %i', async (status) => {
    let times = 0;
    const url = await world((_request, response) => {
      times += 1;
      json(response, {}, status);
    });
    await expect(channelOf(url).write?.({}, callOf())).rejects.toEqual(
      failure('failed', `the answer has the status ${status}`),
    );
    expect(times).toBe(1);
  });
});

describe('subscribing over HTTP', () => {
  test('polls once for all subscribers of a URL, and reports each change', async () => {
    let count = 0;
    let open = 0;
    const url = await world((request, response) => {
      open += 1;
      json(response, { path: request.url, value: Math.floor(count++ / 3) });
    });
    const channel = channelOf(`${url}/{id}`);
    const both = [1, 2].map(() => take(channel.subscribe?.(callOf({ args: { id: 'a' } })), 2));
    const [one, other] = await Promise.all(both);
    expect(one).toEqual([
      { path: '/a', value: 1 },
      { path: '/a', value: 2 },
    ]);
    expect(other).toEqual(one);
    expect(open).toBe(count);
    const after = count;
    expect(after).toBeLessThan(10);
  });

  test('reports a failure and continues', async () => {
    let count = 0;
    const url = await world((_request, response) => {
      count += 1;
      if (count === 2) response.writeHead(500).end();
      else json(response, { count });
    });
    const events = await take(channelOf(url).subscribe?.(callOf()), 2);
    expect(events).toEqual([failure('failed', 'the answer has the status 500'), { count: 3 }]);
  });

  test('ends when the channel is closed', async () => {
    const url = await world((_request, response) => json(response, {}));
    const channel = channelOf(url);
    const taking = take(channel.subscribe?.(callOf()), 1);
    await channel.close?.();
    expect(await taking).toEqual([]);
  });
});

test('a channel rejects a malformed URL when it is created', () => {
  expect(() => channelOf('not an address')).toThrow(TypeError);
});

describe('an HTTP source behind a topology', () => {
  const source = `
    (far)-[:PROCESS { id: ID! }]->(item: Record { id: ID!, price: Int! })
    (root)-[:PROCESS]->(hello { text: 'Hello' })
  `;

  test.each([
    [
      'is dead',
      (response: ServerResponse) => response.socket?.destroy(),
      502,
      'GG5011',
      'failed: the connection failed',
    ],
    ['is slow', () => undefined, 504, 'GG5012', 'timed out: no answer within 50 ms'],
    [
      'speaks garbage',
      (response: ServerResponse) => response.end('<html>'),
      502,
      'GG5013',
      'returned an unusable value: the answer is not JSON',
    ],
    [
      'breaks off in the middle',
      (response: ServerResponse) => response.writeHead(200).write('{"id"', () => response.socket?.destroy()),
      502,
      'GG5011',
      'failed: the connection failed',
    ],
    [
      'gives a string instead of an object',
      (response: ServerResponse) => response.end('"x"'),
      502,
      'GG5013',
      'returned an unusable value: it must be an object',
    ],
    [
      'gives a list instead of an object',
      (response: ServerResponse) => response.end('[]'),
      502,
      'GG5013',
      'returned an unusable value: it must be an object',
    ],
  ])('that %s fails only the operation, with the name of the node', async (_what, answer, status, code, words) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const url = await world((_request, response) => void answer(response));
    const limits = code === 'GG5012' ? { timeout: 50 } : {};
    const server = serveIo(source, [channelOf(url, { direction: 'in', retries: 0, ...limits })]);
    const detail = `The channel of the node far (http) ${words}.`;
    expect(await ask(server, '/api/item?id=1')).toMatchObject({
      status,
      body: { code, node: 'far', transport: 'http', detail },
    });
    const query = '{ item(id: "1") { id } hello { text } }';
    const { body } = await post(server, '/graphql', { query });
    expect(body.data).toEqual({ item: null, hello: { text: 'Hello' } });
    expect(body.errors).toEqual([
      {
        message: detail,
        path: ['item'],
        locations: expect.anything(),
        extensions: { code, node: 'far', transport: 'http' },
      },
    ]);
    // What the system said, the address with it, is for the operator.
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
    expect(logged.mock.calls.length).toBe(code === 'GG5011' ? 2 : 0);
  });

  test('answers many operations at once', async () => {
    const url = await world((_request, response) => json(response, { id: '1', price: 5 }));
    const server = serveIo(source, [channelOf(url, { direction: 'in' })]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, '/api/item?id=1')));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ id: '1', price: 5 })));
  });

  test('serves subscriptions', async () => {
    let price = 0;
    const url = await world((_request, response) => json(response, { id: '1', price: price++ }));
    const server = serveIo('(far)-[:FORK]->(moved: Event { id: ID!, price: Int! })', [
      channelOf(url, { direction: 'in' }),
    ]);
    const events = await subscribe(server, 'subscription { moved { price } }');
    expect(await events.next()).toEqual({ data: { moved: { price: 1 } } });
    expect(await events.next()).toEqual({ data: { moved: { price: 2 } } });
    await events.stop();
  });
});
