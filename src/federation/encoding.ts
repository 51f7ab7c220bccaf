import canonicalize from 'canonicalize';

/** SHA-256 (FIPS 180-4), 32 bytes. The caller passes it in, so that this core can use the fast one of the platform. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** The type of a preimage. It is part of the preimage, so a signature of one type is never valid for another. */
export type PreimageType =
  | 'chain'
  | 'envelope'
  | 'path-seed'
  | 'revocation'
  | 'route'
  | 'snapshot'
  | 'witness-head';

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

/** The canonical form (RFC 8785) of a value whose names are in order already: skips the costly sort. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value);
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
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at++) bytes[at] = Number.parseInt(text.slice(7 + at * 2, 9 + at * 2), 16);
  return bytes;
}

/** Two lower-case hexadecimal digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  // One call with a plain array is eight times as fast as spreading a typed array.
  const codes: number[] = [];
  for (const byte of bytes) codes.push(hexadecimal.charCodeAt(byte >> 4), hexadecimal.charCodeAt(byte & 15));
  return String.fromCharCode.apply(null, codes);
}

const hexadecimal = '0123456789abcdef';

export function concatenate(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The value of each base64url character, by its code; 64 for all others. */
const sextets = new Uint8Array(128).fill(64);
for (const [value, character] of [...alphabet].entries()) sextets[character.charCodeAt(0)] = value;

/** Base64url (RFC 4648, section 5) without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    const group = (one << 16) | (two << 8) | three;
    text += `${alphabet[group >> 18]}${alphabet[(group >> 12) & 63]}${alphabet[(group >> 6) & 63]}${alphabet[group & 63]}`;
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

/**
 * Decodes base64url strictly. Undefined for other characters, padding, an impossible length, or trailing bits that
 * are not zero (RFC 4648, section 3.5): each byte string has exactly one accepted spelling.
 *
 * @param bytes - A buffer to reuse, for callers that decode many texts of one length.
 */
export function fromBase64Url(
  text: string,
  bytes = new Uint8Array(Math.floor((text.length * 3) / 4)),
): Uint8Array | undefined {
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let from = 0; from < text.length; from++) {
    const sextet = sextets[text.charCodeAt(from)] ?? 64;
    if (sextet === 64) return undefined;
    held = ((held << 6) | sextet) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  const isWhole = bits < 6 && (held & ((1 << bits) - 1)) === 0;
  return isWhole ? bytes : undefined;
}
