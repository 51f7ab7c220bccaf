import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  apiKeys,
  createBetaHttpServer,
  createBetaNodeRequestListener,
  createGqlServer,
  type GqlServerOptions,
} from '../../../src/index.js';
import type { GgFile } from '../../../src/runtime/uploads/uploaded-file.js';

const source = `
(root)-[:PROCESS]->(stored { id: ID! })
(root)-[:FOLD { operation: 'store', id: ID!, file: File! }]->(stored)
(root)-[:FOLD { operation: 'both', one: File!, two: File! }]->(stored)
`;

const guardedSource = `${source}
(root)-[:FOLD { operation: 'guarded', file: File!, auth: 'required' }]->(stored)
`;

const running: ReturnType<typeof createBetaHttpServer>[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const http of running.splice(0)) {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});

async function serve(mutations: object, more: Partial<GqlServerOptions> = {}) {
  const server = createGqlServer({
    topologies: [{ name: 'uploads.gg', source }],
    ...more,
    resolvers: { Mutation: mutations },
  });
  const http = createBetaHttpServer(server);
  running.push(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return (http.address() as AddressInfo).port;
}

/** Begins a request with the head of a form, to which a test adds. */
function begin(port: number, path: string, ...parts: readonly string[]) {
  const outgoing = ask({
    port,
    path,
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  outgoing.on('error', () => undefined);
  outgoing.write(parts.join(''));
  const answer = once(outgoing, 'response').then(async ([incoming]: IncomingMessage[]) => {
    let text = '';
    for await (const chunk of incoming as IncomingMessage) text += chunk;
    return { status: incoming?.statusCode, body: text === '' ? undefined : JSON.parse(text) };
  });
  answer.catch(() => undefined);
  return { outgoing, answer };
}

const text = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.bin"\r\n\r\n${content}`;
const end = '\r\n--b--\r\n';

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('an upload', () => {
  it('reaches the resolver while the client is still sending', async () => {
    const seen: number[] = [];
    const started = deferred<void>();
    const port = await serve({
      store: async (_: unknown, given: { id: string; file: GgFile }) => {
        for await (const chunk of given.file.stream()) {
          seen.push(chunk.length);
          started.resolve();
        }
        return { id: given.id };
      },
    });
    const { outgoing, answer } = begin(port, '/api/store', text('id', '7'), file('file', 'first'));
    await started.promise;
    outgoing.end(`second${end}`);
    expect(await answer).toEqual({ status: 200, body: { id: '7' } });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.reduce((sum, length) => sum + length)).toBe('firstsecond'.length);
  });

  it('is sent at the speed of its reader, so that the server never holds it', async () => {
    const gate = deferred<void>();
    let length = 0;
    const port = await serve(
      {
        store: async (_: unknown, given: { file: GgFile }) => {
          await gate.promise;
          for await (const chunk of given.file.stream()) length += chunk.length;
          return { id: '1' };
        },
      },
      { limits: { fileBytes: false } },
    );
    const { outgoing, answer } = begin(port, '/api/store', text('id', '7'), file('file'));
    const block = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const pump = (async () => {
      for (; sent < 40; sent++) if (!outgoing.write(block)) await once(outgoing, 'drain');
      outgoing.end(end);
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toBeLessThan(40);
    gate.resolve();
    await pump;
    expect((await answer).status).toBe(200);
    expect(length).toBe(40 * block.length);
  });

  it('ends with the call: what the resolver has not read is discarded, and the connection stays usable', async () => {
    let kept: GgFile | undefined;
    const port = await serve({
      store: (_: unknown, given: { file: GgFile }) => {
        kept = given.file;
        return { id: '1' };
      },
    });
    const { outgoing, answer } = begin(port, '/api/store', text('id', '7'), file('file', 'x'.repeat(500_000)));
    expect((await answer).status).toBe(200);
    await expect(kept?.bytes()).rejects.toThrow('The call has ended.');
    outgoing.end(end);
    await once(outgoing, 'close');
  });

  it('ends the stream of the resolver when the client disconnects', async () => {
    const failed = deferred<unknown>();
    const started = deferred<void>();
    const port = await serve({
      store: async (_: unknown, given: { file: GgFile }) => {
        started.resolve();
        await given.file.bytes().catch(failed.resolve);
        throw new Error('not stored');
      },
    });
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { outgoing } = begin(port, '/api/store', text('id', '7'), file('file', 'abc'));
    await started.promise;
    outgoing.destroy();
    expect(await failed.promise).toMatchObject({ message: 'The client has disconnected.' });
  });

  it('is refused before its body is read if the caller has no access', async () => {
    const guarded = vi.fn();
    const port = await serve(
      { guarded },
      {
        topologies: [{ name: 'uploads.gg', source: guardedSource }],
        authenticate: apiKeys({ lookup: () => null }),
      },
    );
    const { outgoing, answer } = begin(port, '/api/guarded', file('file', 'abc'));
    expect((await answer).status).toBe(401);
    expect(guarded).not.toHaveBeenCalled();
    outgoing.destroy();
  });

  it('skips a file that nobody reads when a later one is read', async () => {
    const large = 'x'.repeat(300_000);
    const port = await serve({
      both: async (_: unknown, { one, two }: { one: GgFile; two: GgFile }) => {
        const { length } = await two.bytes();
        const skipped = await one.bytes().catch((error: Error) => error.message);
        return { id: `${length} ${skipped}` };
      },
    });
    for (const content of ['', large]) {
      const { outgoing, answer } = begin(port, '/api/both', file('one', content), '\r\n', file('two', 'ab'));
      outgoing.end(end);
      expect((await answer).body).toEqual({
        id: '2 The file “one” was skipped, because a later one was read before it.',
      });
    }
  });

  it('can be read once, partly, and within a limit of the resolver', async () => {
    const port = await serve({
      store: async (_: unknown, given: { file: GgFile }) => {
        const stream = given.file.stream();
        expect(() => given.file.stream()).toThrow('The file “file” was read before.');
        await stream.cancel();
        return { id: '1' };
      },
      both: async (_: unknown, { one, two }: { one: GgFile; two: GgFile }) => {
        const cut = await one.bytes(2).catch((error: Error) => error.message);
        return { id: `${cut} ${(await two.bytes()).length}` };
      },
    });
    const single = begin(port, '/api/store', text('id', '7'), file('file', 'abc'), end);
    single.outgoing.end();
    expect((await single.answer).status).toBe(200);
    const double = begin(port, '/api/both', file('one', 'x'.repeat(300_000)), '\r\n', file('two', 'ab'), end);
    double.outgoing.end();
    expect((await double.answer).body).toEqual({ id: 'The file “one” has more than 2 bytes. 2' });
  });

  it('runs once for a key, whose repeat is found by the texts, the name and the media type', async () => {
    let runs = 0;
    const port = await serve(
      {
        store: async (_: unknown, given: { id: string; file: GgFile }) => {
          await given.file.bytes();
          runs += 1;
          return { id: `${given.id} ${runs}` };
        },
      },
      { idempotency: { store: 'memory' } },
    );
    const send = async (id: string, name: string, key: string, content = 'abc') => {
      const body = new FormData();
      body.append('id', id);
      body.append('file', new Blob([content]), name);
      const headers = { 'idempotency-key': key, authorization: 'Bearer x' };
      const response = await fetch(`http://127.0.0.1:${port}/api/store`, { method: 'POST', body, headers });
      return [response.status, response.headers.get('idempotency-replayed'), (await response.json()).id];
    };
    expect(await send('7', 'a', '"key-1"')).toEqual([200, null, '7 1']);
    expect(await send('7', 'a', '"key-1"')).toEqual([200, 'true', '7 1']);
    expect((await send('8', 'a', '"key-1"'))[0]).toBe(422);
    expect((await send('7', 'b', '"key-1"'))[0]).toBe(422);
    expect(runs).toBe(1);
  });

  it('may be tried again with the same key after it has failed', async () => {
    const port = await serve(
      {
        store: async (_: unknown, given: { file: GgFile }) => ({
          id: String((await given.file.bytes()).length),
        }),
      },
      { idempotency: { store: 'memory' }, limits: { fileBytes: 4 } },
    );
    const send = async (content: string) => {
      const body = new FormData();
      body.append('id', '1');
      body.append('file', new Blob([content]), 'a');
      const headers = { 'idempotency-key': '"key-1"', authorization: 'Bearer x' };
      return (await fetch(`http://127.0.0.1:${port}/api/store`, { method: 'POST', body, headers })).status;
    };
    expect([await send('12345'), await send('1234')]).toEqual([413, 200]);
  });
});

describe('a form that goes wrong', () => {
  const store = async (_: unknown, given: { file: GgFile }) => ({
    id: String((await given.file.bytes()).length),
  });

  it('is refused with 413 if it has too many parts, or is longer than all limits together', async () => {
    const port = await serve({ store }, { limits: { body: 1000, files: 1, fileBytes: 1000 } });
    const many = begin(port, '/api/store', text('x', '').repeat(1001), end);
    many.outgoing.end();
    expect((await many.answer).body.detail).toMatch(/more than (?:1000 parts|2000 bytes)\./);
    const parts = await serve({ store });
    const counted = begin(parts, '/api/store', text('x', '').repeat(1001), end);
    counted.outgoing.end();
    expect((await counted.answer).body.detail).toBe('The form has more than 1000 parts.');
  });

  it('is a fault if a body parser has read it before', async () => {
    const server = createGqlServer({
      topologies: [{ name: 'uploads.gg', source }],
      resolvers: { Mutation: { store } },
      limits: { masking: false },
    });
    const listener = createBetaNodeRequestListener(server);
    const http = createServer((incoming, outgoing) => {
      incoming.resume().once('end', () => listener(incoming, outgoing));
    });
    running.push(http);
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { outgoing, answer } = begin((http.address() as AddressInfo).port, '/api/store', file('file', 'a'), end);
    outgoing.end();
    expect((await answer).body.detail).toBe('A body parser has read the form before gg-svc could.');
  });

  it('is refused with 400 without a body', async () => {
    const server = createGqlServer({
      topologies: [{ name: 'uploads.gg', source }],
      resolvers: { Mutation: { store } },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const request = new Request('http://localhost/api/store', { method: 'POST', headers });
    expect((await server.fetch(request)).status).toBe(400);
  });

  it('is given up if its client has left before', async () => {
    const server = createGqlServer({
      topologies: [{ name: 'uploads.gg', source }],
      resolvers: { Mutation: { store } },
    });
    const body = new FormData();
    body.append('id', '1');
    const request = new Request('http://localhost/api/store', {
      method: 'POST',
      body,
      signal: AbortSignal.abort(),
    });
    expect((await server.fetch(request)).status).toBe(499);
  });
});
