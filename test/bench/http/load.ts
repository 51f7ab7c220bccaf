import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What one connection sends again and again; a function makes each request anew. */
export type RequestSource = Buffer | ((count: number) => Buffer);

/** The result of a load. */
export interface Load {
  readonly requestsPerSecond: number;
  /** 99 of 100 requests were answered in this time, in milliseconds. */
  readonly p99: number;
}

/** Connections to a server that stay open between loads. The server closes those that are idle for long. */
export interface Connections {
  /**
   * Sends a number of requests, one at a time on each connection. The client knows as little of HTTP as it needs, so that
   * it is never what is measured.
   *
   * @throws {Error} When an answer is not 200, or a connection breaks.
   */
  load(source: RequestSource, requests: number): Promise<Load>;
  close(): void;
}

export async function openConnections(port: number, count: number): Promise<Connections> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  return {
    async load(source, requests) {
      const latencies: number[] = [];
      const state = { sent: 0, requests };
      const begin = performance.now();
      await Promise.all(sockets.map((socket) => drive(socket, source, state, (time) => latencies.push(time))));
      const seconds = (performance.now() - begin) / 1000;
      latencies.sort((a, b) => a - b);
      return {
        requestsPerSecond: latencies.length / seconds,
        p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
      };
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends a number of requests over new connections, see {@link Connections}. */
export async function load(port: number, source: RequestSource, connections: number, requests: number): Promise<Load> {
  const opened = await openConnections(port, connections);
  try {
    return await opened.load(source, requests);
  } finally {
    opened.close();
  }
}

/** Sends requests on one connection, the next when the last was answered. */
function drive(
  socket: Socket,
  source: RequestSource,
  state: { sent: number; readonly requests: number },
  note: (latency: number) => void,
): Promise<void> {
  const done = new AbortController();
  return new Promise<void>((resolve, reject) => {
    let begun = 0;
    let rest: Buffer = Buffer.alloc(0);
    const send = () => {
      if (state.sent >= state.requests) return resolve();
      const count = state.sent++;
      begun = performance.now();
      socket.write(typeof source === 'function' ? source(count) : source);
    };
    const read = (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const length = answerLength(rest);
      if (length === undefined) return;
      if (rest.toString('latin1', 9, 12) !== '200') {
        reject(new Error(`An answer was ${rest.toString('latin1', 0, 400)}`));
        return;
      }
      rest = rest.subarray(length);
      note(performance.now() - begun);
      send();
    };
    socket.on('data', read);
    done.signal.addEventListener('abort', () => socket.off('data', read));
    const { signal } = done;
    once(socket, 'close', { signal }).then(() => reject(new Error('The server closed a connection.')), reject);
    send();
  }).finally(() => done.abort());
}

/** The number of bytes of a whole answer at the start of the buffer; undefined while it is not all there. */
export function answerLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end).toLowerCase();
  const declared = /\r\ncontent-length: *(\d+)/.exec(head);
  if (declared !== null) {
    const length = end + 4 + Number(declared[1]);
    return bytes.length >= length ? length : undefined;
  }
  const last = bytes.indexOf('\r\n0\r\n\r\n', end);
  return last === -1 ? undefined : last + 7;
}
