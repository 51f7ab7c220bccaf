import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Where an attack goes. */
export interface Target {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  readonly port: number;
}

/** How long a client waits for anything, in milliseconds; a busy machine must not reach it. */
export const patience = 180_000;

/** What came back: a status, or 0 when the connection was closed without one. */
export type Status = number;

/**
 * Sends a request as `fetch` does; gives the status, or -2 when the answer tells a secret. A server may refuse a body
 * before it has all of it.
 */
export async function send({ origin }: Target, path: string, init: RequestInit = {}): Promise<Status> {
  try {
    const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(patience) });
    return (await response.text()).includes('SECRET') ? -2 : response.status;
  } catch {
    return 0;
  }
}

/** Posts an operation as JSON, and asks for the statuses of GraphQL over HTTP. */
export function operate(target: Target, query: string, variables?: unknown): Promise<Status> {
  return postJson(target, '/graphql', JSON.stringify({ query, variables }));
}

/** Posts a text, or bytes, as JSON. */
export function postJson(
  target: Target,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Status> {
  const accept = 'application/graphql-response+json, application/json';
  return send(target, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body,
  });
}

/** Opens a connection; errors of it are none of the attacker's. */
export async function open({ port }: Target): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are and reads the first status that comes back. */
export async function sendRaw(target: Target, text: string): Promise<Status> {
  const socket = await open(target);
  socket.write(text);
  const status = await readStatus(socket);
  socket.destroy();
  return status;
}

/** The first status that a server sends over a connection; 0 when it closes, or says nothing for a while. */
export function readStatus(socket: Socket, limit = patience): Promise<Status> {
  return new Promise((resolve) => {
    let text = '';
    const end = (status: Status): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
      resolve(status);
    };
    const onClose = (): void => end(0);
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status !== undefined) end(Number(status));
    };
    const timer = setTimeout(() => end(-1), limit);
    socket.on('data', onData).on('close', onClose);
  });
}
