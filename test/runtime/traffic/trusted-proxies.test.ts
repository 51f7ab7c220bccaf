import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddress } from '../../../src/runtime/traffic/forwarded.js';
import { createTrustedProxies } from '../../../src/runtime/traffic/trusted-proxies.js';

const own = { scheme: 'http', host: 'inside:8080' } as const;

/** What a server with these proxies finds for a peer and headers. */
function read(trusted: readonly string[], peer: string | undefined, headers: Record<string, string> = {}) {
  return createTrustedProxies(trusted)({ ...own, peer, header: (name) => headers[name] });
}

function addressOf(trusted: readonly string[], peer: string | undefined, forwardedFor: string) {
  return read(trusted, peer, { 'x-forwarded-for': forwardedFor }).address;
}

describe('the client', () => {
  test.each([
    [['loopback'], '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    [['loopback'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    [['loopback'], '::1', '2001:DB8::7', '2001:db8::7'],
    // A client wrote the left entries.
    [['loopback'], '127.0.0.1', '10.0.0.1, 1.1.1.1, 203.0.113.7', '203.0.113.7'],
    [['loopback', '10.0.0.0/8'], '127.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    [['loopback', 'uniquelocal'], '127.0.0.1', '192.168.0.9, 10.0.0.1', '192.168.0.9'],
    [['192.0.2.4'], '192.0.2.4', '203.0.113.7:51000', '203.0.113.7'],
    [['192.0.2.4'], '192.0.2.4', '[2001:db8::7]:51000', '2001:db8::7'],
    [['192.0.2.4'], '192.0.2.4', '::ffff:203.0.113.7', '203.0.113.7'],
    [['2001:db8::/32'], '2001:db8::1', '203.0.113.7', '203.0.113.7'],
    [['linklocal'], 'fe80::1%eth0', '203.0.113.7', '203.0.113.7'],
    [['unix'], undefined, '203.0.113.7', '203.0.113.7'],
  ])('behind %j at %s, with %j, is %s', (trusted, peer, forwardedFor, address) => {
    expect(addressOf(trusted, peer, forwardedFor)).toBe(address);
  });

  test.each([
    [[], '127.0.0.1', '203.0.113.7'],
    [['10.0.0.0/8'], '127.0.0.1', '203.0.113.7'],
    [['loopback'], '198.51.100.1', '127.0.0.1'],
    [['192.0.2.4/31'], '192.0.2.6', '203.0.113.7'],
    [['loopback'], undefined, '203.0.113.7'],
  ])('with proxies %j is the peer %s, even if it sends %s', (trusted, peer, forwardedFor) => {
    const headers = {
      'x-forwarded-for': forwardedFor,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    };
    expect(read(trusted, peer, headers)).toEqual({ ...own, address: peer });
  });

  test.each(['unknown', '', ',', 'x'.repeat(10_000), '999.1.1.1', '1.2.3.4.5', '[::1', '<script>', '10.0.0.1/8'])(
    'is the proxy that sends an invalid entry: %s',
    (garbage) => {
      expect(addressOf(['loopback', '10.0.0.0/8'], '127.0.0.1', `203.0.113.7, ${garbage}, 10.0.0.2`)).toBe('10.0.0.2');
    },
  );

  test('is found behind a thousand trusted proxies', () => {
    const chain = ['203.0.113.7', ...Array(1000).fill('10.0.0.1')].join(', ');
    expect(addressOf(['loopback', '10.0.0.0/8'], '127.0.0.1', chain)).toBe('203.0.113.7');
    expect(addressOf(['loopback'], '127.0.0.1', chain)).toBe('10.0.0.1');
  });

  test('is never an entry left of an untrusted one', () => {
    const v4 = fc.ipV4();
    const proxy = fc.integer({ min: 0, max: 255 }).map((last) => `10.0.0.${last}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(v4, fc.ipV6(), fc.string()), { maxLength: 20 }),
        v4.filter((address) => !address.startsWith('10.')),
        fc.array(proxy, { maxLength: 20 }),
        (forged, client, proxies) => {
          const chain = [...forged, client, ...proxies].join(',');
          expect(addressOf(['10.0.0.0/8'], '10.9.9.9', chain)).toBe(client);
        },
      ),
    );
  });
});

describe('the scheme and the host', () => {
  test.each([
    ['https', 'api.example.com', 'https', 'api.example.com'],
    ['HTTPS', 'api.example.com:8443', 'https', 'api.example.com:8443'],
    ['gopher', 'a b', 'http', 'inside:8080'],
    ['', '', 'http', 'inside:8080'],
    // A client wrote the left entries, and the proxy appended.
    ['http, https', 'evil.example, api.example.com', 'https', 'api.example.com'],
  ])('of %j and %j are %s and %s', (proto, host, scheme, expected) => {
    const headers = {
      'x-forwarded-for': 'forged, 203.0.113.7',
      'x-forwarded-proto': proto,
      'x-forwarded-host': host,
    };
    expect(read(['loopback'], '127.0.0.1', headers)).toEqual({
      address: '203.0.113.7',
      scheme,
      host: expected,
    });
  });

  test('are those of the proxy that received the request of the client', () => {
    const headers = {
      'x-forwarded-for': '203.0.113.7, 10.0.0.1',
      'x-forwarded-proto': 'https, http',
      'x-forwarded-host': 'api.example.com, inner',
    };
    expect(read(['loopback', '10.0.0.1'], '127.0.0.1', headers)).toEqual({
      address: '203.0.113.7',
      scheme: 'https',
      host: 'api.example.com',
    });
  });
});

describe('an address', () => {
  test('is parsed in every notation of proxies, and printed in one', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), fc.integer({ min: 1, max: 65_535 }), (v4, v6, port) => {
        for (const text of [v4, `${v4}:${port}`, `[${v4}]`.slice(1, -1), `::ffff:${v4}`]) {
          expect(readAddress(text)).toBe(v4);
        }
        const canonical = readAddress(v6);
        expect(isIP(canonical ?? '')).toBeGreaterThan(0);
        for (const text of [v6.toUpperCase(), `[${v6}]`, `[${v6}]:${port}`, `${v6}%eth0`]) {
          expect(readAddress(text)).toBe(canonical);
        }
      }),
    );
  });

  test('is an address or undefined, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.[]%/ ,') })),
        (text) => {
          const address = readAddress(text);
          if (address !== undefined) expect(isIP(address)).toBeGreaterThan(0);
        },
      ),
    );
  });
});

test.each(['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::1/129', '1.1.1.1/8/8', '', 4, null, 'fe80::1%eth0'])(
  '%j is not a trusted proxy',
  (entry) => {
    const refused = () => createTrustedProxies([entry as string]);
    expect(refused).toThrow(TypeError);
    expect(refused).toThrow(/^trustedProxies must be a list of addresses/);
  },
);

test('a string is not a list of proxies', () => {
  expect(() => createTrustedProxies('loopback' as never)).toThrow(TypeError);
});
