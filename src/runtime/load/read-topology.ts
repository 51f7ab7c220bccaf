import { isUtf8 } from 'node:buffer';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import {
  type ByteLimit,
  type BytesReading,
  type ReadProblem,
  readBytes,
  readFileBytes,
} from '../../base/read/read-bytes.js';
import { wholeFile } from '../../base/source/span.js';

/** The text of a file or a URL, or the finding why it cannot be read. */
export type Reading = { readonly ok: true; readonly text: string } | ReadProblem;

/** The size limit of one topology file: 64 MiB, some 400,000 edges. A larger one is GG4004. */
export const topologyLimit: ByteLimit = {
  bytes: 64 * 1024 * 1024,
  exceeded: (path, size) => diagnose('GG4004', { path, size, limit: topologyLimit.bytes }, wholeFile(path)),
};

/** Reads one topology file synchronously. */
export function readTopologyFile(location: string, name: string): Reading {
  return decode(name, readFileBytes(location, name, topologyLimit));
}

/** Fetches one topology file, and follows redirects to URLs that are allowed. Never rejects. */
export async function fetchTopology(url: string, allows?: (url: string) => boolean): Promise<Reading> {
  return decode(url, await readBytes(url, url, topologyLimit, 'text/plain, */*;q=0.5', { allows }));
}

/**
 * Decodes the bytes of a topology file. Too many bytes are a finding (GG4004), and so are bytes that are not UTF-8
 * (GG4003, with their offset).
 */
export function decodeTopology(path: string, bytes: Uint8Array): Reading {
  if (bytes.length > topologyLimit.bytes) {
    return { ok: false, absent: false, problem: topologyLimit.exceeded(path, bytes.length) };
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return { ok: true, text: buffer.toString() };
  const offset = firstBrokenByte(bytes);
  const problem = diagnose('GG4003', { path, offset }, wholeFile(path));
  return { ok: false, absent: false, problem };
}

/**
 * The result of an import for the compiler: a text, the finding why the file cannot be read, or undefined if it does
 * not exist.
 */
export function importOf(reading: Reading | undefined): string | Diagnostic | undefined {
  if (reading === undefined) return undefined;
  if (reading.ok) return reading.text;
  return reading.absent ? undefined : reading.problem;
}

function decode(name: string, reading: BytesReading): Reading {
  return reading.ok ? decodeTopology(name, reading.bytes) : reading;
}

/** The lenient decoder writes U+FFFD for an invalid sequence: the first byte that differs is in that character. */
function firstBrokenByte(bytes: Uint8Array): number {
  const lenient = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let offset = 0;
  while (bytes[offset] === lenient[offset]) offset += 1;
  while (((lenient[offset] as number) & 0xc0) === 0x80) offset -= 1;
  return offset;
}
