import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { toBase64Url } from '../../src/federation/encoding.js';
import type { FederationHistory } from '../../src/federation/history.js';
import { sha256 } from '../../src/federation/node/node-crypto.js';
import { checkProof } from '../../src/federation/path-proof.js';
import { checked } from '../../src/federation/refusal.js';
import {
  allKeys,
  bytesOf,
  keys,
  noon,
  plainIndex,
  policy,
  readPolicy,
  refusal,
  said,
  sealed,
  signed,
  trustOf,
  verifyAt,
} from './bundles.js';
import {
  fingerprint,
  type Json,
  jcs,
  message,
  pathProof,
  publicKeyText,
  sign,
  without,
} from './second-implementation.js';

const second = 1000;

/** The text of the golden bundle. Signed in the test that needs it: mutation testing counts what each test runs. */
function goldenText(): string {
  return jcs(signed());
}

/** What is said of the golden bundle when its text is changed. */
function refusalOfText(change: (text: string) => string): string | undefined {
  const text = goldenText();
  const changed = change(text);
  expect(changed).not.toBe(text);
  return refusal(Buffer.from(changed));
}

/** What is said when an attacker with the key of the index, and those that are given, changes something. */
function refusalOfSealed(
  change: (bundle: Json) => void,
  resigners: Parameters<typeof sealed>[1] = {},
  options: Parameters<typeof refusal>[1] = {},
): string | undefined {
  const bundle = signed();
  change(bundle);
  return refusal(sealed(bundle, resigners), options);
}

/** The history after the golden bundle. */
function historyOf(index: Json = plainIndex): FederationHistory {
  const found = verifyAt(bytesOf(signed(index)));
  if (!found.ok) throw new Error(found.problem.message);
  return found.history;
}

test('resealing an unchanged bundle keeps it valid', () => {
  expect(refusalOfSealed(() => undefined, allKeys)).toBeUndefined();
});

describe('a malformed or ambiguous bundle', () => {
  test('too many bytes are GG6001', () => {
    expect(refusal(Buffer.alloc(64 * 1024 * 1024 + 1, ' '))).toBe(
      'GG6001 The bundle has 67108865 bytes; the limit is 67108864.',
    );
    expect(refusal(Buffer.alloc(64 * 1024 * 1024, 0xff))).toBe('GG6002 Invalid JSON: it is not UTF-8.');
  });

  // The golden bundle has three chains and two routes.
  test.each([
    ['chains', 99_998, 'records'],
    ['routes', 99_997, 'records'],
    ['revocations', 100_000, 'revocations'],
  ])('too many %s are GG6001, regardless of their content', (list, most, what) => {
    const sized = (size: number) => refusal(bytesOf({ ...signed(), [list]: new Array(size).fill(0) }));
    expect(sized(most + 1)).toBe(`GG6001 The bundle has 100001 ${what}; the limit is 100000.`);
    expect(sized(most)).toBe(`GG6007 ${list}[0] must be an object.`);
  });

  test('bytes that are not UTF-8 are GG6002', () => {
    const text = goldenText();
    const bytes = Buffer.from(text);
    bytes[text.indexOf('willow')] = 0xff;
    expect(refusal(bytes)).toBe('GG6002 Invalid JSON: it is not UTF-8.');
  });

  test.each([
    ['a byte order mark', (given: string) => `\ufeff${given}`],
    ['an end that is missing', (given: string) => given.slice(0, -1)],
    ['a text without an end', (given: string) => given.slice(0, given.lastIndexOf('"'))],
    ['something behind the end', (given: string) => `${given}]`],
    ['a comma too many', (given: string) => given.replace('"format"', ',"format"')],
    ['nothing', () => ''],
    ['a broken key', () => '{"\\u00":1}'],
    ['a long line that the parser quotes', () => `{"a":${'x'.repeat(300)}}`],
  ])('%s is GG6002', (_what, change) => {
    expect(refusalOfText(change)).toMatch(/^GG6002 .{0,200}$/);
  });

  test.each([17, 100_000])('%i levels are GG6003, without a stack overflow', (depth) => {
    expect(refusal(Buffer.from('['.repeat(depth)))).toBe(
      'GG6003 The JSON is nested more than 16 levels deep (at character 16).',
    );
  });

  test('a duplicate key is GG6004, in any spelling', () => {
    const twice = /^GG6004 Duplicate key "epoch" in one object/;
    expect(refusalOfText((given) => given.replace('"epoch":7', '"epoch":7,"epoch":7'))).toMatch(twice);
    expect(refusalOfText((given) => given.replace('"epoch":7', '"epoch":7,"\\u0065poch" : 8'))).toMatch(twice);
    expect(refusalOfText((given) => given.replace('"epoch":7', '"\\"":7,"\\"":7'))).toMatch(/^GG6004 /);
  });

  test.each(['-0', '9007199254740993', '9007199254740992', '7.0', '7e0', '0.5', '1E400', '-9007199254740993'])(
    '%s is GG6005',
    (number) => {
      const found = refusalOfText((given) => given.replace('"epoch":7', `"epoch":${number}`));
      expect(found).toContain(`GG6005 ${number} is not a safe integer (at character `);
    },
  );

  test.each([
    ['a space', (given: string) => given.replace('"epoch":7', '"epoch": 7')],
    ['a line break at the end', (given: string) => `${given}\n`],
    ['a line break at the start', (given: string) => `\n${given}`],
    ['two changes', (given: string) => given.replace('"epoch":7', '"epoch": 7').replace('willow', '\\u0077illow')],
    ['a space in a list', (given: string) => given.replace('},{"capabilities"', '}, {"capabilities"')],
    ['a space before a list', (given: string) => given.replace('"routes":', '"routes": ')],
    ['another order of lists', (given: string) => given.replace(/^\{("chains":.*),("format":"[^"]*")/, '{$2,$1')],
    ['another order in the header', (given: string) => given.replace(/("index":0),("mirrors":\[[^\]]*\])/, '$2,$1')],
    ['another spelling of a letter', (given: string) => given.replace('willow', '\\u0077illow')],
    ['another spelling of a slash', (given: string) => given.replace('https://', 'https:\\/\\/')],
    ['another order of keys', (given: string) => given.replace(/("digest":"[^"]*"),("epoch":\d+)/, '$2,$1')],
  ])('%s is GG6006', (_what, change) => {
    const text = goldenText();
    const changed = change(text);
    const offset = [...changed].findIndex((character, at) => character !== text[at]);
    expect(refusal(Buffer.from(changed))).toMatch(
      new RegExp(`^GG6006 The bundle is not in canonical form .* from character ${offset} on\\.$`),
    );
  });

  test.each<[string, (bundle: Json) => void, string]>([
    ['no object', (bundle) => Object.assign(bundle, { snapshot: [] }), 'snapshot must be an object.'],
    ['null', (bundle) => Object.assign(bundle, { snapshot: null }), 'snapshot must be an object.'],
    [
      'another format',
      (bundle) => Object.assign(bundle, { format: 'v2' }),
      'format must be "gg-federation-bundle/v1".',
    ],
    ['no list', (bundle) => Object.assign(bundle, { routes: {} }), 'routes must be a list.'],
    [
      'a member too many',
      (bundle) => Object.assign(bundle.chains[1], { trusted: true }),
      'chains[1].trusted must be absent: it is not a known member.',
    ],
    ['a member too few', (bundle) => delete bundle.chains[0].capabilities, 'chains[0].capabilities must be present.'],
    [
      'a member under the name of a built-in',
      (bundle) => Object.assign(bundle, { constructor: 1 }),
      'constructor must be absent: it is not a known member.',
    ],
    [
      'a number for a text',
      (bundle) => Object.assign(bundle.chains[0], { chainId: 7 }),
      'chains[0].chainId must be an id',
    ],
    [
      'half a surrogate pair',
      (bundle) => Object.assign(bundle.chains[0].witnessHead, { head: '\ud800' }),
      'chains[0].witnessHead.head must be one line',
    ],
    [
      'a text that is too long',
      (bundle) => Object.assign(bundle.routes[0].hops[0], { endpoint: `https://${'a'.repeat(3000)}` }),
      'routes[0].hops[0].endpoint must be a URL',
    ],
    [
      'a number that GraphQL has not',
      (bundle) => Object.assign(bundle.snapshot, { epoch: 2 ** 31 }),
      'snapshot.epoch must be an integer from 0 to 2147483647.',
    ],
    [
      'a negative number',
      (bundle) => Object.assign(bundle.snapshot, { epoch: -1 }),
      'snapshot.epoch must be an integer',
    ],
    [
      'a day that the calendar lacks',
      (bundle) => Object.assign(bundle.chains[0], { expiresAt: '2026-02-29T00:00:00Z' }),
      'chains[0].expiresAt must be a time',
    ],
    [
      'a time that is not in UTC',
      (bundle) => Object.assign(bundle.chains[0], { expiresAt: '2026-02-28T00:00:00+01:00' }),
      'chains[0].expiresAt must be a time',
    ],
    [
      'no signature',
      (bundle) => Object.assign(bundle.chains[0], { signatures: [] }),
      'chains[0].signatures must be a list of 1 to 64 items.',
    ],
    [
      'an upper-case digest',
      (bundle) => Object.assign(bundle.routes[0], { digest: bundle.routes[0].digest.toUpperCase() }),
      'routes[0].digest must be a digest',
    ],
  ])('%s is GG6007', (_what, change, expected) => {
    const bundle = signed();
    change(bundle);
    expect(refusal(bytesOf(bundle))).toContain(`GG6007 ${expected}`);
  });

  test('a signature in another form is GG6007', () => {
    const good = 'A'.repeat(86);
    for (const signature of ['A'.repeat(85), 'A'.repeat(87), `${good.slice(1)}=`, `${good.slice(1)}+`, '']) {
      for (const wrong of [`ed25519:${signature}`, ` ed25519:${good}`, `ed448:${good}`, good]) {
        const bundle = signed();
        bundle.chains[0].witnessHead.signature = wrong;
        expect(refusal(bytesOf(bundle))).toBe(
          'GG6007 chains[0].witnessHead.signature must be a signature: ed25519: and 86 characters of base64url.',
        );
      }
    }
  });

  test('a bundle that is a list is GG6007', () => {
    expect(refusal(Buffer.from('[]'))).toBe('GG6007 the bundle must be an object.');
    for (const value of ['7', 'null', '"x"']) {
      expect(refusal(Buffer.from(value))).toBe('GG6007 the bundle must be an object.');
    }
  });
});

describe('a trust policy', () => {
  const refusalOf = (change: (policy: Json) => void): string => {
    const changed = structuredClone(policy);
    change(changed);
    const reading = readPolicy(JSON.stringify(changed));
    return reading.ok ? 'sound' : said(reading.problem, 'trust.json');
  };
  const withKey = (publicKey: Uint8Array) => (changed: Json) => {
    changed.keys[0].publicKey = `ed25519:${toBase64Url(publicKey)}`;
  };

  test('is valid', () => {
    expect(refusalOf(() => undefined)).toBe('sound');
    const { freshness, minimumEpoch } = trustOf({ ...policy, freshness: { witness: 60 }, minimumEpoch: 3 });
    expect(freshness).toEqual({ snapshot: 86_400, witness: 60, skew: 60 });
    expect(minimumEpoch).toBe(3);
  });

  test.each<[string, (policy: Json) => void, string]>([
    ['another format', (changed) => Object.assign(changed, { format: 'x' }), 'format must be'],
    [
      'an unknown role',
      (changed) => Object.assign(changed.roles, { chains: changed.roles.chain }),
      'roles.chains must be absent',
    ],
    ['no role for the snapshot', (changed) => delete changed.roles.snapshot, 'roles.snapshot must be present'],
    [
      'an issuer without a key',
      (changed) => changed.roles.chain.issuers.push(keys.stranger.issuer),
      'roles.chain.issuers[1] must be the issuer of one of the keys',
    ],
    [
      'an issuer twice in a role',
      (changed) => changed.roles.chain.issuers.push(keys.chains.issuer),
      'roles.chain.issuers must be free of duplicates',
    ],
    [
      'an unreachable threshold',
      (changed) => Object.assign(changed.roles.chain, { threshold: 2 }),
      'roles.chain.threshold must be at most 1',
    ],
    [
      'a threshold of none',
      (changed) => Object.assign(changed.roles.chain, { threshold: 0 }),
      'roles.chain.threshold must be an integer',
    ],
    [
      'two witnesses for one head',
      (changed) =>
        Object.assign(changed.roles.witness, {
          issuers: [keys.willow.issuer, keys.index.issuer],
          threshold: 2,
        }),
      'roles.witness.threshold must be at most 1',
    ],
    ['an issuer twice', (changed) => changed.keys.push(changed.keys[0]), 'keys[3].issuer must be unique'],
    [
      'a key under two names',
      (changed) => changed.keys.push({ ...changed.keys[0], issuer: `other#${keys.index.issuer.split('#')[1]}` }),
      'keys[3].publicKey must be unique',
    ],
  ])('with %s is GG6008', (_what, change, expected) => {
    expect(refusalOf(change)).toContain(`GG6008 In the trust policy, ${expected}`);
  });

  test('that is not an object is GG6008, and one that is not JSON is GG6002', () => {
    const codeOf = (given: string) => {
      const reading = readPolicy(given);
      return reading.ok ? undefined : reading.problem.message;
    };
    expect(codeOf('[]')).toBe('In the trust policy, the document must be an object.');
    expect(codeOf('{')).toMatch(/^Invalid JSON/);
  });

  test('with a duplicate key is GG6004, and with an unsafe number GG6005', () => {
    const given = JSON.stringify(policy);
    const codeOf = (changed: string) => {
      const reading = readPolicy(changed);
      return reading.ok ? 'sound' : reading.problem.code;
    };
    expect(codeOf(given.replace('"threshold":1', '"threshold":1,"threshold":1'))).toBe('GG6004');
    expect(codeOf(given.replace('"threshold":1', '"threshold":1.0'))).toBe('GG6005');
  });

  const torsion = [...Array(8).keys()].map((multiple) =>
    multiple === 0 ? ed25519.Point.ZERO : torsionPoint().multiply(BigInt(multiple)),
  );

  test.each(torsion.map((point, at) => [at, point.toBytes()] as const))(
    'with the small-order key %i is GG6009',
    (_at, bytes) => {
      expect(refusalOf(withKey(bytes))).toContain('is not safe: it is a point of small order.');
    },
  );

  test('with a key of mixed order is GG6009', () => {
    const mixed = ed25519.Point.fromBytes(ed25519.getPublicKey(keys.index.seed)).add(torsionPoint());
    expect(refusalOf(withKey(mixed.toBytes()))).toContain('it is not in the prime-order group');
  });

  test.each([
    ['a second spelling of 1', `ee${'ff'.repeat(30)}7f`],
    ['a second spelling of 0', `ed${'ff'.repeat(30)}7f`],
    ['zero with a sign', `01${'00'.repeat(30)}80`],
    ['no point at all', `02${'00'.repeat(31)}`],
  ])('with %s for a key is GG6009', (_what, bytes) => {
    expect(refusalOf(withKey(Buffer.from(bytes, 'hex')))).toMatch(
      /^GG6009 .*it is not the canonical encoding of a curve point/,
    );
  });

  test('with non-zero unused bits in a key is GG6009', () => {
    expect(
      refusalOf((changed) => {
        changed.keys[0].publicKey = changed.keys[0].publicKey.replace(/.$/, (last: string) =>
          String.fromCharCode(last.charCodeAt(0) + 1),
        );
      }),
    ).toMatch(/^GG6009 .*unused bits that are not zero/);
  });

  test('with an issuer that does not match its key is GG6010, with the right issuer in the hint', () => {
    const reading = readPolicy(JSON.stringify(policy).replaceAll(keys.willow.issuer, 'willow#0000000000000000'));
    expect(reading.ok).toBe(false);
    expect(reading.ok ? undefined : reading.problem).toMatchObject({
      code: 'GG6010',
      hint: `If the key is right, name its issuer ${keys.willow.issuer}.`,
    });
    expect(fingerprint(keys.willow)).toBe(keys.willow.issuer.split('#')[1]);
  });
});

/** A point of order 8. */
function torsionPoint(): InstanceType<typeof ed25519.Point> {
  const bytes = Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex');
  return ed25519.Point.fromBytes(bytes);
}

describe('signatures', () => {
  test('by a key that is not in the policy are GG6011', () => {
    expect(refusalOfSealed(() => undefined, { ...allKeys, chains: keys.stranger })).toBe(
      `GG6011 chains[0] is signed by ${keys.stranger.issuer}, which is not in the trust policy.`,
    );
  });

  test('by a key with another role are GG6012, for each kind of record', () => {
    const wrong = (resigners: Parameters<typeof sealed>[1]) =>
      refusalOfSealed(() => undefined, { ...allKeys, ...resigners });
    expect(wrong({ chains: keys.willow })).toMatch(
      /^GG6012 chains\[0\] is signed by willow#.*the role chain in the trust policy\.$/,
    );
    expect(wrong({ witnesses: keys.chains })).toMatch(
      /^GG6012 chains\[0\]\.witnessHead .* the role witness in the trust policy\.$/,
    );
    expect(wrong({ revocations: keys.willow })).toMatch(
      /^GG6012 revocations\[0\] .* the role revocation in the trust policy\.$/,
    );
    const routes = refusalOfSealed(() => undefined, { routes: keys.chains });
    expect(routes).toMatch(/^GG6012 routes\[0\] .* the role route in the trust policy\.$/);
  });

  test('in a role that is not in the policy are GG6012', () => {
    const { route: _, ...roles } = policy.roles;
    expect(refusal(Buffer.from(goldenText()), { trust: trustOf({ ...policy, roles }) })).toMatch(
      /^GG6012 routes\[0\] /,
    );
  });

  test('over other content are GG6013, for each kind of record', () => {
    expect(refusalOfSealed((bundle) => bundle.chains[1].capabilities.push('write'))).toMatch(/^GG6013 .* chains\[1\]/);
    expect(refusalOfSealed((bundle) => Object.assign(bundle.revocations[0], { reason: 'no' }))).toMatch(
      /^GG6013 .* revocations\[0\]/,
    );
    expect(refusalOfSealed((bundle) => swap(bundle.routes, 'signatures'))).toMatch(/^GG6013 .* routes\[0\]/);
    expect(
      refusalOfSealed((bundle) => {
        bundle.chains[2].witnessHead.signature = bundle.chains[1].witnessHead.signature;
      }),
    ).toMatch(/^GG6013 .* chains\[2\]\.witnessHead/);
  });

  test('of one kind of record are not valid for another', () => {
    const bundle = signed();
    const { signatures: _, ...content } = bundle.revocations[0];
    bundle.revocations[0].signatures = [
      { issuer: keys.index.issuer, signature: sign(keys.index, message('route', content)) },
    ];
    expect(refusal(sealed(bundle))).toMatch(/^GG6013 .* revocations\[0\]/);
  });

  test('in another encoding are GG6013', () => {
    const change = (bundle: Json) => {
      const [signature] = bundle.chains[0].signatures;
      // The last character holds four bits that belong to nothing.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = alphabet.indexOf(signature.signature.at(-1));
      signature.signature = `${signature.signature.slice(0, -1)}${alphabet[last + 1]}`;
    };
    expect(refusalOfSealed(change)).toMatch(/^GG6013 .* chains\[0\]/);
  });

  test('of the header are GG6013 when anything in it was changed', () => {
    for (const name of ['epoch', 'index']) {
      const bundle = signed();
      bundle.snapshot[name] += 1;
      expect(refusal(bytesOf(bundle))).toMatch(/^GG6013 .* snapshot does not verify/);
    }
  });

  describe('with a threshold of two', () => {
    const both = { issuers: [keys.index.issuer, keys.second.issuer], threshold: 2 };
    const trustInBoth = () =>
      trustOf({
        ...policy,
        keys: [...policy.keys, { issuer: keys.second.issuer, publicKey: publicKeyText(keys.second) }],
        roles: { ...policy.roles, snapshot: both },
      });
    const headerOf = ({ signatures: _, ...content }: Json) => message('snapshot', content);

    test('one signature is GG6014', () => {
      expect(refusal(Buffer.from(goldenText()), { trust: trustInBoth() })).toBe(
        'GG6014 snapshot has 1 signatures for the role snapshot; the trust policy requires 2.',
      );
    });

    test('two signatures suffice', () => {
      const bundle = signed();
      const signature = sign(keys.second, headerOf(bundle.snapshot));
      bundle.snapshot.signatures.push({ issuer: keys.second.issuer, signature });
      expect(refusal(bytesOf(bundle), { trust: trustInBoth() })).toBeUndefined();
    });

    test('the same signature twice is GG6015', () => {
      const bundle = signed();
      bundle.snapshot.signatures.push(bundle.snapshot.signatures[0]);
      expect(refusal(bytesOf(bundle), { trust: trustInBoth() })).toBe(
        'GG6015 snapshot.signatures[1] is out of order: signatures must be sorted by issuer, without duplicates.',
      );
    });
  });
});

/** Exchanges a member of the first two items. */
function swap(list: Json, name: string): void {
  [list[0][name], list[1][name]] = [list[1][name], list[0][name]];
}

describe('a bundle with missing, moved or exchanged records', () => {
  const order = {
    number: 'chains are numbered from 0',
    chains: 'chains must be sorted by chainId, without duplicates',
    routes: 'routes must be sorted by fromChainId and toChainId, without duplicates',
    revocations: 'revocations must be sorted by kind and subject, without duplicates',
    signatures: 'signatures must be sorted by issuer, without duplicates',
  };
  const twice = (list: Json): void => list.push(list[0]);
  const revoking = (bundle: Json, ...pairs: [string, string][]): void => {
    const [revocation] = bundle.revocations;
    bundle.revocations = pairs.map(([kind, subject]) => ({ ...revocation, kind, subject }));
  };
  const rerouting = (bundle: Json, ...pairs: [string, string][]): void => {
    const [route] = bundle.routes;
    bundle.routes = pairs.map(([fromChainId, toChainId]) => ({ ...route, fromChainId, toChainId }));
  };

  test.each<[string, (bundle: Json) => void, string, string]>([
    ['chains in another order', ({ chains }) => chains.reverse(), 'chains[0].index', order.number],
    ['chains with the wrong numbers', ({ chains }) => swap(chains, 'index'), 'chains[0].index', order.number],
    [
      'a number that is left out',
      ({ chains }) => Object.assign(chains[2], { index: 3 }),
      'chains[2].index',
      order.number,
    ],
    ['chains in another order, counted', ({ chains }) => swap(chains, 'chainId'), 'chains[1]', order.chains],
    ['a chain twice', ({ chains }) => chains.push({ ...chains[2], index: 3 }), 'chains[3]', order.chains],
    ['routes in another order', ({ routes }) => routes.reverse(), 'routes[1]', order.routes],
    ['a route twice', ({ routes }) => routes.push(routes[1]), 'routes[2]', order.routes],
    [
      'routes from one chain in another order',
      (bundle) => rerouting(bundle, ['a', 'c'], ['a', 'b']),
      'routes[1]',
      order.routes,
    ],
    [
      'routes to other chains in another order',
      (bundle) => rerouting(bundle, ['a', 'b'], ['b', 'a'], ['a', 'c']),
      'routes[2]',
      order.routes,
    ],
    ['a revocation twice', ({ revocations }) => twice(revocations), 'revocations[1]', order.revocations],
    [
      'revocations in another order of kinds',
      (bundle) => revoking(bundle, ['route', 'a'], ['chain', 'b']),
      'revocations[1]',
      order.revocations,
    ],
    [
      'revocations of one kind in another order',
      (bundle) => revoking(bundle, ['chain', 'b'], ['route', 'a'], ['route', 'a']),
      'revocations[2]',
      order.revocations,
    ],
    [
      'a signature of a chain twice',
      ({ chains }) => twice(chains[1].signatures),
      'chains[1].signatures[1]',
      order.signatures,
    ],
    [
      'a signature of a route twice',
      ({ routes }) => twice(routes[1].signatures),
      'routes[1].signatures[1]',
      order.signatures,
    ],
    [
      'a signature of a revocation twice',
      ({ revocations }) => twice(revocations[0].signatures),
      'revocations[0].signatures[1]',
      order.signatures,
    ],
  ])('%s: GG6015', (_what, change, at, rule) => {
    expect(refusalOfSealed(change)).toBe(`GG6015 ${at} is out of order: ${rule}.`);
  });

  test('a removed record is GG6016', () => {
    const changes: ((bundle: Json) => void)[] = [
      (bundle) => bundle.chains.pop(),
      (bundle) => bundle.routes.pop(),
      (bundle) => bundle.revocations.pop(),
    ];
    for (const change of changes) {
      const bundle = signed();
      change(bundle);
      expect(refusal(bytesOf(bundle))).toMatch(
        /^GG6016 The header says \d (records|revocations), but the bundle has \d/,
      );
    }
  });

  test('a valid record of another time is GG6017', () => {
    const other = structuredClone(plainIndex);
    other.chains[0].capabilities.push('write');
    const bundle = signed();
    bundle.chains[0] = signed(other).chains[0];
    expect(refusal(bytesOf(bundle))).toMatch(/^GG6017 The digest in the header is sha256:/);
  });

  test('the witness head of another chain is GG6018: it cannot be replayed', () => {
    expect(refusalOfSealed((bundle) => swap(bundle.chains, 'witnessHead'))).toBe(
      'GG6018 chains[0].witnessHead.digest is not the digest of its content.',
    );
  });

  test('a route with another expiry is GG6018', () => {
    const change = (bundle: Json) => Object.assign(bundle.routes[0], { expiresAt: '2036-03-15T00:00:00Z' });
    expect(refusalOfSealed(change)).toMatch(/^GG6018 routes\[0\]\.digest /);
  });

  test.each<[string, (hops: Json) => void, string]>([
    ['reordered', (hops) => hops.reverse(), 'index 0 at hops[0]'],
    ['reordered and numbered anew', (hops) => renumber(hops.reverse()), 'alder at hops[0]'],
    ['truncated at the end', (hops) => hops.pop(), 'cedar at hops[1]'],
    ['truncated at the start', (hops) => renumber(hops.splice(0, 1) && hops), 'alder at hops[0]'],
    ['truncated to one', (hops) => hops.splice(1), 'two hops or more, both ends included'],
  ])('hops that were %s are GG6022, even when the route is signed', (_what, change, expected) => {
    const found = refusalOfSealed((bundle) => change(bundle.routes[0].hops), { routes: keys.index });
    expect(found).toBe(`GG6022 The hops of routes[0] do not connect its ends: expected ${expected}.`);
  });

  test('hops that were transplanted from another route are GG6018', () => {
    const change = (bundle: Json) => {
      bundle.routes[0].hops[1] = {
        ...bundle.routes[1].hops[0],
        index: 1,
        endpoint: 'https://mallory.example/x',
      };
    };
    expect(refusalOfSealed(change)).toMatch(/^GG6018 routes\[0\]\.digest /);
  });
});

function renumber(hops: Json): void {
  for (const [index, hop] of hops.entries()) hop.index = index;
}

describe('revocations', () => {
  const revoking = (kind: string, subject: string) => (bundle: Json) => {
    bundle.revocations = [{ kind, reason: 'test', revokedAt: '2026-03-01T11:00:00Z', signatures: [], subject }];
  };
  const all = { revocations: keys.index };

  test.each(['index', 'chains', 'willow'] as const)('a bundle with the revoked signer %s is GG6019', (name) => {
    const { issuer } = keys[name];
    expect(refusalOfSealed(revoking('issuer', issuer), all)).toContain(`uses the key ${issuer}, which is revoked`);
  });

  test('a revocation by a revoked signer is GG6019', () => {
    const trust = trusting('revocation');
    const change = revoking('issuer', keys.second.issuer);
    expect(refusalOfSealed(change, { revocations: keys.second }, { trust })).toMatch(/^GG6019 revocations\[0\] /);
  });

  /** A policy with another key, for one role. */
  const trusting = (role: string) =>
    trustOf({
      ...policy,
      keys: [...policy.keys, { issuer: keys.second.issuer, publicKey: publicKeyText(keys.second) }],
      roles: { ...policy.roles, [role]: { issuers: [keys.second.issuer], threshold: 1 } },
    });

  test.each<[string, string, (bundle: Json) => string, string]>([
    ['chains[1]', 'chain', () => 'birch', 'the chain birch'],
    ['routes[1]', 'route', ({ routes }) => routes[1].digest, 'the route sha256:'],
    ['chains[2].witnessHead', 'witness', ({ chains }) => chains[2].witnessHead.digest, 'the witness head sha256:'],
    ['snapshot', 'issuer', () => keys.index.issuer, 'the key index#'],
    ['chains[0]', 'issuer', () => keys.chains.issuer, 'the key chains#'],
    ['chains[0].witnessHead', 'issuer', () => keys.willow.issuer, 'the key willow#'],
  ])('of a record that %s depends on are GG6019: a %s', (at, kind, subjectOf, what) => {
    const found = refusalOfSealed((bundle) => revoking(kind, subjectOf(bundle))(bundle), all);
    expect(found).toMatch(new RegExp(`^GG6019 ${at.replace(/[[\]]/g, '\\$&')} uses ${what}\\S*, which is revoked`));
  });

  test('of the key of a route are GG6019', () => {
    const found = refusalOfSealed(
      revoking('issuer', keys.second.issuer),
      { ...all, routes: keys.second },
      { trust: trusting('route') },
    );
    expect(found).toMatch(/^GG6019 routes\[0\] uses the key second#/);
  });

  test('of a witness head that only a route names are GG6019, at its hop', () => {
    const old = `sha256:${'1'.repeat(64)}`;
    const found = refusalOfSealed(
      (bundle) => {
        bundle.routes[1].hops[1].witnessDigest = old;
        revoking('witness', old)(bundle);
      },
      { ...all, routes: keys.index },
    );
    expect(found).toMatch(/^GG6019 routes\[1\]\.hops\[1\] uses the witness head sha256:1/);
  });

  test('a route over a chain that is revoked is GG6019, though the chain is gone', () => {
    const change = (bundle: Json) => {
      revoking('chain', 'birch')(bundle);
      bundle.chains = bundle.chains.filter(({ chainId }: Json) => chainId !== 'birch');
      renumber(bundle.chains);
    };
    expect(refusalOfSealed(change, allKeys)).toMatch(/^GG6019 routes\[0\]\.hops\[1\] uses the chain birch/);
  });

  test('a revocation stays in force after a later bundle drops it', () => {
    const without = { ...plainIndex, epoch: 8, revocations: [] };
    const withDogwood = structuredClone(without);
    withDogwood.chains.push({ ...withDogwood.chains[0], chainId: 'dogwood' });
    expect(refusal(bytesOf(signed(withDogwood)))).toBeUndefined();
    expect(refusal(bytesOf(signed(withDogwood)), { history: historyOf() })).toMatch(
      /^GG6019 chains\[3\] uses the chain dogwood/,
    );
    expect(refusal(bytesOf(signed({ ...without, routes: [] })))).toBeUndefined();
    expect(refusal(bytesOf(signed({ epoch: 8, generatedAt: plainIndex.generatedAt, chains: [] })))).toBeUndefined();
  });
});

describe('times', () => {
  test.each<[string, (index: Json) => void, string]>([
    ['a snapshot', (index) => Object.assign(index, { generatedAt: '2026-03-01T12:01:01Z' }), 'snapshot.generatedAt'],
    [
      'an issuedAt',
      (index) => Object.assign(index.chains[1].witnessHead, { issuedAt: '2026-03-01T12:01:01Z' }),
      'chains[1].witnessHead.issuedAt',
    ],
    [
      'a revocation',
      (index) => Object.assign(index.revocations[0], { revokedAt: '2026-03-01T12:01:01Z' }),
      'revocations[0].revokedAt',
    ],
  ])('%s from the future is GG6021, beyond a minute', (_what, change, at) => {
    const index = structuredClone(plainIndex);
    change(index);
    const bytes = bytesOf(signed(index));
    expect(refusal(bytes)).toBe(`GG6021 ${at} is in the future: 2026-03-01T12:01:01Z.`);
    expect(refusal(bytes, { now: noon + 1 * second })).toBeUndefined();
  });

  test('a snapshot that is too old is GG6020', () => {
    const day = 86_400 * second;
    expect(refusal(Buffer.from(goldenText()), { now: noon + day - 1 })).toBeUndefined();
    expect(refusal(Buffer.from(goldenText()), { now: noon + day })).toBe(
      'GG6020 snapshot.generatedAt has expired: 2026-03-01T12:00:00Z.',
    );
  });

  test('a record that had expired when the snapshot was made is GG6020', () => {
    for (const list of ['chains', 'routes']) {
      const index = structuredClone(plainIndex);
      index[list][1].expiresAt = plainIndex.generatedAt;
      expect(refusal(bytesOf(signed(index)))).toMatch(new RegExp(`^GG6020 ${list}\\[1\\]\\.expiresAt has expired`));
    }
  });
});

describe('the history', () => {
  const next = (change: (index: Json) => void): Uint8Array => {
    const index = structuredClone({ ...plainIndex, epoch: 8 });
    change(index);
    return bytesOf(signed(index));
  };

  test('is continued by the next bundle', () => {
    const found = verifyAt(
      next(() => undefined),
      { history: historyOf() },
    );
    expect(found.ok && [found.history.epoch, [...found.history.snapshots.keys()], found.warnings]).toEqual([
      8,
      [7, 8],
      [],
    ]);
  });

  test('the same bundle again changes nothing', () => {
    const found = verifyAt(Buffer.from(goldenText()), { history: historyOf() });
    expect(found.ok && found.history).toEqual(historyOf());
  });

  test('an older bundle is GG6023', () => {
    const old = bytesOf(signed({ ...plainIndex, epoch: 6 }));
    expect(refusal(old, { history: historyOf() })).toBe('GG6023 The snapshot has epoch 6; expected at least 7.');
  });

  test('a bundle below the minimum epoch of the policy is GG6023, even without a history', () => {
    const trust = trustOf({ ...policy, minimumEpoch: 8 });
    expect(refusal(Buffer.from(goldenText()), { trust })).toMatch(
      /^GG6023 The snapshot has epoch 7; expected at least 8/,
    );
  });

  test('an older witness head in a newer bundle is GG6023', () => {
    const bytes = next((index) => Object.assign(index.chains[0].witnessHead, { epoch: 9 }));
    expect(refusal(bytes, { history: historyOf() })).toBe(
      'GG6023 The witness head of alder has epoch 9; expected at least 10.',
    );
  });

  test('the same epoch with another content is GG6024', () => {
    const fork = bytesOf(signed({ ...plainIndex, mirrors: [] }));
    expect(refusal(fork, { history: historyOf() })).toBe('GG6024 Epoch 7 was signed twice, with different contents.');
  });

  test('two heads of a chain for one epoch put it in quarantine permanently, reported once: GG6025', () => {
    const forked = verifyAt(
      next((index) => Object.assign(index.chains[0].witnessHead, { head: 'another' })),
      { history: historyOf() },
    );
    if (!forked.ok) throw new Error(forked.problem.message);
    expect(forked.warnings.map(({ code, message: said }) => `${code} ${said}`)).toEqual([
      'GG6025 The chain alder is in quarantine: its epoch 10 has two different witnessed heads.',
    ]);
    expect([...forked.history.quarantined]).toEqual(['alder']);
    const again = next((index) => {
      Object.assign(index, { epoch: 9 });
      Object.assign(index.chains[0].witnessHead, { head: 'another' });
    });
    const later = verifyAt(again, { history: forked.history });
    expect(later.ok && [later.warnings, [...later.history.quarantined]]).toEqual([[], ['alder']]);
  });

  test('revocations, heads and snapshots of earlier bundles stay in force after a bundle without any', () => {
    const after = verifyAt(
      next((index) => Object.assign(index, { epoch: 8, chains: [], routes: [], revocations: [] })),
      { history: historyOf() },
    );
    if (!after.ok) throw new Error(after.problem.message);
    expect([...after.history.revoked]).toEqual(['chain dogwood']);
    const heads = { alder: 10, birch: 11, cedar: 12 };
    expect([...after.history.heads]).toEqual(
      Object.entries(heads).map(([chainId, epoch]) => [chainId, { epoch, head: `head of ${chainId}` }]),
    );
    const older = next((index) => {
      Object.assign(index, { epoch: 9 });
      Object.assign(index.chains[1].witnessHead, { epoch: 10 });
    });
    expect(refusal(older, { history: after.history })).toBe(
      'GG6023 The witness head of birch has epoch 10; expected at least 11.',
    );
  });

  test('a fork is compared with the first head that was seen', () => {
    const fork = (epoch: number, head: string) =>
      next((index) => {
        Object.assign(index, { epoch });
        Object.assign(index.chains[0].witnessHead, { head });
      });
    let history = historyOf();
    for (const [epoch, head] of [
      [8, 'another'],
      [9, 'a third'],
      [10, 'head of alder'],
    ] as const) {
      const found = verifyAt(fork(epoch, head), { history });
      if (!found.ok) throw new Error(found.problem.message);
      expect(found.warnings.map(({ code, span }) => [code, span])).toEqual(
        epoch === 8 ? [['GG6025', { file: 'bundle', start: 0, end: 0 }]] : [],
      );
      expect(found.history.heads.get('alder')).toEqual({ epoch: 10, head: 'head of alder' });
      history = found.history;
    }
  });

  test('remembers 64 snapshots', () => {
    let known: FederationHistory | undefined;
    for (let epoch = 1; epoch <= 70; epoch++) {
      const found = verifyAt(bytesOf(signed({ epoch, generatedAt: plainIndex.generatedAt, chains: [] })), {
        history: known,
      });
      if (!found.ok) throw new Error(found.problem.message);
      known = found.history;
    }
    expect([...(known?.snapshots.keys() ?? [])]).toEqual(Array.from({ length: 64 }, (_, at) => at + 7));
  });
});

describe('a path proof', () => {
  const refusalOf = (proof: Json, route: Json): string | undefined => {
    const found = checked(() => ({ value: checkProof(sha256, route, proof, 'a route') }));
    return found.ok ? undefined : said(found.problem, 'a route');
  };
  /** What is said of the golden route and its proof when one of them, or both, are changed. */
  const refusalOfChanged = (change: (proof: Json, route: Json) => void): string | undefined => {
    const route = without(signed().routes[0], 'signatures');
    const proof = pathProof(route);
    change(proof, route);
    return refusalOf(proof, route);
  };

  test('of its route verifies, with additional GraphQL members', () => {
    expect(refusalOfChanged(() => undefined)).toBeUndefined();
    const named = (proof: Json, route: Json) => {
      proof.__typename = 'FederationPathProof';
      route.__typename = 'FederationRoute';
      for (const hop of route.hops) hop.__typename = 'FederationRouteHop';
    };
    expect(refusalOfChanged(named)).toBeUndefined();
  });

  test.each<[string, (proof: Json) => void, string]>([
    ['another scheme', (proof) => Object.assign(proof, { scheme: 'none' }), 'scheme'],
    ['another seed', (proof) => Object.assign(proof, { seed: proof.terminalDigest }), 'seed'],
    ['reordered digests', (proof) => proof.hopDigests.reverse(), 'hopDigests[0]'],
    ['truncated digests', (proof) => proof.hopDigests.pop(), 'hopDigests[2]'],
    ['a digest too many', (proof) => proof.hopDigests.push(proof.seed), 'hopDigests[3]'],
    ['another end', (proof) => Object.assign(proof, { terminalDigest: proof.seed }), 'terminalDigest'],
  ])('with %s is GG6029', (_what, change, at) => {
    expect(refusalOfChanged(change)).toBe(`GG6029 The path proof does not match the route: ${at} differs.`);
  });

  test('of another route is GG6029', () => {
    const [one, other] = signed().routes;
    expect(refusalOf(pathProof(other), one)).toMatch(/^GG6029 .* seed differs/);
  });

  test('of a route whose hops were changed is GG6018, and of one whose hops lead nowhere GG6022', () => {
    const move = (_: Json, route: Json) => {
      route.hops[1].endpoint = 'https://mallory.example/x';
    };
    expect(refusalOfChanged(move)).toMatch(/^GG6018 route\.digest /);
    expect(refusalOfChanged((_, route) => route.hops.pop())).toBe(
      'GG6022 The hops of route do not connect its ends: expected cedar at hops[1].',
    );
  });

  test.each<[string, (proof: Json, route: Json) => [Json, Json], string]>([
    ['null for a route', (proof) => [proof, null], 'route.epoch must be present'],
    ['null for a proof', (_, route) => [null, route], 'pathProof.scheme must be present'],
    ['a text for a proof', (_, route) => ['proof', route], 'pathProof.scheme must be present'],
    ['a route without hops', (proof, route) => [proof, without(route, 'hops')], 'route.hops must be present'],
    [
      'a route with no hop',
      (proof, route) => [proof, { ...route, hops: [] }],
      'route.hops must be a list of 1 to 64 items',
    ],
    [
      'hops that are none',
      (proof, route) => [proof, { ...route, hops: [null] }],
      'route.hops[0].index must be present',
    ],
    ['a scheme that is none', (proof, route) => [{ ...proof, scheme: 7 }, route], 'pathProof.scheme must be a string'],
    [
      'digests that are none',
      (proof, route) => [{ ...proof, hopDigests: [7] }, route],
      'pathProof.hopDigests[0] must be a digest',
    ],
  ])('with %s is GG6007 instead of an exception', (_what, change, expected) => {
    const route = without(signed().routes[0], 'signatures');
    expect(refusalOf(...change(pathProof(route), route))).toContain(`GG6007 ${expected}`);
  });
});

test('sha256 matches node:crypto', () => {
  expect(Buffer.from(sha256(Buffer.from('abc'))).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
