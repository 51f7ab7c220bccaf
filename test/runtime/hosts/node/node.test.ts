import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createNodeListener } from '../../../../src/runtime/hosts/node/node.js';
import type { FetchCompatibleGraphQLServer } from '../../../../src/runtime/server/gql-server.js';
import { read, serve } from '../../server/topology-server.js';

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Listens on the loopback interface; gives the origin. */
async function listen(server: FetchCompatibleGraphQLServer): Promise<string> {
  const http = createServer(createNodeListener(server));
  servers.push(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Answers every request with a function. */
function answering(answer: (request: Request) => Response | Promise<Response>): Promise<string> {
  return listen({ fetch: answer });
}

/** Sends a request whose client leaves when the server has it. Settles when the server has noticed that. */
function leave(answer: Promise<Response>): Promise<unknown> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    answering(({ signal }) => {
      signal.addEventListener('abort', resolve);
      controller.abort();
      return answer;
    }).then((origin) => fetch(origin, { signal: controller.signal }).catch(() => undefined));
  });
}

/** Sends bytes as they are; gives all that comes back until the server closes or `until` came. */
async function raw(origin: string, text: string, until?: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  sockets.push(socket);
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (until !== undefined && answer.includes(until)) break;
  }
  return answer;
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('over HTTP', () => {
  const source = "(root)-[:PROCESS { id: ID }]->(user { name: 'Ada' })\n(form { x: Int })-[:FOLD]->(saved { y: 1 })";

  test('a server answers REST, GraphQL and documents', async () => {
    const origin = await listen(serve(source));
    expect((await read(await fetch(`${origin}/api/user?id=1`))).body).toEqual({ name: 'Ada' });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const saved = await read(await fetch(`${origin}/api/saved`, { ...init, body: '{"input":{"x":1}}' }));
    expect(saved.body).toEqual({ y: 1 });
    const query = JSON.stringify({ query: 'mutation { saved { y } }' });
    const viaGraphQL = await read(await fetch(`${origin}/graphql`, { ...init, body: query }));
    expect(viaGraphQL.body).toEqual({ data: { saved: { y: 1 } } });
    const head = await fetch(`${origin}/api/user`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '14']);
    const collection = await read(await fetch(`${origin}/collection.json`));
    expect(collection.body.variable[0].value).toBe(origin);
  });

  test('a body that is too large gets 413, and the connection stays open', async () => {
    const origin = await listen(serve(source));
    const answer = await fetch(`${origin}/api/saved`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(8 * 1024 * 1024),
    });
    expect(answer.status).toBe(413);
    expect((await fetch(`${origin}/api/user`)).status).toBe(200);
  });

  test('a chunked body that is too large gets 413', async () => {
    const origin = await listen(serve(source));
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 8; at++) controller.enqueue(new Uint8Array(512 * 1024));
        controller.close();
      },
    });
    const answer = await fetch(`${origin}/api/saved`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  describe('a body', () => {
    const body = JSON.stringify({ input: { x: 1 } });
    const head = (length: string) =>
      `POST /api/saved HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    const counted = head(`Content-Length: ${body.length}`);
    const half = body.length >> 1;
    const chunked = (...parts: readonly string[]) =>
      `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
    const withChunks = head('Transfer-Encoding: chunked');
    test.each([
      ['in one piece with its head', [counted + body]],
      ['in a piece of its own', [counted, body]],
      ['in several pieces', [counted + body.slice(0, half), body.slice(half)]],
      ['in chunks of one piece', [withChunks + chunked(body.slice(0, half), body.slice(half))]],
      [
        'in chunks of several pieces',
        [withChunks, chunked(body.slice(0, half)).slice(0, -5), chunked(body.slice(half))],
      ],
    ])('is read %s', async (_, pieces) => {
      const origin = await listen(serve(source));
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      sockets.push(socket);
      for (const piece of pieces) {
        socket.write(piece);
        await soon();
      }
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"y":1\}$/);
    });

    test('of no bytes is none', async () => {
      const origin = await listen(serve(source));
      expect(await raw(origin, head('Content-Length: 0'), '{"y":1}')).toContain('HTTP/1.1 200 OK');
    });

    test.each(['before', 'after'])('is also read by listeners that were added %s', async (when) => {
      const heard: string[] = [];
      const answer = createNodeListener(serve(source));
      const http = createServer((incoming, outgoing) => {
        const hear = () => incoming.on('data', (chunk) => heard.push(String(chunk)));
        if (when === 'before') hear();
        answer(incoming, outgoing);
        if (when === 'after') hear();
      });
      servers.push(http);
      http.listen(0, '127.0.0.1');
      await once(http, 'listening');
      const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      expect(await raw(origin, counted + body, '{"y":1}')).toContain('HTTP/1.1 200 OK');
      expect(heard.join('')).toBe(body);
    });
  });

  test('one connection serves many requests', async () => {
    const origin = await listen(serve(source));
    const one = 'GET /api/user HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await raw(origin, one + one + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(answer.match(/\{"name":"Ada"\}/g)).toHaveLength(3);
  });
});

describe('a request', () => {
  test('arrives with its method, address, headers and body', async () => {
    const origin = await answering(async (request) =>
      Response.json({
        method: request.method,
        url: request.url,
        header: request.headers.get('x-two'),
        body: await request.text(),
      }),
    );
    const answer = await read(
      await fetch(`${origin}/a/b?c=d`, { method: 'PUT', headers: { 'x-two': 'ü' }, body: 'text' }),
    );
    expect(answer.body).toEqual({ method: 'PUT', url: `${origin}/a/b?c=d`, header: 'ü', body: 'text' });
  });

  test('has the URL that it names', async () => {
    const origin = await answering((request) => new Response(request.url));
    const urlOf = async (target: string, host: string) =>
      (await raw(origin, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).split('\r\n\r\n')[1];
    expect(await urlOf('/a', 'api.example:81')).toContain('http://api.example:81/a');
    expect(await urlOf('//evil.example/a', 'api.example')).toContain('http://api.example//evil.example/a');
    expect(await urlOf('http://proxy.example/a', 'api.example')).toContain('http://proxy.example/a');
    expect(await urlOf('*', 'api.example')).toContain('http://api.example/*');
  });

  test('without a host gets a default host', async () => {
    const origin = await answering((request) => new Response(request.url));
    expect(await raw(origin, 'GET /a HTTP/1.0\r\n\r\n')).toContain('http://localhost/a');
  });

  test.each([
    ['GET /a HTTP/1.1\r\nHost: a b\r\n', 400],
    ['GET http://[bad/ HTTP/1.1\r\nHost: x\r\n', 400],
    ['TRACE /a HTTP/1.1\r\nHost: x\r\n', 405],
  ])('%j is rejected', async (head, status) => {
    const called = vi.fn(() => new Response());
    const answer = await raw(await answering(called), `${head}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(called).not.toHaveBeenCalled();
  });

  test('is aborted when its client disconnects', async () => {
    await leave(new Promise(() => undefined));
  });

  test('that was answered is not aborted', async () => {
    let signal: AbortSignal | undefined;
    const origin = await answering((request) => {
      signal = request.signal;
      return new Response('done');
    });
    await (await fetch(origin)).text();
    await soon();
    expect(signal?.aborted).toBe(false);
  });

  test('whose body never ends is closed some time after its answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const origin = await answering(() => new Response('enough'));
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    sockets.push(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nsome');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    socket.on('error', () => undefined);
    await closed;
  });
});

describe('an answer', () => {
  test('keeps its status, its status text and separate cookies', async () => {
    const headers = new Headers({ 'x-one': '1' });
    headers.append('set-cookie', 'a=1; Path=/');
    headers.append('set-cookie', 'b=2');
    const origin = await answering(() => new Response('short', { status: 418, statusText: 'Teapot', headers }));
    const answer = await fetch(origin);
    expect([answer.status, answer.statusText, answer.headers.get('x-one')]).toEqual([418, 'Teapot', '1']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(await answer.text()).toBe('short');
  });

  test('may be without a body', async () => {
    const origin = await answering(() => new Response(null, { status: 204 }));
    expect((await fetch(origin)).status).toBe(204);
  });

  test('sends its headers before its stream has data', async () => {
    let say: (text: string) => void = () => undefined;
    const origin = await answering(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              say = (text) => {
                controller.enqueue(new TextEncoder().encode(text));
                controller.close();
              };
            },
          }),
        ),
    );
    const answer = await fetch(origin);
    say('later');
    expect(await answer.text()).toBe('later');
  });

  test('waits for a client that reads slowly', async () => {
    const chunk = new Uint8Array(64 * 1024);
    let produced = 0;
    const origin = await answering(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              produced += 1;
              if (produced > 2_000) controller.close();
              else controller.enqueue(chunk);
            },
          }),
        ),
    );
    const answer = await fetch(origin);
    await soon();
    await soon();
    // Nobody has read yet: what was produced is what the buffers of both sides hold, not the whole.
    expect(produced).toBeLessThan(1_000);
    expect((await answer.arrayBuffer()).byteLength).toBe(2_000 * chunk.length);
  });

  test('is cancelled when its client disconnects, even while it has no data', async () => {
    const cancelled = vi.fn();
    const origin = await answering(() => new Response(new ReadableStream({ cancel: cancelled })));
    const controller = new AbortController();
    await fetch(origin, { signal: controller.signal });
    controller.abort();
    await expect.poll(() => cancelled).toHaveBeenCalledOnce();
  });

  test('is cancelled when its client disconnects in the middle of a large body', async () => {
    const cancelled = vi.fn();
    const origin = await answering(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
            cancel: cancelled,
          }),
        ),
    );
    const controller = new AbortController();
    await fetch(origin, { signal: controller.signal });
    await soon();
    controller.abort();
    await expect.poll(() => cancelled).toHaveBeenCalledOnce();
  });

  test('that comes after its client has disconnected is dropped', async () => {
    const cancelled = vi.fn();
    let answer: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    await leave(late);
    answer(new Response(new ReadableStream({ cancel: cancelled })));
    await expect.poll(() => cancelled).toHaveBeenCalledOnce();
  });

  test('that fails becomes 500, or is cut off if it was partly sent', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const failing = await answering(() => Promise.reject(new Error('no answer')));
    expect((await fetch(failing)).status).toBe(500);
    const breaking = await answering(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new TextEncoder().encode('half'));
              await soon();
              controller.error(new Error('broken'));
            },
          }),
        ),
    );
    await expect(fetch(breaking).then((response) => response.text())).rejects.toThrow();
    expect(log.mock.calls.map((call) => (call.at(-1) as Error).message)).toEqual(['no answer', 'broken']);
  });

  test('that fails after the client has disconnected is ignored', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<Response>((_, reject) => {
      fail = reject;
    });
    await leave(late);
    fail(new Error('too late'));
    await soon();
    expect(log).not.toHaveBeenCalled();
  });
});
