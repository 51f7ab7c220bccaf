import { isIPv4, isIPv6 } from 'node:net';

export interface Forwarded {
  /** The IP address in its canonical form, without zone; an IPv4-mapped one as IPv4. Undefined without a connection. */
  readonly address: string | undefined;
  readonly scheme: 'http' | 'https';
  readonly host: string;
}

export type TrustedProxies = (exchange: Connection) => Forwarded;

interface Connection {
  readonly peer: string | undefined;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  header(name: string): string | undefined;
}

/** The client of a request without trusted proxies: the other end of the connection. */
export function connectionOf({ peer, scheme, host }: Connection): Forwarded {
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
