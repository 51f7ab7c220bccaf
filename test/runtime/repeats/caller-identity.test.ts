import { expect, test } from 'vitest';
import type { Principal } from '../../../src/runtime/auth/principal.js';
import { identify } from '../../../src/runtime/repeats/caller-identity.js';

const of = (principal: Principal | null, headers: Readonly<Record<string, string>> = {}, address = '203.0.113.1') =>
  identify({ principal, address, header: (name) => headers[name] });

const ada: Principal = {
  id: 'ada',
  scopes: ['read', 'write'],
  expiresAt: 1_000,
  claims: { iss: 'https://a.example', azp: 'app', roles: ['nurse', 'admin'], exp: 1_000, jti: '1' },
};
const withClaims = (claims: object): Principal => ({ ...ada, claims: { ...ada.claims, ...claims } });

test('identifies a caller with a renewed token, from any network, with its rights in any order', () => {
  const renewed = { ...withClaims({ exp: 2_000, jti: '2', roles: ['admin', 'nurse'] }), expiresAt: 2_000 };
  const other = of({ ...renewed, scopes: ['write', 'read', 'read'] }, { authorization: 'new' }, '198.51.100.1');
  expect(other).toEqual(of(ada));
});

test.each<[string, Principal, 'same' | 'other']>([
  ['subject', { ...ada, id: 'bob' }, 'other'],
  ['issuer', withClaims({ iss: 'https://b.example' }), 'other'],
  ['client', withClaims({ azp: 'other' }), 'same'],
  ['client (RFC 9068)', withClaims({ client_id: 'other' }), 'same'],
  ['scopes', { ...ada, scopes: ['read'] }, 'same'],
  ['number of scopes', { ...ada, scopes: ['read write'] }, 'same'],
  ['roles', withClaims({ roles: ['nurse'] }), 'same'],
  ['claims without roles', withClaims({ roles: undefined }), 'same'],
])('treats a principal with another $0 as another caller; its account is the $2', (_, principal, account) => {
  const [one, other] = [of(ada), of(principal)];
  expect(other.caller).not.toBe(one.caller);
  expect(other.account === one.account).toBe(account === 'same');
});

test('identifies a caller without a principal by Authorization and Cookie, and its account by its network', () => {
  const callers = [
    of(null, { authorization: 'a' }),
    of(null, { cookie: 'a' }),
    of(null, { authorization: 'a', cookie: 'b' }),
    of(null, { authorization: 'ab' }),
  ];
  expect(new Set(callers.map(({ caller }) => caller)).size).toBe(4);
  expect(new Set(callers.map(({ account }) => account)).size).toBe(1);
  expect(of(null, { cookie: 'a' }, '198.51.100.1')).toMatchObject({ caller: callers[1]?.caller });
  expect(of(null, { cookie: 'a' }, '198.51.100.1').account).not.toBe(callers[1]?.account);
});

test('treats the addresses of one /64 as one account', () => {
  const [one, same, other] = ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:1::1'].map(
    (network) => of(null, { cookie: 'a' }, network).account,
  );
  expect([same === one, other === one]).toEqual([true, false]);
});

test('never gives callers of two kinds the same identity', () => {
  const principal = of({ id: 'a' });
  const network = of(null, { authorization: 'a' });
  expect(new Set([principal.caller, principal.account, network.caller, network.account]).size).toBe(4);
});

test('does not identify callers without credentials', () => {
  expect(() => of(null)).toThrow(expect.objectContaining({ status: 400, code: 'IDEMPOTENCY_CALLER_UNKNOWN' }));
});

test('accepts claims of any type', () => {
  const ids = [1, null, ['2'], { a: 1 }, []].map((roles) => of(withClaims({ roles })).caller);
  expect(new Set(ids).size).toBe(5);
});
