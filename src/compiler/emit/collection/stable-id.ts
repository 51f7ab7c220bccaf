import { flat } from '../text/text-collector.js';

/**
 * A UUID that depends on the text alone, so that importing a newer collection updates the older one instead of
 * adding a second. Its digits are four FNV-1a hashes with different offset bases; version and variant are those of
 * name-based UUIDs.
 */
export function stableId(text: string): string {
  const a = hash(text, 0x811c9dc5);
  const b = hash(text, a ^ 0x9e3779b9);
  const c = hash(text, b ^ 0x85ebca6b);
  const d = hash(text, c ^ 0xc2b2ae35);
  // The first digits of the third and the fourth group are the version and the variant.
  return flat(
    `${digits(a >>> 16)}${digits(a & 0xffff)}-${digits(b >>> 16)}-5${digits(b & 0xffff).slice(1)}` +
      `-8${digits(c >>> 16).slice(1)}-${digits(c & 0xffff)}${digits(d >>> 16)}${digits(d & 0xffff)}`,
  );
}

/** The four digits of 16 bits. A table, because `toString` takes longer than the hash. */
function digits(bits: number): string {
  return `${twoDigits[bits >>> 8]}${twoDigits[bits & 0xff]}`;
}

const twoDigits = Array.from({ length: 0x100 }, (_, byte) => (0x100 + byte).toString(16).slice(1));

/** FNV-1a over UTF-16 code units, with a final mix, because similar texts would otherwise get similar ids. */
function hash(text: string, start: number): number {
  let state = start;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
}
