import { concatenate, type Sha256 } from './encoding.js';

const leafTag = Uint8Array.of(0);
const nodeTag = Uint8Array.of(1);

/**
 * The Merkle tree hash of RFC 6962, section 2.1: leaves and nodes are hashed with different first bytes, so that
 * no node can pass for a leaf, and a list of any length has one shape.
 */
export function merkleRoot(sha256: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array());
  const hashes = leaves.map((leaf) => sha256(concatenate(leafTag, leaf)));
  return subtreeRoot(sha256, hashes, 0, hashes.length);
}

/** The hash over some leaves. The left half is the largest power of two that leaves something to the right. */
function subtreeRoot(sha256: Sha256, hashes: readonly Uint8Array[], from: number, to: number): Uint8Array {
  const size = to - from;
  if (size === 1) return hashes[from] as Uint8Array;
  const middle = from + 2 ** (31 - Math.clz32(size - 1));
  const left = subtreeRoot(sha256, hashes, from, middle);
  return sha256(concatenate(nodeTag, left, subtreeRoot(sha256, hashes, middle, to)));
}
