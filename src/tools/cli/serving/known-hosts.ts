import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseUrl } from '../../../base/source/parse-url.js';
import { readRequestTarget } from '../../../runtime/hosts/node/request-target.js';
import { refuseUpgrade } from '../../../runtime/hosts/websocket/connection.js';
import { problemAnswer } from '../../../runtime/http/answer.js';
import { isHost, isLocalName } from '../../../runtime/http/forwarded.js';

/**
 * Refuses requests and WebSockets for unknown host names, whatever their path. A page of another site can give its own
 * name the address of this machine (DNS rebinding), and then read everything that a server without credentials answers.
 *
 * @param http - Other listeners do not get the requests that are refused.
 * @param names - The names that are known, beside addresses and those of this machine. One that begins with a dot stands
 *   for all names below it.
 */
export function admitKnownHosts(http: Server, names: readonly string[]): void {
  const emit = http.emit.bind(http) as (event: string, ...args: unknown[]) => boolean;
  http.emit = (event: string, ...args: unknown[]) => {
    const refuse = refusals[event];
    if (refuse === undefined) return emit(event, ...args);
    const [incoming, outgoing] = args as [IncomingMessage, never];
    const host = readRequestTarget(incoming.url ?? '')?.absolute?.host ?? incoming.headers.host;
    if (host === undefined || isKnown(host, names)) return emit(event, ...args);
    refuse(outgoing, host);
    return true;
  };
}

const refusals: Readonly<Record<string, (outgoing: never, host: string) => void>> = {
  request: refuseRequest,
  checkContinue: refuseRequest,
  checkExpectation: refuseRequest,
  upgrade: refuseConnection,
  connect: refuseConnection,
};

function refuseRequest(outgoing: ServerResponse, host: string): void {
  const detail = `The host ${host} is not known. Add it to server.allowedHosts in the project file, or pass --allowed-hosts.`;
  const { status, headers, body } = problemAnswer({ status: 403, detail, headers: ['connection', 'close'] });
  outgoing.writeHead(status, headers).end(body);
}

function refuseConnection(socket: Duplex): void {
  refuseUpgrade(socket, '403 Forbidden');
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
