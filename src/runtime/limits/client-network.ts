import { isIPv4 } from 'node:net';

/**
 * The network of a client by its address: an IPv4 address, or the /64 of an IPv6 address, as a subscriber of IPv6 has at
 * least the addresses of a /64. A network is its own network.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || isIPv4(address)) return address ?? 'unknown';
  const [front = '', back] = address.split('::');
  const first = front === '' ? [] : front.split(':');
  const last = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
