import canonicalize from 'canonicalize';

/** SHA-256 (FIPS 180-4), 32 bytes. The caller passes it in, so that this core can use the fast one of the platform. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** The type of a preimage. It is part of the preimage, so a signature of one type is never valid for another. */
export type PreimageType = 'chain' | 'envelope' | 'path-seed' | 'revocation' | 'route' | 'snapshot' | 'witness-head';

const utf8 = new TextEncoder();

/**
 * Serializes JSON in canonical form (RFC 8785).
 *
 * @throws {Error} `invariant: …` for a value that is not JSON: callers check that first.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('invariant: only JSON has a canonical form');
  return text;
}

/** Whether the names of every object in a value are in canonical order: ascending by UTF-16 code units. */
export function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isOrdered);
  let before = '';
  for (const name in value) {
    if (name < before) return false;
    before = name;
    if (!isOrdered((value as Record<string, unknown>)[name])) return false;
  }
  return true;
}

/** The bytes that are signed and hashed for a record: M(type, x) = PAE(media type, JCS(x)). */
export function preimage(type: PreimageType, value: unknown): Uint8Array {
  return new PreimageWriter().write(type, canonicalJson(value));
}

/**
 * Writes PAE, the pre-authentication encoding of DSSE v1. Each preimage overwrites the one before: verifying a bundle
 * hashes thousands of them, one at a time.
 */
export class PreimageWriter {
  #room = new Uint8Array(0);

  /** The preimage of a record, from its canonical form. Valid until the next call. */
  write(type: PreimageType, text: string): Uint8Array {
    return this.encode(`application/vnd.gg.fed.${type}+json;v=1`, text);
  }

  /** The preimage of any text, with an ASCII media type. */
  encode(mediaType: string, text: string): Uint8Array {
    const start = `DSSEv1 ${mediaType.length} ${mediaType} `;
    // PAE counts bytes. Nearly every record is ASCII, where characters and bytes agree, so that is tried first.
    const whole = `${start}${text.length} ${text}`;
    const bytes = this.#encode(whole);
    const more = bytes.length - whole.length;
    return more === 0 ? bytes : this.#encode(`${start}${text.length + more} ${text}`);
  }

  #encode(text: string): Uint8Array {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    if (this.#room.length < text.length * 3) this.#room = new Uint8Array(text.length * 3);
    return this.#room.subarray(0, utf8.encodeInto(text, this.#room).written);
  }
}

/** The digest of a record: SHA-256 of its preimage. */
export function digestOf(sha256: Sha256, type: PreimageType, value: unknown): string {
  return formatDigest(sha256(preimage(type, value)));
}

/** `sha256:` and 64 lower-case hexadecimal digits. */
export function formatDigest(hash: Uint8Array): string {
  return `sha256:${toHex(hash)}`;
}

/** The 32 bytes of a digest that `formatDigest` wrote. */
export function parseDigest(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice('sha256:'.length), 'hex'));
}

/** Two lower-case hexadecimal digits for each byte. */
export function toHex({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('hex');
}

/** Base64url (RFC 4648, section 5) without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/**
 * Decodes base64url strictly. Undefined for other characters, padding, an impossible length, or trailing bits that
 * are not zero (RFC 4648, section 3.5): each byte string has exactly one accepted spelling.
 */
export function fromBase64Url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

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
