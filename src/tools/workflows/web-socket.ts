/** An operation over WebSocket, and the functions that get its messages. */
export interface SocketOperation {
  /** `http://127.0.0.1:4000/graphql`. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly variables: object;
  /** Called once the operation has begun. */
  onOpen(): void;
  /** Called for each result; one with errors alone ends the operation. */
  onResult(result: SocketResult): void;
}

/** A result of an operation, as GraphQL sends it. */
export interface SocketResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly unknown[];
  readonly extensions?: { readonly eventId?: string };
}

/** Whether this Node.js has a WebSocket. */
export const hasWebSocket = 'WebSocket' in globalThis;

/**
 * Sends an operation over WebSocket (graphql-transport-ws) and listens until the signal, or the end of the connection. A
 * message that is not of the protocol ends it.
 *
 * @returns The code with which the connection was closed: 1006 if it could not be opened, 1000 after the signal, for which
 *   the server is not waited. Never rejects.
 */
export function overWebSocket(
  { address, headers, query, variables, onOpen, onResult }: SocketOperation,
  signal: AbortSignal,
): Promise<number> {
  const socket = new (WebSocket as unknown as SocketOfNode)(address.replace('http', 'ws'), {
    protocols: ['graphql-transport-ws'],
    headers,
  });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  const take = (text: string): void => {
    const { type, payload } = JSON.parse(text) as { readonly type: string; readonly payload?: unknown };
    if (type === 'ping') send({ type: 'pong' });
    if (type === 'connection_ack') {
      send({ id: '1', type: 'subscribe', payload: { query, variables } });
      // The server answers messages in their order, so the operation has begun when the ping is answered.
      send({ type: 'ping' });
    }
    if (type === 'pong') onOpen();
    if (type === 'error') onResult({ errors: [payload].flat() });
    if (type === 'next') onResult(payload as SocketResult);
  };
  return new Promise((resolve) => {
    const end = (code: number): void => {
      signal.removeEventListener('abort', stop);
      resolve(code);
    };
    const close = (code: number): void => {
      socket.close(code);
      end(code);
    };
    const stop = (): void => close(1000);
    signal.addEventListener('abort', stop);
    socket.addEventListener('open', () => send({ type: 'connection_init' }));
    socket.addEventListener('message', ({ data }) => {
      try {
        take(String(data));
      } catch {
        close(4400);
      }
    });
    socket.addEventListener('close', ({ code }) => end(code));
    // Node.js does not close a connection whose handshake was refused.
    socket.addEventListener('error', () => end(1006));
    if (signal.aborted) stop();
  });
}

/** The WebSocket of Node.js takes headers, too. */
type SocketOfNode = new (
  url: string,
  options: { readonly protocols: readonly string[]; readonly headers: Readonly<Record<string, string>> },
) => WebSocket;
