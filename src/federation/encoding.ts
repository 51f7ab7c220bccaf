import canonicalize from 'canonicalize';

/** SHA-256 (FIPS 180-4) of some bytes: 32 bytes. It comes in from outside, where the platform has a fast one. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** What a preimage is of; it stands in the preimage, so that no signature of one kind is one of another. */
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
 * Writes JSON in its canonical form (RFC 8785).
 *
 * @throws {Error} `invariant: …` for what is no JSON: the callers have checked that.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('invariant: only JSON has a canonical form');
  return text;
}

/**
 * The canonical form of JSON whose names stand in canonical order already, as those of a value do that was read from
 * canonical text. Apart from that order, RFC 8785 asks for what `JSON.stringify` writes, which is several times as
 * fast as to sort again what is sorted.
 */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Whether the names of every object in a value stand in canonical order: ascending by their code units. */
export function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isOrdered);
  let before: string | undefined;
  for (const name in value) {
    if (before !== undefined && name < before) return false;
    before = name;
    if (!isOrdered((value as Record<string, unknown>)[name])) return false;
  }
  return true;
}

/** The bytes that are signed and hashed for a record: M(type, x) = PAE(media type, JCS(x)). */
export function preimage(type: PreimageType, value: unknown): Uint8Array {
  return new PreimageWriter().write(type, canonicalJson(value)).slice();
}

/**
 * Writes PAE, the pre-authentication encoding of DSSE v1, each one over the one before: whoever verifies a bundle
 * hashes many thousand of them, one after the other.
 */
export class PreimageWriter {
  #room = new Uint8Array(0);

  /** The preimage of a record whose canonical form is given. It holds until the next one is written. */
  write(type: PreimageType, text: string): Uint8Array {
    return this.encode(`application/vnd.gg.fed.${type}+json;v=1`, text);
  }

  /** The same of any text, under an ASCII name of what it is. */
  encode(mediaType: string, text: string): Uint8Array {
    const start = `DSSEv1 ${mediaType.length} ${mediaType} `;
    // Lengths count bytes. Nearly every record is ASCII, where a character is a byte, so that is tried first.
    const whole = `${start}${text.length} ${text}`;
    const bytes = this.#encode(whole);
    const more = bytes.length - whole.length;
    return more === 0 ? bytes : this.#encode(`${start}${text.length + more} ${text}`);
  }

  #encode(text: string): Uint8Array {
    // No character of UTF-16 takes more than three bytes.
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

/** The 32 bytes of a digest. It takes what `formatDigest` writes. */
export function parseDigest(text: string): Uint8Array {
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at++) bytes[at] = Number.parseInt(text.slice(7 + at * 2, 9 + at * 2), 16);
  return bytes;
}

/** Two lower-case hexadecimal digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  // Made at once, and of a plain array: eight times as fast as to spread a typed one.
  const codes: number[] = [];
  for (const byte of bytes) codes.push(hexadecimal.charCodeAt(byte >> 4), hexadecimal.charCodeAt(byte & 15));
  return String.fromCharCode.apply(null, codes);
}

const hexadecimal = '0123456789abcdef';

/** Puts byte strings one behind the other. */
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

/** The value of each character, by its code; 64 for those that have none. */
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
 * Reads base64url. Undefined for what nobody's encoder writes: other characters, padding, a length that no
 * bytes have, or bits at the end that mean nothing and could be anything.
 *
 * @param bytes - Where the bytes go, for whoever reads many texts of one length.
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
