import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';

// The encoding of docs/federation.md written a second time, from the page alone: nothing of src is used here, and
// other code does the cryptography. What both make alike, a third implementation can make too.

export interface TestKey {
  readonly issuer: string;
  readonly seed: Uint8Array;
}

/** A key from a seed of 32 equal bytes. */
export function keyOf(name: string, byte: number): TestKey {
  const seed = new Uint8Array(32).fill(byte);
  return { issuer: `${name}#${fingerprint({ seed })}`, seed };
}

/** The 16 digits of an issuer. */
export function fingerprint({ seed }: Pick<TestKey, 'seed'>): string {
  return hex(sha256(ed25519.getPublicKey(seed))).slice(0, 16);
}

export function publicKeyText({ seed }: TestKey): string {
  return `ed25519:${Buffer.from(ed25519.getPublicKey(seed)).toString('base64url')}`;
}

// biome-ignore lint/suspicious/noExplicitAny: tests bend bundles into shapes that no type has.
export type Json = any;

export function jcs(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(value[name])}`).join(',')}}`;
}

export function message(type: string, value: Json): Buffer {
  const mediaType = `application/vnd.gg.fed.${type}+json;v=1`;
  const body = Buffer.from(jcs(value));
  return Buffer.concat([Buffer.from(`DSSEv1 ${mediaType.length} ${mediaType} ${body.length} `), body]);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function digest(bytes: Uint8Array): string {
  return `sha256:${hex(sha256(bytes))}`;
}

export function sign({ seed }: TestKey, bytes: Uint8Array): string {
  return `ed25519:${Buffer.from(ed25519.sign(bytes, seed)).toString('base64url')}`;
}

export function verify(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const decode = (text: string) => Buffer.from(text.slice('ed25519:'.length), 'base64url');
  return ed25519.verify(decode(signature), bytes, decode(publicKey), { zip215: false });
}

/** The Merkle tree hash of RFC 6962, as its definition has it. */
export function merkle(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array());
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.from([0]), leaves[0] as Uint8Array]));
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Buffer.concat([Buffer.from([1]), merkle(leaves.slice(0, k)), merkle(leaves.slice(k))]));
}

export function hashOf(type: string, value: Json): Buffer {
  return Buffer.from(sha256(message(type, value)));
}

export function without(value: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

export function pathProof(route: Json): Json {
  const { epoch, fromChainId, toChainId } = route;
  const seed = hashOf('path-seed', { epoch, fromChainId, routeDigest: route.digest, toChainId });
  const steps: Buffer[] = [];
  for (const hop of route.hops) {
    const parts = [Buffer.from('gg-hop/v1\n'), steps.at(-1) ?? seed, Buffer.from(jcs(hop))];
    steps.push(Buffer.from(sha256(Buffer.concat(parts))));
  }
  const length = Buffer.alloc(4);
  length.writeUInt32BE(route.hops.length);
  const end = Buffer.concat([Buffer.from('gg-end/v1\n'), length, steps.at(-1) ?? seed]);
  const text = (bytes: Uint8Array) => `sha256:${hex(bytes)}`;
  return {
    scheme: 'gg-hopchain-sha256-v1',
    seed: text(seed),
    hopDigests: steps.map(text),
    terminalDigest: digest(end),
  };
}
