import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  AuthenticationError,
  AuthenticationUnavailableError,
  type Authenticator,
  type BearerJwtOptions,
  bearerJwt,
} from '../../../src/index.js';
import { audience, createIssuer, type Issuer, issuer, now, tryToken, tryWith } from './tokens.js';

let good: Issuer;
let other: Issuer;
beforeAll(async () => {
  good = await createIssuer('one');
  other = await createIssuer('two');
});
const closing: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

function authenticator(options: Partial<BearerJwtOptions> = {}): Authenticator {
  return bearerJwt({ issuer, audience, jwks: { keys: [good.jwk] }, ...options });
}

const base64url = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const claims = () => ({ iss: issuer, aud: audience, sub: 'ada', exp: now() + 600 });

describe('a valid token', () => {
  test('gives a principal with its subject, scopes, expiration and claims', async () => {
    const exp = now() + 60;
    const token = await good.sign({
      scope: 'a b',
      scp: ['b', 'c'],
      scopes: ['d', 7],
      exp,
      tenant: { id: 1 },
    });
    const principal = await tryToken(authenticator(), token);
    expect(principal).toMatchObject({ id: 'ada', scopes: ['a', 'b', 'c', 'd'], expiresAt: exp });
    expect(principal).toHaveProperty('claims.tenant', { id: 1 });
    const { claims: found } = principal as unknown as { claims: { tenant: { id: number } } };
    // Requests with the same token share the object.
    expect(() => Object.assign(found.tenant, { id: 2 })).toThrow(TypeError);
  });

  test('may be of any asymmetric algorithm, of one of several issuers and audiences', async () => {
    for (const alg of ['RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']) {
      const one = await createIssuer('k', alg);
      const strict = authenticator({
        jwks: one.jwk,
        issuer: ['https://x/', issuer],
        audience: ['y', audience],
      });
      expect(await tryToken(strict, await one.sign({ aud: ['z', audience] }))).toHaveProperty('id', 'ada');
    }
  });

  test('without a key id is tried with each key of its kind', async () => {
    const { kid: _, ...one } = good.jwk;
    const { kid: __, ...two } = other.jwk;
    const both = authenticator({ jwks: { keys: [two, one] } });
    expect(await tryToken(both, await good.sign({}, { kid: undefined }))).toHaveProperty('id', 'ada');
    const third = await createIssuer('three');
    expect(await tryToken(both, await third.sign({}, { kid: undefined }))).toEqual(refusal('The token is invalid.'));
  });

  test('may be signed with a secret, if the algorithm is named', async () => {
    const secret = Buffer.alloc(32, 7);
    const text = `${base64url({ alg: 'HS256', typ: 'at+jwt' })}.${base64url(claims())}`;
    const token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    const symmetric = authenticator({ jwks: secret, algorithms: ['HS256'] });
    expect(await tryToken(symmetric, token)).toHaveProperty('id', 'ada');
    expect(await tryToken(authenticator({ jwks: secret as never }), token)).toEqual(
      refusal('The algorithm of the token is not accepted.'),
    );
  });
});

function refusal(message: string): Error {
  return Object.assign(new AuthenticationError(message, { type: 'bearer', format: 'JWT' }));
}

describe('a token is rejected', () => {
  const hmac = (key: string, header: object) => {
    const text = `${base64url(header)}.${base64url(claims())}`;
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  };
  const cases: Readonly<Record<string, readonly [string, () => Promise<string> | string]>> = {
    'that has expired': ['The token has expired.', () => good.sign({ exp: now() - 60 })],
    'that never expires': ['The token must have an expiration time.', () => good.sign({ exp: undefined })],
    'that is not valid yet': ['The token is not valid yet.', () => good.sign({ nbf: now() + 60 })],
    'for another audience': ['The token is for another audience.', () => good.sign({ aud: 'x' })],
    'without an audience': ['The token is for another audience.', () => good.sign({ aud: undefined })],
    'of another issuer': ['The token is from another issuer.', () => good.sign({ iss: 'https://evil/' })],
    'without an issuer': ['The token is from another issuer.', () => good.sign({ iss: undefined })],
    'without a subject': ['The token has no subject.', () => good.sign({ sub: undefined })],
    'of another key with a known id': ['The token is invalid.', () => other.sign({}, { kid: 'one' })],
    'of an unknown key': ['The token is invalid.', () => other.sign()],
    'without a signature (alg: none)': [
      'The algorithm of the token is not accepted.',
      () => `${base64url({ alg: 'none' })}.${base64url(claims())}.`,
    ],
    'that is signed with the public key as a secret': [
      'The algorithm of the token is not accepted.',
      () => hmac(good.pem, { alg: 'HS256', kid: 'one' }),
    ],
    'that brings its own key (jwk)': [
      'The token is invalid.',
      () => other.sign({}, { kid: undefined, jwk: other.jwk }),
    ],
    'that names its own keys (jku)': [
      'The token is invalid.',
      () => other.sign({}, { kid: 'two', jku: 'http://127.0.0.1:1/' }),
    ],
    'that names its own certificate (x5u)': [
      'The token is invalid.',
      () => other.sign({}, { kid: 'two', x5u: 'http://127.0.0.1:1/' }),
    ],
    'with a critical header that is unknown': [
      'The token is invalid.',
      async () => {
        const [, payload] = (await good.sign()).split('.');
        return `${base64url({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })}.${payload}.AAAA`;
      },
    ],
    'with changed claims': [
      'The token is invalid.',
      async () => {
        const [head, , signature] = (await good.sign()).split('.');
        return `${head}.${base64url({ ...claims(), sub: 'root' })}.${signature}`;
      },
    ],
    'with a changed signature': [
      'The token is invalid.',
      async () => {
        const token = await good.sign();
        return token.slice(0, -8) + (token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA');
      },
    ],
    'without its signature': ['The token is invalid.', async () => (await good.sign()).replace(/[^.]+$/, '')],
    ...Object.fromEntries(
      ['JWT', undefined, 'id+jwt', 'logout+jwt', 'dpop+jwt', 'secevent+jwt', '', 'at+jwt+x', 'application/jwt'].map(
        (typ) => [`of the type ${typ}`, ['The token is of another type.', () => good.sign({}, { typ })] as const],
      ),
    ),
    ...Object.fromEntries(
      [{ jkt: 'x' }, { 'x5t#S256': 'x' }, { jwk: {} }, {}, null, ''].map((cnf) => [
        `that is bound to a key: ${JSON.stringify(cnf)}`,
        ['The token is bound to a key, so it is not a bearer token.', () => good.sign({ cnf })] as const,
      ]),
    ),
    'that is not a token': ['The token is invalid.', () => 'junk'],
    'that is too long': ['The token is too long.', () => 'a'.repeat(100_000)],
  };

  test.each(Object.entries(cases))('%s', async (_, [message, make]) => {
    const token = await make();
    const found = await tryToken(authenticator(), token);
    expect(found).toBeInstanceOf(AuthenticationError);
    expect((found as Error).message).toBe(message);
    for (const part of token.split('.').filter((text) => text.length > 8))
      expect(JSON.stringify([(found as Error).message, (found as Error).stack])).not.toContain(part);
  });

  test('unless its type is accepted, in any case', async () => {
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt'])
      expect(await tryToken(authenticator(), await good.sign({}, { typ }))).toHaveProperty('id', 'ada');
    const relaxed = authenticator({ types: ['at+jwt', 'JWT'] });
    for (const typ of ['at+jwt', 'JWT', 'jwt', 'application/JWT', undefined])
      expect(await tryToken(relaxed, await good.sign({}, { typ }))).toHaveProperty('id', 'ada');
    expect(await tryToken(relaxed, await good.sign({}, { typ: 'logout+jwt' }))).toBeInstanceOf(AuthenticationError);
    expect(await tryToken(relaxed, await good.sign({ cnf: { jkt: 'x' } }))).toBeInstanceOf(AuthenticationError);
  });

  test('if its time differs by more than the tolerance', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await good.sign({ exp: now() - 3 });
    expect(await tryToken(authenticator(), token)).toHaveProperty('id', 'ada');
    expect(await tryToken(authenticator({ clockTolerance: 0 }), token)).toBeInstanceOf(AuthenticationError);
  });
});

describe('the header', () => {
  test('of another scheme, or without a scheme, gives no principal', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: '' }])
      expect(await tryWith(authenticator(), headers)).toBeNull();
  });

  test('with several or malformed credentials is rejected', async () => {
    const token = await good.sign();
    for (const authorization of [
      `Bearer ${token}, Bearer ${token}`,
      `Basic YTpi, Bearer ${token}`,
      `Bearer ${token} ${token}`,
      'Bearer',
      'Bearer ',
      'Bearer é',
      `Bearer\t${token}`,
    ])
      expect(await tryWith(authenticator(), { authorization })).toBeInstanceOf(AuthenticationError);
    expect(await tryWith(authenticator(), { authorization: `bearer   ${token}` })).toHaveProperty('id', 'ada');
  });
});

describe('a token that was verified', () => {
  test('is not verified again, and gives the principal synchronously', async () => {
    const strict = authenticator();
    const token = await good.sign();
    const first = await tryToken(strict, token);
    const header = () => `Bearer ${token}`;
    expect(strict({ header, request: () => new Request('http://localhost/') })).toBe(first);
  });

  test('is rejected when it has expired, even if the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const strict = authenticator({ clockTolerance: 0 });
    const token = await good.sign({ exp: now() + 60 });
    expect(await tryToken(strict, token)).toHaveProperty('id', 'ada');
    vi.advanceTimersByTime(59_000);
    expect(await tryToken(strict, token)).toHaveProperty('id', 'ada');
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await tryToken(strict, token)).toEqual(refusal('The token has expired.'));
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await tryToken(strict, token)).toHaveProperty('id', 'ada');
    vi.advanceTimersByTime(2_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await tryToken(strict, token)).toEqual(refusal('The token has expired.'));
  });
});

describe('the URL of the keys', () => {
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  };
  /** A server whose keys, or whose fault, can be replaced. */
  const served = async (first: Issuer[] | RequestListener) => {
    const state = { keys: first, requests: 0 };
    const url = await serve((request, response) => {
      state.requests += 1;
      if (typeof state.keys === 'function') state.keys(request, response);
      else response.end(JSON.stringify({ keys: state.keys.map(({ jwk }) => jwk) }));
    });
    return { state, url };
  };
  const silent: RequestListener = () => undefined;
  const half: RequestListener = (_, response) => void response.write('{"keys":[');
  const faults: Readonly<Record<string, RequestListener>> = {
    'never answers': silent,
    'stops in the middle': half,
    'closes the connection': (request) => void request.socket.destroy(),
    'answers 500': (_, response) => void response.writeHead(500).end(),
    'answers with HTML': (_, response) => void response.end('<html>'),
    'answers with JSON of another kind': (_, response) => void response.end('{"keys":7}'),
    'sends keys without end': (_, response) => {
      response.write('{"keys":[');
      const write = (): void => {
        while (!response.destroyed && response.write('{"kty":"RSA"},'.repeat(1_000)));
      };
      response.on('drain', write);
      write();
    },
    'has too many keys': (_, response) => void response.end(JSON.stringify({ keys: Array(1_000).fill(good.jwk) })),
    redirects: (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  };

  test.each(Object.entries(faults))('that %s makes tokens unverifiable, not invalid', async (_, fault) => {
    const limit = new AbortController();
    const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
    const { url, state } = await served((request, response) => {
      fault(request, response);
      // Late when the request has arrived, however long that took.
      if (fault === silent || fault === half) limit.abort(new DOMException('It is late.', 'TimeoutError'));
    });
    const strict = authenticator({ jwks: url, timeout: 600_000, cooldown: 0 });
    const tokens = await Promise.all(Array.from({ length: 5 }, () => good.sign()));
    const ends = await Promise.all(tokens.map((token) => tryToken(strict, token)));
    expect(limits.mock.calls).toEqual([[600_000]]);
    for (const end of ends) {
      expect(end).toBeInstanceOf(AuthenticationUnavailableError);
      expect((end as Error).message).not.toContain('127.0.0.1');
    }
    expect(state.requests).toBe(1);
    state.keys = [good];
    expect(await tryToken(strict, tokens[0] as string)).toHaveProperty('id', 'ada');
  });

  test('that fails later keeps the known keys in use', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const { url, state } = await served([good]);
    const strict = authenticator({ jwks: new URL(url), timeout: 600_000 });
    expect(await tryToken(strict, await good.sign())).toHaveProperty('id', 'ada');
    state.keys = faults['answers 500'] as RequestListener;
    vi.advanceTimersByTime(3_600_000);
    expect(await tryToken(strict, await good.sign())).toHaveProperty('id', 'ada');
    await expect.poll(() => state.requests).toBe(2);
    // A key that is not known may be new: that cannot be told now.
    vi.advanceTimersByTime(60_000);
    expect(await tryToken(strict, await other.sign())).toBeInstanceOf(AuthenticationUnavailableError);
    expect(await tryToken(strict, await good.sign())).toHaveProperty('id', 'ada');
  });

  test('that no longer has a key makes its tokens invalid, even those that were verified before', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const { url, state } = await served([good, other]);
    const strict = authenticator({ jwks: url, timeout: 600_000 });
    const exp = now() + 86_400;
    const [old, kept] = [await good.sign({ exp }), await other.sign({ exp })];
    for (const token of [old, kept]) expect(await tryToken(strict, token)).toHaveProperty('id', 'ada');
    state.keys = [other];
    // A token with an unknown key fetches the keys; nothing but known tokens does so after a while.
    vi.advanceTimersByTime(31_000);
    await tryToken(strict, await (await createIssuer('three')).sign());
    expect(await tryToken(strict, old)).toEqual(refusal('The token is invalid.'));
    expect(await tryToken(strict, kept)).toHaveProperty('id', 'ada');
    state.keys = [good];
    vi.advanceTimersByTime(6 * 60_000);
    expect(await tryToken(strict, kept)).toHaveProperty('id', 'ada');
    await expect.poll(async () => (await tryToken(strict, kept)) instanceof AuthenticationError).toBe(true);
    expect(await tryToken(strict, old)).toHaveProperty('id', 'ada');
    // After a long time without callers, the first one waits for the keys.
    state.keys = [other];
    vi.advanceTimersByTime(3_600_000);
    expect(await tryToken(strict, old)).toEqual(refusal('The token is invalid.'));
    expect(await tryToken(strict, kept)).toHaveProperty('id', 'ada');
  });

  test('that is unchanged does not cause another verification', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const { url, state } = await served([good]);
    const strict = authenticator({ jwks: url, timeout: 600_000 });
    const token = await good.sign({ exp: now() + 86_400 });
    await tryToken(strict, token);
    const first = await tryToken(strict, token);
    vi.advanceTimersByTime(6 * 60_000);
    expect(await tryToken(strict, token)).toBe(first);
    await expect.poll(() => state.requests).toBe(2);
    await expect.poll(async () => tryToken(strict, token)).toBe(first);
  });

  test('is fetched again for an unknown key, at most once per cooldown', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const { url, state } = await served([good]);
    const strict = authenticator({ jwks: url, timeout: 600_000 });
    expect(await tryToken(strict, await good.sign())).toHaveProperty('id', 'ada');
    state.keys = [good, other];
    expect(await tryToken(strict, await other.sign())).toBeInstanceOf(AuthenticationError);
    expect(state.requests).toBe(1);
    vi.advanceTimersByTime(31_000);
    expect(await tryToken(strict, await other.sign())).toHaveProperty('id', 'ada');
    const third = await createIssuer('three');
    for (let at = 0; at < 20; at++)
      expect(await tryToken(strict, await third.sign({ jti: at }))).toBeInstanceOf(AuthenticationError);
    expect(state.requests).toBe(2);
  });
});

test('bearerJwt rejects options without effect or protection', () => {
  const wrong: readonly object[] = [
    { issuer: undefined },
    { issuer: '' },
    { audience: [] },
    { jwks: undefined },
    { jwks: 'keys.json' },
    { jwks: 'file:///etc/keys.json' },
    { algorithms: [] },
    { algorithms: ['none'] },
    { algorithms: ['RS256', 'HS256'] },
    { algorithms: ['HS256'] },
    { clockTolerance: -1 },
    { types: [] },
    { types: [''] },
    { types: 'JWT' },
    { timeout: Number.NaN },
  ];
  for (const options of wrong) expect(() => authenticator(options)).toThrow(TypeError);
});
