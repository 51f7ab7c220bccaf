import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatDigest,
  fromBase64Url,
  isOrdered,
  merkleRoot,
  PreimageWriter,
  parseDigest,
  preimage,
  toBase64Url,
} from '../../src/federation/encoding.js';
import { sha256 } from '../../src/federation/node/node-crypto.js';
import { merkle } from './second-implementation.js';

describe('the Merkle root', () => {
  // The test vectors of the reference implementation of RFC 6962: eight leaves, and the root over the first n.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];

  test.each([
    [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
    [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    [6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
    [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ])('over %i leaves is that of the reference', (count, root) => {
    const given = leaves.slice(0, count).map((leaf) => Buffer.from(leaf, 'hex'));
    expect(Buffer.from(merkleRoot(sha256, given)).toString('hex')).toBe(root);
  });

  test('matches the definition for leaves of any length', () => {
    const given = [64, 65, 200].map((length) => new Uint8Array(length).fill(length));
    expect(Buffer.from(merkleRoot(sha256, given))).toEqual(Buffer.from(merkle(given)));
  });

  test('matches the definition for any number of leaves', () => {
    for (let count = 0; count < 70; count++) {
      const given = Array.from({ length: count }, (_, at) => Buffer.from([at]));
      expect(Buffer.from(merkleRoot(sha256, given))).toEqual(Buffer.from(merkle(given)));
    }
  });
});

describe('the pre-authentication encoding', () => {
  test('matches the DSSE specification', () => {
    const encoded = new PreimageWriter().encode('http://example.com/HelloWorld', 'hello world');
    expect(Buffer.from(encoded).toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  test('does not depend on earlier calls', () => {
    const writer = new PreimageWriter();
    for (const text of ['é'.repeat(40), 'a', '\u20ac'.repeat(200), '', 'b'.repeat(300), '\u{1f600}']) {
      const expected = `DSSEv1 1 t ${Buffer.byteLength(text)} ${text}`;
      expect(Buffer.from(writer.encode('t', text)).toString()).toBe(expected);
    }
  });

  test('counts bytes, not characters', () => {
    expect(Buffer.from(preimage('route', { a: 'é' })).toString()).toBe(
      'DSSEv1 40 application/vnd.gg.fed.route+json;v=1 10 {"a":"é"}'.replace('40', '37'),
    );
  });
});

describe('base64url', () => {
  test('encodes and decodes like Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64Url(text)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each(['A', 'AAAAA', 'AB', 'AAB', 'AA==', 'A+', 'A/AA', 'A A', 'é'])('%j is invalid', (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });
});

describe('names in canonical order', () => {
  test.each([
    null,
    'b',
    7,
    [],
    {},
    [2, 1],
    new Array(12).fill(0),
    { a: 1 },
    { '': 1, B: 2, a: { x: 1, y: [{ p: 1, q: 2 }] }, '\u00e4': 3 },
  ])('accepts %j', (value) => {
    expect(isOrdered(value)).toBe(true);
  });

  test.each([
    { b: 1, a: 2 },
    { a: 1, c: 2, b: 3 },
    { a: 1, '': 2 },
    { a: 1, B: 2 },
    { '\ufb33': 1, '\ud83d\ude00': 2 },
    [{ a: 1 }, { b: 1, a: 2 }],
    { a: { b: 1, a: 2 }, b: 3 },
    { a: 1, b: { c: [null, { b: 1, a: 2 }] } },
  ])('rejects %j', (value) => {
    expect(isOrdered(value)).toBe(false);
  });
});

test('a digest survives a round trip', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => at * 8);
  expect(parseDigest(formatDigest(bytes))).toEqual(bytes);
});
