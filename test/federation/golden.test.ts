import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { afterAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/federation/encoding.js';
import { verifyFederationBundle } from '../../src/federation/node/verify-federation-bundle.js';
import { buildPathProof, verifyPathProof } from '../../src/federation/node/verify-path-proof.js';
import { allKeys, bytesOf, generatedAt, keys, noon, plainIndex, policy, sealed, signed, signPlain } from './bundles.js';
import {
  digest,
  hashOf,
  hex,
  type Json,
  jcs,
  merkle,
  message,
  pathProof,
  publicKeyText,
  verify,
  without,
} from './second-implementation.js';

// `GOLDEN_UPDATE=1` writes the files anew. They are published: a change of them is a change of the format.
const folder = 'docs/examples/federation/golden';
const update = process.env.GOLDEN_UPDATE === '1';

/** Everything that another implementation needs to find out where it differs. */
const vectorsOf = (bundle: Json, [route] = bundle.routes): Json => ({
  note: 'The keys of these vectors are published. Never trust them.',
  at: generatedAt,
  keys: [keys.index, keys.chains, keys.willow].map((key) => ({
    issuer: key.issuer,
    seed: hex(key.seed),
    publicKey: publicKeyText(key),
  })),
  preimages: [
    signedVector('snapshot', without(bundle.snapshot, 'signatures'), bundle.snapshot.signatures[0]),
    ...bundle.chains.flatMap((chain: Json) => [
      signedVector('chain', without(chain, 'witnessHead', 'signatures'), chain.signatures[0]),
      signedVector(
        'witness-head',
        { ...without(chain.witnessHead, 'digest', 'signature'), chainId: chain.chainId },
        chain.witnessHead,
      ),
    ]),
    ...bundle.routes.map((one: Json) => signedVector('route', without(one, 'digest', 'signatures'), one.signatures[0])),
    ...bundle.revocations.map((one: Json) => signedVector('revocation', without(one, 'signatures'), one.signatures[0])),
  ],
  merkle: {
    header: `sha256:${hex(hashOf('snapshot', without(bundle.snapshot, 'digest', 'signatures')))}`,
    envelopes: [...bundle.chains, ...bundle.routes, ...bundle.revocations].map((one) =>
      digest(message('envelope', one)),
    ),
    root: bundle.snapshot.digest,
  },
  pathProof: {
    route: without(route, 'signatures'),
    seedPreimage: message('path-seed', {
      epoch: route.epoch,
      fromChainId: route.fromChainId,
      routeDigest: route.digest,
      toChainId: route.toChainId,
    }).toString(),
    hops: route.hops.map(jcs),
    proof: pathProof(route),
  },
});

function signedVector(type: string, content: Json, { issuer, signature }: Json): Json {
  const bytes = message(type, content);
  return {
    type,
    canonical: jcs(content),
    preimage: bytes.toString(),
    sha256: digest(bytes),
    issuer,
    signature,
  };
}

/** The files, and what each contains. Made in the test that needs it: mutation testing counts what each test runs. */
const files: Readonly<Record<string, () => string>> = {
  'index.json': () => `${JSON.stringify(plainIndex, null, 2)}\n`,
  'trust.json': () => `${JSON.stringify(policy, null, 2)}\n`,
  'index.bundle.json': () => jcs(signed()),
  'vectors.json': () => `${JSON.stringify(vectorsOf(signed()), null, 2)}\n`,
};

if (update) for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text());

describe('the golden vectors', () => {
  test.each(Object.entries(files))('%s equals the current output', (name, text) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text());
  });

  const read = (name: string): Json => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const golden = read('vectors.json');

  test('verify unchanged', async () => {
    const result = await verifyFederationBundle(
      readFileSync(join(folder, 'index.bundle.json')),
      readFileSync(join(folder, 'trust.json')),
      { now: new Date(golden.at) },
    );
    if (!result.ok) throw new Error(result.diagnostics[0]?.message);
    expect(result.chains.map(({ chainId }) => chainId)).toEqual(['alder', 'birch', 'cedar']);
    expect(result.routes.map(({ hops }) => hops.length)).toEqual([3, 2]);
    expect(result.snapshot).toEqual({
      epoch: 7,
      generatedAt,
      index: 0,
      digest: golden.merkle.root,
      mirrorCount: 1,
      recordCount: 5,
      revocationCount: 1,
      signer: keys.index.issuer,
    });
    const [alder] = result.chains;
    expect(alder?.signatureDigest).toBe(golden.merkle.envelopes[0]);
    expect(Object.isFrozen(alder?.witnessHead)).toBe(true);
  });

  test('are verified by a second implementation', () => {
    const publicKeys = new Map<string, string>(golden.keys.map((key: Json) => [key.issuer, key.publicKey]));
    expect(golden.preimages.length).toBe(10);
    for (const { type, canonical, preimage, sha256, issuer, signature } of golden.preimages) {
      const bytes = message(type, JSON.parse(canonical));
      expect(bytes.toString()).toBe(preimage);
      expect(digest(bytes)).toBe(sha256);
      expect(verify(publicKeys.get(issuer) ?? '', bytes, signature)).toBe(true);
    }
    const { header, envelopes, root } = golden.merkle;
    const leaves = [header, ...envelopes].map((text: string) => Buffer.from(text.slice(7), 'hex'));
    expect(`sha256:${hex(merkle(leaves))}`).toBe(root);
    expect(pathProof(golden.pathProof.route)).toEqual(golden.pathProof.proof);
  });

  test('are reproduced by the second implementation', () => {
    expect(Buffer.from(sealed(signed(), allKeys)).toString()).toBe(
      readFileSync(join(folder, 'index.bundle.json'), 'utf8'),
    );
  });

  describe('with the OpenSSL command line', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-openssl-'));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    const at = (name: string) => join(directory, name);

    test.each<Json>(golden.preimages.map((vector: Json, index: number) => [index, vector.type, vector]))(
      'vector %i, %s, has the digest and the signature of OpenSSL',
      (_index, _type, vector) => {
        const { publicKey } = golden.keys.find((key: Json) => key.issuer === vector.issuer);
        const key = createPublicKey({
          key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.slice(8) },
          format: 'jwk',
        });
        writeFileSync(at('key.pem'), key.export({ format: 'pem', type: 'spki' }));
        writeFileSync(at('message'), vector.preimage);
        writeFileSync(at('signature'), Buffer.from(vector.signature.slice(8), 'base64url'));
        const check = ['-verify', '-pubin', '-inkey', at('key.pem'), '-rawin', '-in', at('message')];
        const output = execFileSync('openssl', ['pkeyutl', ...check, '-sigfile', at('signature')], {
          encoding: 'utf8',
        });
        expect(output).toContain('Signature Verified Successfully');
        const hash = execFileSync('openssl', ['dgst', '-sha256', '-r', at('message')], { encoding: 'utf8' });
        expect(`sha256:${hash.slice(0, 64)}`).toBe(vector.sha256);
        writeFileSync(at('message'), `${vector.preimage} `);
        expect(() =>
          execFileSync('openssl', ['pkeyutl', ...check, '-sigfile', at('signature')], { stdio: 'pipe' }),
        ).toThrow();
      },
    );
  });

  test('prove the route, and the proof verifies', () => {
    const proof = buildPathProof(golden.pathProof.route);
    expect(proof).toEqual(golden.pathProof.proof);
    expect(verifyPathProof(golden.pathProof.route, proof)).toEqual({ ok: true });
  });
});

describe('the canonical form', () => {
  test('matches the reference vectors of RFC 8785', () => {
    // Section 3.2.2 and 3.2.3: literals, numbers, strings, and the order of names by their UTF-16 code units.
    const input = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(Buffer.from(canonicalJson(input)).toString('hex')).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    );
    const names = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(names)))).toHaveLength(7);
    const order = [...canonicalJson(names).matchAll(/:"([^"]*)"/g)].map(([, value]) => value);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('of the number with the bits %s is that of RFC 8785, appendix B', (bits, expected) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(expected);
  });

  test('throws for values that are not JSON', () => {
    expect(() => canonicalJson(undefined)).toThrow(/^invariant/);
  });
});

test('the public keys of the vectors match their seeds', () => {
  for (const { seed } of Object.values(keys)) {
    expect(ed25519.Point.fromBytes(ed25519.getPublicKey(seed), false).isTorsionFree()).toBe(true);
  }
  expect(noon).toBe(1772366400000);
  const signing = signPlain(plainIndex);
  expect(signing.ok && signing.text).toBe(Buffer.from(bytesOf(signed())).toString());
});
