import { describe, expect, test } from 'vitest';
import { createSigner, generateKey, publicKeyOf } from '../../src/federation/node/node-crypto.js';
import { checked } from '../../src/federation/refusal.js';
import { readKey } from '../../src/federation/sign-index.js';
import { bytesOf, keys, noon, plainIndex, refusal, said, signed, signPlain } from './bundles.js';
import type { Json } from './second-implementation.js';

/** The finding for which an index is not signed. */
function refusalOf(change: (index: Json) => void): string | undefined {
  const index = structuredClone(plainIndex);
  change(index);
  const signing = signPlain(index);
  return signing.ok ? undefined : said(signing.problem, 'index.json');
}

test('an error of the program is not reported as a problem of a document', () => {
  const failing = () => {
    throw new TypeError('the disk is gone');
  };
  expect(() => checked(failing)).toThrow(new TypeError('the disk is gone'));
});

describe('an index', () => {
  test('is sorted before signing', () => {
    const shuffled = structuredClone(plainIndex);
    shuffled.chains.reverse();
    const [first] = shuffled.routes;
    shuffled.routes.push({ ...first, hops: first.hops.slice(0, 2) });
    shuffled.routes.reverse();
    shuffled.revocations.unshift(
      { kind: 'issuer', subject: 'x', reason: 'lost' },
      { kind: 'chain', subject: 'zelkova', reason: 'gone' },
    );
    const bundle = signed(shuffled);
    expect(bundle.chains.map(({ chainId }: Json) => chainId)).toEqual(['alder', 'birch', 'cedar']);
    expect(bundle.routes.map(({ fromChainId }: Json) => fromChainId)).toEqual(['alder', 'alder', 'birch']);
    expect(bundle.routes.map(({ toChainId }: Json) => toChainId)).toEqual(['birch', 'cedar', 'cedar']);
    expect(bundle.revocations.map(({ subject }: Json) => subject)).toEqual(['dogwood', 'zelkova', 'x']);
  });

  test('gets the time of signing by default', () => {
    const { generatedAt: _, ...index } = structuredClone(plainIndex);
    index.chains[0].witnessHead.issuedAt = '2026-03-01T11:00:00Z';
    index.revocations[0].revokedAt = '2026-02-01T00:00:00Z';
    index.routes[0].epoch = 5;
    index.index = 2;
    const bundle = signed(index);
    expect(bundle.snapshot).toMatchObject({ generatedAt: '2026-03-01T12:00:00Z', index: 2 });
    expect(bundle.chains.map(({ witnessHead }: Json) => witnessHead.issuedAt)).toEqual([
      '2026-03-01T11:00:00Z',
      '2026-03-01T12:00:00Z',
      '2026-03-01T12:00:00Z',
    ]);
    expect(bundle.revocations[0].revokedAt).toBe('2026-02-01T00:00:00Z');
    expect(bundle.routes.map(({ epoch }: Json) => epoch)).toEqual([5, 7]);
  });

  test('has the same signature in any order of its members', () => {
    const index = structuredClone(plainIndex);
    const [alder, birch, cedar] = index.routes[0].hops;
    const way = (...hops: Json[]) => ({ expiresAt: '2026-03-15T00:00:00Z', hops });
    index.routes = [way(alder, cedar), way(birch, alder), way(birch, cedar), way(cedar, birch, alder)];
    index.revocations = [
      ['chain', 'x'],
      ['chain', 'z'],
      ['issuer', 'a'],
      ['issuer', 'y'],
    ].map(([kind, subject]) => ({ kind, subject, reason: 'test' }));
    const expected = signed(index);
    for (let turn = 0; turn < 4; turn++) {
      for (const list of [index.chains, index.routes, index.revocations]) list.push(list.shift());
      expect(signed(index)).toEqual(expected);
      const reversed = { ...index };
      for (const name of ['chains', 'routes', 'revocations']) reversed[name] = index[name].toReversed();
      expect(signed(reversed)).toEqual(expected);
    }
  });

  test('is sorted by code units, independently of the locale', () => {
    const { revocations: _, routes: __, ...index } = structuredClone(plainIndex);
    const [chain] = index.chains;
    const sorted = ['A', 'B', 'Z.', 'Z1', 'a', 'a-', 'a.', 'a1', 'aa'];
    index.chains = sorted.toReversed().map((chainId) => ({ ...chain, chainId }));
    expect(signed(index).chains.map(({ chainId }: Json) => chainId)).toEqual(sorted.toSorted());
  });

  test('requires keys only for the records that it has', () => {
    const signer = createSigner(keys.index.issuer, keys.index.seed);
    const only = (...roles: string[]) => new Map(roles.map((role) => [role as 'route', [signer]]));
    const { chains, revocations } = plainIndex;
    const rolesOf: [Json, string[]][] = [
      [{ epoch: 1, chains: [] }, ['snapshot']],
      [{ epoch: 1, chains: [], revocations }, ['snapshot', 'revocation']],
      [{ epoch: 1, chains, routes: [], revocations: [] }, ['snapshot', 'chain', 'witness']],
    ];
    for (const [index, roles] of rolesOf) {
      expect(signPlain(index, only(...roles)).ok).toBe(true);
      for (const missing of roles) {
        const signing = signPlain(index, only(...roles.filter((role) => role !== missing)));
        expect(!signing.ok && said(signing.problem, 'index.json')).toContain(`for the role ${missing},`);
      }
    }
    expect(signPlain({ epoch: 1, chains: [] }, new Map([['snapshot' as 'route', []]])).ok).toBe(false);
  });

  test('may have names of members in its strings', () => {
    const index = structuredClone(plainIndex);
    const quoting = '{"signatures":[],"digest":"","signature":"","witnessHead":{"chainId":';
    index.chains[0].witnessHead.head = quoting;
    index.revocations[0].reason = quoting;
    expect(refusal(bytesOf(signed(index)))).toBeUndefined();
  });

  test('may be empty', () => {
    const signing = signPlain({ epoch: 1, chains: [] });
    expect(signing.ok && refusal(Buffer.from(signing.text))).toBeUndefined();
    expect(signing.ok && signing.bundle.snapshot.mirrors).toEqual([]);
  });

  test.each<[string, (index: Json) => void, string]>([
    [
      'an unknown member',
      (index) => Object.assign(index.chains[0], { id: 'a' }),
      'GG6026 In the index, chains[0].id must be absent',
    ],
    [
      'a route to a chain that is not there',
      (index) => index.routes[0].hops.push({ chainId: 'elm', endpoint: 'https://elm.example/' }),
      'GG6026 In the index, routes[0].hops[3].chainId must be one of the chains.',
    ],
    [
      'a route with one hop',
      (index) => index.routes[0].hops.splice(1),
      'GG6026 In the index, routes[0].hops must be a list of 2 to 64 items.',
    ],
    ['a chain twice', (index) => index.chains.push(index.chains[0]), 'GG6015 chains[1] is out of order'],
    [
      'a chain that it revokes',
      (index) => Object.assign(index.revocations[0], { subject: 'birch' }),
      'GG6019 chains[1] uses the chain birch',
    ],
  ])('with %s is rejected', (_what, change, expected) => {
    expect(refusalOf(change)).toContain(expected);
  });

  test('that is not JSON is GG6002, and a list is GG6026', () => {
    expect(signPlain('{')).toMatchObject({ ok: false, problem: { code: 'GG6002' } });
    expect(signPlain([])).toMatchObject({
      ok: false,
      problem: { message: 'In the index, the document must be an object.' },
    });
  });

  test.each(['snapshot', 'chain', 'witness', 'route', 'revocation'] as const)(
    'without a key for %s is GG6028',
    (role) => {
      const signer = createSigner(keys.index.issuer, keys.index.seed);
      const roles = ['snapshot', 'chain', 'witness', 'route', 'revocation'] as const;
      const signers = new Map(roles.filter((one) => one !== role).map((one) => [one as 'route', [signer]]));
      const signing = signPlain(plainIndex, signers);
      expect(signing.ok ? undefined : signing.problem.message).toBe(
        `The index needs a signature for the role ${role}, but no key for it was given.`,
      );
    },
  );

  test('is signed by all keys of a role, in their order, and by the first witness', () => {
    const both = [keys.willow, keys.chains].map(({ issuer, seed }) => createSigner(issuer, seed));
    const signers = new Map(
      (['snapshot', 'chain', 'witness', 'route', 'revocation'] as const).map((role) => [role as 'route', both]),
    );
    const signing = signPlain(plainIndex, signers);
    const bundle: Json = signing.ok ? signing.bundle : undefined;
    const issuers = [keys.chains.issuer, keys.willow.issuer];
    expect(bundle.chains[0].signatures.map(({ issuer }: Json) => issuer)).toEqual(issuers);
    expect(bundle.chains[0].witnessHead.issuer).toBe(keys.chains.issuer);
  });
});

describe('a key', () => {
  test('that is generated signs for its public key', () => {
    const { privateKey, publicKey } = generateKey();
    expect(publicKeyOf(privateKey)).toEqual(publicKey);
    expect(createSigner('new#0000000000000000', privateKey).sign(Buffer.from('x'))).toHaveLength(64);
    expect(noon).toBeGreaterThan(0);
  });

  test('is read from its file; anything else is GG6027', () => {
    const text = `ed25519:${'A'.repeat(43)}`;
    const good = {
      format: 'gg-federation-key/v1',
      issuer: keys.index.issuer,
      publicKey: text,
      privateKey: text,
    };
    const read = (value: unknown) => readKey(Buffer.from(JSON.stringify(value)), 'a.key.json');
    expect(read(good)).toEqual({ ok: true, key: good });
    expect(read({ ...good, privateKey: 'x' })).toMatchObject({ ok: false, problem: { code: 'GG6027' } });
    const refusalOfKey = (value: unknown) => {
      const reading = read(value);
      return reading.ok ? undefined : said(reading.problem, 'a.key.json');
    };
    const start = 'GG6027 This is not a key file of gg-svc federation keygen: ';
    expect(refusalOfKey([])).toBe(`${start}it must be an object.`);
    for (const name of Object.keys(good)) {
      expect(refusalOfKey({ ...good, [name]: 'x' })).toMatch(`${start}${name} must be `);
      expect(refusalOfKey({ ...good, [name]: undefined })).toMatch(`${start}${name} must be `);
    }
    expect(refusalOfKey({ ...good, format: 'x' })).toBe(`${start}format must be "gg-federation-key/v1".`);
    expect(refusalOfKey({ ...good, name: 'x' })).toMatch(`${start}name must be absent`);
    expect(readKey(Buffer.from('{'), 'a.key.json')).toMatchObject({ ok: false, problem: { code: 'GG6002' } });
  });
});
