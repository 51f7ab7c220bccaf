import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The number of pipelined requests that may wait on a connection for the client to read earlier answers. */
const maxPipelined = 100;

/** How long a connection may stay open without a request, in sweeps. */
const maxIdleSweeps = 13;

/** The interval of sweeps, in milliseconds: 13 of them are a little more than Node's keep-alive timeout here. */
const sweepInterval = 5_000;

const key = Symbol('gg-svc.use');

interface Use {
  open: number;
  /** Requests that wait until the client has read an earlier answer. */
  waiting: number;
  idle: number;
}

interface UsedSocket extends Socket {
  [key]?: Use;
}

const watched = new Set<UsedSocket>();
let timer: NodeJS.Timeout | undefined;

/**
 * Counts a request on its connection, and returns whether to answer it. Node neither limits pipelined requests nor the
 * bare line breaks with which a client can restart the keep-alive timeout. Such connections are closed here.
 */
export function beginRequest({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
  const use = useOf(socket);
  use.idle = 0;
  use.open += 1;
  // Node assigns the connection to one response at a time.
  if (outgoing.socket !== null) return true;
  use.waiting += 1;
  outgoing.once('close', () => {
    use.waiting -= 1;
  });
  if (use.waiting <= maxPipelined) return true;
  socket.destroy();
  return false;
}

export function endRequest({ socket }: IncomingMessage): void {
  const use = useOf(socket);
  use.idle = 0;
  use.open -= 1;
}

function useOf(socket: UsedSocket): Use {
  if (socket[key] === undefined) {
    socket[key] = { open: 0, waiting: 0, idle: 0 };
    watch(socket);
  }
  return socket[key];
}

function watch(socket: UsedSocket): void {
  // A request that Fastify's `inject` makes has no connection that could be closed.
  if (typeof socket.destroy !== 'function') return;
  watched.add(socket);
  socket.once('close', () => {
    watched.delete(socket);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
  timer ??= setInterval(sweep, sweepInterval).unref();
}

function sweep(): void {
  for (const socket of watched) {
    const use = socket[key];
    if (use === undefined || use.open > 0 || socket.writableLength > 0) continue;
    use.idle += 1;
    if (use.idle > maxIdleSweeps) socket.destroy();
  }
}
