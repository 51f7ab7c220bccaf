import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { hasWebSocket, overWebSocket, type SocketResult } from '../../../src/tools/workflows/web-socket.js';

/** Listens to a server that does this with its connections, until the signal; returns the code and the results. */
async function listenTo(act: (socket: WebSocket) => void, signal: AbortSignal) {
  const server = new WebSocketServer({ port: 0 });
  server.on('connection', act);
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const results: unknown[] = [];
  const onResult = ({ data, errors }: SocketResult) => void results.push(data ?? errors);
  const operation = { address, headers: {}, query: '{ a }', variables: {}, onOpen() {}, onResult };
  return { code: await overWebSocket(operation, signal), results };
}

describe.runIf(hasWebSocket)('an operation over WebSocket', () => {
  test.each(['not JSON', '', 'null', '{"type":"next"}', '{"type":"next","payload":null}'])(
    'ends with the message %j, and throws nothing',
    async (message) => {
      const { code, results } = await listenTo((socket) => socket.send(message), new AbortController().signal);
      expect({ code, results }).toEqual({ code: 4400, results: [] });
    },
  );

  test('takes errors without a list', async () => {
    const act = (socket: WebSocket) => {
      socket.send('{"type":"error","payload":"no"}');
      socket.send('?');
    };
    expect((await listenTo(act, new AbortController().signal)).results).toEqual([['no']]);
  });

  test('ends with the signal, also if the server never answers and closes nothing', async () => {
    const done = new AbortController();
    const act = (socket: WebSocket) =>
      socket.once('message', () => {
        // The frames of the client are not read any more, so its close is not answered.
        socket.pause();
        done.abort();
      });
    expect((await listenTo(act, done.signal)).code).toBe(1000);
    expect((await listenTo(() => {}, done.signal)).results).toEqual([]);
  });
});
