import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { some } from '../arbitraries/runs.js';
import { policy, refusal, trustOf, verifyAt } from './bundles.js';

// Mutation testing leaves this file out: it verifies thousands of bundles, and other tests tell the findings apart.

const bytes = readFileSync('docs/examples/federation/golden/index.bundle.json');

test('a bundle with one bit flipped is rejected, for each byte', () => {
  const accepted: string[] = [];
  // Two bits of each byte; in `npm run coverage` all of them.
  const bits = some([0, 1, 2, 3, 4, 5, 6, 7]);
  const trust = trustOf(policy);
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of bits) {
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      if (verifyAt(bytes, { trust }).ok) accepted.push(`bit ${bit} of byte ${at}`);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
    }
  }
  expect(accepted).toEqual([]);
  expect(refusal(bytes)).toBeUndefined();
});

test('a bundle that is truncated or extended is rejected', () => {
  for (let length = 0; length < bytes.length; length += 7) {
    expect(verifyAt(bytes.subarray(0, length)).ok).toBe(false);
  }
  expect(refusal(Buffer.concat([bytes, Buffer.from('\n')]))).toMatch(/^GG6006 /);
});
