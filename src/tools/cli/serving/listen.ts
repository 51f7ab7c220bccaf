import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { parseUrl } from '../../../base/source/parse-url.js';
import {
  createGuardedHttpServer,
  type Drainable,
  type DrainOptions,
  drainHttpServer,
} from '../../../runtime/hosts/node/drain.js';
import { readRequestTarget } from '../../../runtime/hosts/node/request-target.js';
import { refuseUpgrade } from '../../../runtime/hosts/websocket/connection.js';
import { problemAnswer } from '../../../runtime/http/answer.js';
import { isHost, isLocalName } from '../../../runtime/traffic/forwarded.js';
import { failure } from '../terminal/failure.js';

/** How long requests in flight may take during a shutdown, in milliseconds. */
export const grace = 10_000;

/**
 * Listens for HTTP requests.
 *
 * @param allowedHosts - The names in the header `Host` that are answered, beside those of this machine and of `host`;
 *   undefined for any.
 * @returns The server, its URL without a final slash, and a graceful shutdown: it finishes requests in flight, cuts
 *   subscriptions, and closes the rest after a deadline.
 * @throws {CommandFailure} GG5003 when the port or the address cannot be used.
 */
export async function listen(listener: RequestListener, port: number, host: string, allowedHosts?: readonly string[]) {
  const http = createGuardedHttpServer(listener);
  if (allowedHosts !== undefined) admitKnownHosts(http, [...allowedHosts, host]);
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => {
      const place = `${reachableName(host)}:${port}`;
      reject(failure('GG5003', { port, reason: describeSystemError(error) }, place));
    });
    http.listen(port, host, resolve);
  });
  const origin = `http://${reachableName(host)}:${(http.address() as AddressInfo).port}`;
  const close = (api: Drainable, timing?: DrainOptions) => drainHttpServer(http, api, { grace, ...timing });
  return { http, origin, close };
}

/** The host as a browser on this machine reaches it. */
function reachableName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Refuses requests and WebSockets for unknown host names, whatever their path. A page of another site can give its own
 * name the address of this machine (DNS rebinding), and then read everything that a server without credentials answers.
 *
 * @param http - Other listeners do not get the requests that are refused.
 * @param names - The names that are known, beside addresses and those of this machine. One that begins with a dot stands
 *   for all names below it.
 */
function admitKnownHosts(http: Server, names: readonly string[]): void {
  const emit = http.emit.bind(http) as (event: string, ...args: unknown[]) => boolean;
  http.emit = (event: string, ...args: unknown[]) => {
    const isUpgrade = event === 'upgrade' || event === 'connect';
    if (!isUpgrade && !requestEvents.includes(event)) return emit(event, ...args);
    const [incoming, outgoing] = args as [IncomingMessage, ServerResponse & Duplex];
    const host = readRequestTarget(incoming.url ?? '')?.absolute?.host ?? incoming.headers.host;
    if (host === undefined || isKnown(host, names)) return emit(event, ...args);
    if (isUpgrade) refuseUpgrade(outgoing, 403);
    else refuseRequest(outgoing, host);
    return true;
  };
}

const requestEvents: readonly string[] = ['request', 'checkContinue', 'checkExpectation'];

function refuseRequest(outgoing: ServerResponse, host: string): void {
  const detail = `The host ${host} is not known. Add it to server.allowedHosts in the project file, or pass --allowed-hosts.`;
  const { status, headers, body } = problemAnswer({ status: 403, detail, headers: ['connection', 'close'] });
  outgoing.writeHead(status, headers).end(body);
}

/** An address needs no name, so no other site can have given it. */
function isKnown(host: string, names: readonly string[]): boolean {
  const hostname = isHost(host) ? parseUrl(`http://${host}/`)?.hostname.replace(/\.$/, '') : undefined;
  if (hostname === undefined) return false;
  if (isLocalName(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return true;
  return names.some((known) => {
    const name = known.toLowerCase();
    return name.startsWith('.') ? hostname === name.slice(1) || hostname.endsWith(name) : hostname === name;
  });
}
