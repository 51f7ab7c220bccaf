import { isUtf8 } from 'node:buffer';

/**
 * Reads bytes as UTF-8; undefined where they are not, and where they begin with a byte order mark, which a
 * decoder would take away.
 */
export function readUtf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes) || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
