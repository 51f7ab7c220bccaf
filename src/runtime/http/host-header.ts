import { isIPv4 } from 'node:net';
import { parseUrl } from '../../base/source/parse-url.js';
import { readAddress } from './forwarded.js';

/** Checked hosts. A server has few names, so the cache stays small. */
const known = new Set<string>();
const maxKnown = 100;

/** Whether the value of a `Host` header is a host with an optional port. Parsing is slow, so results are kept. */
export function isHost(host: string): boolean {
  if (known.has(host)) return true;
  if (!/^([\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(:\d*)?$/i.test(host)) return false;
  if (parseUrl(`http://${host}/`) === undefined) return false;
  if (known.size >= maxKnown) known.clear();
  known.add(host);
  return true;
}

/** Whether a host name always means this machine; names below `localhost` do (RFC 6761, section 6.3). */
export function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

export function isLoopback(text: string | undefined): boolean {
  const address = text === undefined ? undefined : readAddress(text);
  return address === '::1' || (address !== undefined && isIPv4(address) && address.startsWith('127.'));
}
