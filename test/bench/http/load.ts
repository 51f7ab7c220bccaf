import { connect, type Socket } from 'node:net';

/** What one connection sends again and again; a function makes each request anew. */
export type RequestSource = Buffer | ((count: number) => Buffer);

/** What came of a while of load. */
export interface Load {
  readonly requestsPerSecond: number;
  /** 99 of 100 requests were answered in this time, in milliseconds. */
  readonly p99: number;
}

/**
 * Keeps a server busy over connections that stay open, one request at a time on each. It knows as little of
 * HTTP as it needs, so that the client is never what is measured.
 *
 * @param milliseconds - How long; the requests that are under way then are not counted.
 * @throws {Error} When an answer is not 200, or a connection breaks.
 */
export async function load(
  port: number,
  source: RequestSource,
  connections: number,
  milliseconds: number,
): Promise<Load> {
  const latencies: number[] = [];
  const state = { isOver: false, count: 0 };
  const begin = performance.now();
  const clients = Array.from({ length: connections }, () => {
    return drive(port, source, state, (latency) => latencies.push(latency));
  });
  const timer = setTimeout(() => {
    state.isOver = true;
    for (const { socket } of clients) socket.destroy();
  }, milliseconds);
  try {
    await Promise.all(clients.map(({ done }) => done));
  } finally {
    clearTimeout(timer);
    for (const { socket } of clients) socket.destroy();
  }
  const seconds = (performance.now() - begin) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / seconds,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

function drive(
  port: number,
  source: RequestSource,
  state: { isOver: boolean; count: number },
  note: (latency: number) => void,
): { socket: Socket; done: Promise<void> } {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const done = new Promise<void>((resolve, reject) => {
    let sent = 0;
    let rest: Buffer = Buffer.alloc(0);
    const send = () => {
      sent = performance.now();
      socket.write(typeof source === 'function' ? source(state.count++) : source);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const length = answerLength(rest);
      if (length === undefined) return;
      if (rest.toString('latin1', 9, 12) !== '200') {
        reject(new Error(`An answer was ${rest.toString('latin1', 0, 400)}`));
        return;
      }
      rest = rest.subarray(length);
      note(performance.now() - sent);
      if (!state.isOver) send();
    });
    socket.on('close', () => (state.isOver ? resolve() : reject(new Error('The server hung up.'))));
    socket.on('error', (error) => (state.isOver ? resolve() : reject(error)));
  });
  return { socket, done };
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
