import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { diagnose } from '../diagnostics/diagnostic.js';
import { decodeTopology, maxTopologyBytes, type Reading, type ReadProblem, tooLarge } from './reading.js';

/**
 * Reads one topology file. Whatever stands in the way is a finding: no such file (GG4001), a directory, a
 * device or a file without permission (GG4002), bytes that are not UTF-8 (GG4003), too many (GG4004).
 *
 * @param location - Where the file is.
 * @param name - What the user calls it.
 */
export function readTopologyFile(location: string, name: string): Reading {
  let file: number | undefined;
  try {
    file = openSync(location, 'r');
    const status = fstatSync(file);
    if (status.isDirectory()) return unreadable(name, 'it is a directory');
    // A pipe is let in for process substitution; a device may be endless or wait for somebody to type.
    if (!status.isFile() && !status.isFIFO()) return unreadable(name, 'it is not a file');
    if (status.size > maxTopologyBytes) return tooLarge(name, status.size);
    const bytes = readAtMost(file, maxTopologyBytes);
    return bytes.length > maxTopologyBytes ? tooLarge(name, bytes.length) : decodeTopology(name, bytes);
  } catch (error) {
    return explain(name, error as NodeJS.ErrnoException);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads to the end, or one byte past the limit: the size that a file claims is not the size it has. */
function readAtMost(file: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= limit) {
    const chunk = Buffer.allocUnsafe(Math.min(1 << 16, limit + 1 - size));
    const length = readSync(file, chunk);
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    size += length;
  }
  return Buffer.concat(chunks, size);
}

function explain(name: string, error: NodeJS.ErrnoException): ReadProblem {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return { ok: false, absent: true, problem: (place) => diagnose('GG4001', { path: name }, place) };
  }
  const known = error.errno === undefined ? undefined : getSystemErrorMap().get(error.errno);
  return unreadable(name, known?.[1] ?? error.message);
}

function unreadable(name: string, reason: string): ReadProblem {
  return {
    ok: false,
    absent: false,
    problem: (place) => diagnose('GG4002', { path: name, reason }, place),
  };
}
