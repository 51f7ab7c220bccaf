import { BlockList, isIP, isIPv4 } from 'node:net';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { connectionOf, isHost, readAddress, type TrustedProxies } from './forwarded.js';

/** The names of address ranges; those of Express, and one for connections without an IP address. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const withoutAddress = 'unix';

/** The client is the rightmost untrusted address of `X-Forwarded-For`: each proxy appends that of its own peer. */
export function createTrustedProxies(option: readonly string[]): TrustedProxies {
  const trusted = new BlockList();
  const entries: unknown = option;
  if (!Array.isArray(entries)) throw refusal(entries);
  for (const entry of entries) {
    if (typeof entry !== 'string') throw refusal(entry);
    const named = Object.hasOwn(ranges, entry) ? ranges[entry] : undefined;
    if (entry !== withoutAddress) for (const range of named ?? [entry]) addRange(trusted, range);
  }
  const trustsUnix = entries.includes(withoutAddress);
  const isTrusted = (address: string | undefined): boolean =>
    address === undefined ? trustsUnix : trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

  return (exchange) => {
    const own = connectionOf(exchange);
    let { address } = own;
    if (!isTrusted(address)) return own;
    const hops = listOf(exchange.header('x-forwarded-for')).reverse();
    // The proxy that met the client wrote the entry at this place from the right, in each of the headers.
    let place = 0;
    for (const hop of hops) {
      const told = readAddress(hop);
      if (told === undefined) break;
      address = told;
      place += 1;
      if (!isTrusted(told)) break;
    }
    const told = (name: string): string | undefined => {
      const values = listOf(exchange.header(name));
      return values[Math.max(0, values.length - Math.max(1, place))];
    };
    const scheme = told('x-forwarded-proto')?.toLowerCase();
    const host = told('x-forwarded-host');
    return {
      address,
      scheme: scheme === 'http' || scheme === 'https' ? scheme : own.scheme,
      host: host !== undefined && isHost(host) ? host : own.host,
    };
  };
}

function listOf(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(',').map((entry) => entry.trim());
}

function addRange(trusted: BlockList, range: string): void {
  const [network = '', prefix, ...more] = range.split('/');
  const version = isIP(network);
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || network.includes('%') || more.length > 0 || !(length <= bits)) throw refusal(range);
  trusted.addSubnet(network, length, version === 4 ? 'ipv4' : 'ipv6');
}

function refusal(entry: unknown): OptionError {
  const names = [...Object.keys(ranges), withoutAddress].join(', ');
  return new OptionError(
    'trustedProxies',
    `be a list of addresses, CIDR ranges such as 10.0.0.0/8, or ${names}, not ${JSON.stringify(entry)}`,
  );
}
