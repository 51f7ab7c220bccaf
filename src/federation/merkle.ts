import type { Sha256 } from './encoding.js';

/**
 * The Merkle tree hash of RFC 6962, section 2.1. Leaves and inner nodes have different prefix bytes, so that no node
 * can pass for a leaf, and a list of any length has exactly one tree.
 */
export function merkleRoot(sha256: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array());
  // One buffer serves every hash: a tree has thousands of leaves and inner nodes.
  const tagged = new Uint8Array(1 + leaves.reduce((most, { length }) => Math.max(most, length), 64));
  const hashes = leaves.map((leaf) => {
    tagged.set(leaf, 1);
    return sha256(tagged.subarray(0, 1 + leaf.length));
  });
  const rootOf = (from: number, to: number): Uint8Array => {
    if (to - from === 1) return hashes[from] as Uint8Array;
    // The left subtree has the largest power of two below the number of leaves.
    const middle = from + 2 ** (31 - Math.clz32(to - from - 1));
    const [left, right] = [rootOf(from, middle), rootOf(middle, to)];
    tagged[0] = 1;
    tagged.set(left, 1);
    tagged.set(right, 33);
    return sha256(tagged.subarray(0, 65));
  };
  return rootOf(0, hashes.length);
}
