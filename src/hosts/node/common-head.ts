import type { IncomingMessage } from 'node:http';
import { maxHeaders } from './node-request.js';

/** What the head of a request of the common kind says. */
export interface CommonHead {
  readonly method: 'GET' | 'POST';
  /** How long the body is, in bytes; 0 for a GET. */
  readonly length: number;
  readonly accept: string | undefined;
}

/** The types of a body that leave nothing to ask. */
const jsonTypes: readonly (string | undefined)[] = ['application/json', 'application/json; charset=utf-8'];

/**
 * Reads the head of a request, where it is of the common kind: HTTP/1, a host that is one, and a GET without a
 * body or a POST of JSON of a known length that nobody has read yet. Undefined for any other.
 *
 * @param maxBody - How many bytes the body may have.
 */
export function readCommonHead(incoming: IncomingMessage, maxBody: number): CommonHead | undefined {
  const { method, rawHeaders, httpVersionMajor } = incoming;
  if ((method !== 'GET' && method !== 'POST') || httpVersionMajor !== 1) return undefined;
  if (rawHeaders.length > 2 * maxHeaders) return undefined;
  let host: string | undefined;
  let accept: string | undefined;
  let type: string | undefined;
  let length: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    // Most headers are told apart by how long their names are. One that is given twice is for others to judge.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() !== 'host') break;
        if (host !== undefined) return undefined;
        host = rawHeaders[at + 1];
        break;
      case 6:
        if (name.toLowerCase() !== 'accept') break;
        if (accept !== undefined) return undefined;
        accept = rawHeaders[at + 1];
        break;
      case 12:
        if (name.toLowerCase() !== 'content-type') break;
        if (type !== undefined) return undefined;
        type = rawHeaders[at + 1];
        break;
      case 14:
        if (name.toLowerCase() !== 'content-length') break;
        if (length !== undefined) return undefined;
        length = rawHeaders[at + 1];
        break;
      case 16:
        if (name.toLowerCase() === 'content-encoding') return undefined;
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') return undefined;
        break;
    }
  }
  if (host === undefined || !isHost(host)) return undefined;
  if (method === 'GET') return length === undefined ? { method, length: 0, accept } : undefined;
  if (!jsonTypes.includes(type) || length === undefined || incoming.readableDidRead) return undefined;
  const size = Number(length);
  return size > 0 && size <= maxBody ? { method, length: size, accept } : undefined;
}

/** The hosts that were asked for; a server has few names. */
const hosts = new Set<string>();
const maxHosts = 100;

/** Whether the header makes an address. Who parses it is slow, so it is asked once for each. */
function isHost(host: string): boolean {
  if (hosts.has(host)) return true;
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) || !URL.canParse(`http://${host}/`)) return false;
  if (hosts.size >= maxHosts) hosts.clear();
  hosts.add(host);
  return true;
}
