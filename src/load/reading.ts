import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';

/** What came of reading one file or URL: its text, or what is wrong. */
export type Reading = ReadText | ReadProblem;

/** The text of a file. */
export interface ReadText {
  readonly ok: true;
  readonly text: string;
}

/** Why a file has no text. */
export interface ReadProblem {
  readonly ok: false;
  /** Whether there is no such file at all: an import has a sentence of its own for that. */
  readonly absent: boolean;
  /** Makes the finding, at the place that named the file. */
  readonly problem: (place: Diagnostic['span']) => Diagnostic;
}

/** How many bytes one topology file may have: 64 MiB, some 400,000 edges. */
export const maxTopologyBytes = 64 * 1024 * 1024;

/**
 * Decodes the bytes of a topology file. Bytes that are not UTF-8 are a finding that says where, never
 * replacement characters that nobody wrote.
 */
export function decodeTopology(path: string, bytes: Uint8Array): Reading {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const offset = firstBrokenByte(bytes);
    return { ok: false, absent: false, problem: (place) => diagnose('GG4003', { path, offset }, place) };
  }
}

/** A file above the limit. */
export function tooLarge(path: string, size: number): ReadProblem {
  return {
    ok: false,
    absent: false,
    problem: (place) => diagnose('GG4004', { path, size, limit: maxTopologyBytes }, place),
  };
}

const replacement = Buffer.from('\ufffd');

/** The lenient decoder puts U+FFFD at each fault, so the first one that the bytes do not spell is the place. */
function firstBrokenByte(bytes: Uint8Array): number {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  let from = 0;
  for (let at = lenient.indexOf('\ufffd'); at !== -1; at = lenient.indexOf('\ufffd', from)) {
    offset += Buffer.byteLength(lenient.slice(from, at));
    if (!replacement.equals(bytes.subarray(offset, offset + replacement.length))) break;
    offset += replacement.length;
    from = at + 1;
  }
  return offset;
}
