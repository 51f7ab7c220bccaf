import { isIPv4, isIPv6 } from 'node:net';
import { parseUrl } from '../../base/source/parse-url.js';

export interface Forwarded {
  /** The IP address in its canonical form, without zone; an IPv4-mapped one as IPv4. Undefined without a connection. */
  readonly address: string | undefined;
  readonly scheme: 'http' | 'https';
  readonly host: string;
}

export type TrustedProxies = (exchange: ReceivedRequest) => Forwarded;

interface ReceivedRequest {
  readonly peer: string | undefined;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  header(name: string): string | undefined;
}

/** The client of a request without trusted proxies: the other end of the connection. */
export function connectionOf({ peer, scheme, host }: ReceivedRequest): Forwarded {
  return { address: peer === undefined ? undefined : readAddress(peer), scheme, host };
}

/**
 * Reads an IP address as proxies write it: perhaps with a port, IPv6 perhaps in brackets. Returns its canonical form,
 * or undefined for anything else.
 */
export function readAddress(text: string): string | undefined {
  // The two forms that Node gives, without a parser.
  const plain = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text;
  if (isIPv4(plain)) return plain;
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const bare = bracketed ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');
  if (bracketed === undefined && isIPv4(bare)) return bare;
  // A zone names an interface of the machine that wrote it.
  const [unscoped = ''] = bare.split('%', 1);
  if (!isIPv6(unscoped)) return undefined;
  const canonical = new URL(`http://[${unscoped}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return bits.flatMap((pair) => [pair >> 8, pair & 0xff]).join('.');
}

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
