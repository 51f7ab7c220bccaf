import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { giveContext } from '../../http/request-context.js';

/** How many headers a request may have. Node leaves out what is beyond its own limit without a word. */
export const maxHeaders = 200;

/** How a host that stands on Node differs from Node itself. */
export interface NodeHost {
  /** The path and the query that are asked for; unless given, those that the client sent. */
  readonly address?: (incoming: IncomingMessage) => string;
  /** Makes the context of a request, in place of the option `context` of the server. */
  readonly context?: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;
}

/**
 * Makes a fetch request out of Node's, aborted when the client goes away before it is answered. Gives the
 * status to refuse it with where it is a request to Node but none to fetch.
 *
 * @param body - The bytes of the body, where they were read already.
 */
export function openRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  host: NodeHost = {},
  body?: Uint8Array,
): Request | 400 | 405 | 431 {
  if (incoming.method === 'TRACE') return 405;
  if (incoming.rawHeaders.length > 2 * maxHeaders) return 431;
  const { signal } = controllerOf(outgoing);
  const request = toRequest(incoming, host.address?.(incoming) ?? incoming.url ?? '/', signal, body);
  if (request === undefined) return 400;
  const { context } = host;
  if (context !== undefined) giveContext(request, () => context(incoming, outgoing));
  return request;
}

/** Aborted when the client goes away before it is answered. */
export function controllerOf(outgoing: ServerResponse): AbortController {
  const controller = new AbortController();
  if (outgoing.destroyed) controller.abort();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller;
}

/** Undefined for what is a request to Node but none to fetch: an address, a header or a method that it refuses. */
export function toRequest(
  incoming: IncomingMessage,
  address: string,
  signal: AbortSignal,
  body?: Uint8Array,
): Request | undefined {
  const { method = 'GET' } = incoming;
  const parsed = body === undefined ? parsedBody(incoming) : undefined;
  const headers = new Headers();
  try {
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      headers.append(incoming.rawHeaders[at] as string, incoming.rawHeaders[at + 1] as string);
    }
    // What was read already was decoded too, and written anew it has another length.
    if (parsed !== undefined) for (const name of bodyHeaders) headers.delete(name);
    return new Request(urlOf(incoming, address), {
      method,
      headers,
      signal,
      ...(method === 'GET' || method === 'HEAD'
        ? {}
        : {
            body: parsed ?? (body as Uint8Array<ArrayBuffer> | undefined) ?? toStream(incoming),
            duplex: 'half',
          }),
    });
  } catch {
    return undefined;
  }
}

/** The headers that say how a body was sent. */
const bodyHeaders = ['content-encoding', 'content-length', 'transfer-encoding'];

/** The body as a parser in front, such as that of Express, has left it; undefined when it is still to be read. */
function parsedBody(incoming: IncomingMessage): string | Uint8Array<ArrayBuffer> | undefined {
  const { body } = incoming as { readonly body?: unknown };
  if (body === undefined || !incoming.readableDidRead) return undefined;
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** The path is appended, not resolved: `//host/path` is a path here, and not the address of another host. */
function urlOf({ headers, socket }: IncomingMessage, url: string): URL {
  if (/^https?:\/\//i.test(url)) return new URL(url);
  const scheme = (socket as TLSSocket).encrypted ? 'https' : 'http';
  return new URL(`${scheme}://${headers.host ?? 'localhost'}${url.startsWith('/') ? url : `/${url}`}`);
}

/** Reads from the connection only when somebody reads from the stream. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value as Uint8Array);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
