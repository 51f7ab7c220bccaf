import type { Sha256 } from './encoding.js';

/**
 * The Merkle tree hash of RFC 6962, section 2.1: leaves and nodes are hashed with different first bytes, so that
 * no node can pass for a leaf, and a list of any length has one shape.
 */
export function merkleRoot(sha256: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array());
  const hashes = leaves.map((leaf) => {
    const tagged = new Uint8Array(1 + leaf.length);
    tagged.set(leaf, 1);
    return sha256(tagged);
  });
  return subtreeRoot(sha256, hashes, 0, hashes.length);
}

/** The hash over some leaves. The left half is the largest power of two that leaves something to the right. */
function subtreeRoot(sha256: Sha256, hashes: readonly Uint8Array[], from: number, to: number): Uint8Array {
  const size = to - from;
  if (size === 1) return hashes[from] as Uint8Array;
  const middle = from + 2 ** (31 - Math.clz32(size - 1));
  const node = new Uint8Array(65);
  node[0] = 1;
  node.set(subtreeRoot(sha256, hashes, from, middle), 1);
  node.set(subtreeRoot(sha256, hashes, middle, to), 33);
  return sha256(node);
}
