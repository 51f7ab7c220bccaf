import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';

const maxDepth = 16;

/** A result, or the first problem that prevents it. */
export type Checked<Result> =
  | (Result & { readonly ok: true })
  | { readonly ok: false; readonly problem: Diagnostic };

/** Parsed JSON, or why it cannot be parsed. */
export type JsonReading = Checked<{ readonly value: unknown; readonly text: string }>;

/**
 * Parses JSON that every parser reads alike (I-JSON, RFC 7493, with integers only): valid UTF-8 (GG6002), limited
 * nesting (GG6003), no duplicate keys (GG6004), and only safe integers, written in digits (GG6005).
 */
export function readStrictJson(bytes: Uint8Array, name: string): JsonReading {
  const reading = readJson(bytes, name);
  if (!reading.ok) return reading;
  const problem = findAmbiguity(reading.text, name);
  return problem === undefined ? reading : { ok: false, problem };
}

/**
 * Parses JSON with valid UTF-8 (GG6002) and limited nesting (GG6003). That is enough for callers that compare the text
 * with its canonical form: duplicate keys and other spellings of numbers fail that comparison.
 */
export function readJson(bytes: Uint8Array, name: string): JsonReading {
  const span = wholeFile(name);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, problem: diagnose('GG6002', { reason: 'it is not UTF-8' }, span) };
  }
  const offset = depthExceeded(text);
  if (offset !== -1) return { ok: false, problem: diagnose('GG6003', { limit: maxDepth, offset }, span) };
  try {
    return { ok: true, value: JSON.parse(text), text };
  } catch (error) {
    // The parser quotes the text, which may span several lines.
    const reason = (error as SyntaxError).message.replace(/\s+/g, ' ');
    return { ok: false, problem: diagnose('GG6002', { reason }, span) };
  }
}

/**
 * Finds what `JSON.parse` accepts although parsers disagree about it: a duplicate key (GG6004), a number that is not a
 * safe integer in digits (GG6005). Undefined if there is nothing.
 */
export function findAmbiguity(text: string, name: string): Diagnostic | undefined {
  const span = wholeFile(name);
  /** The keys of each open object. An open list has none. */
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys !== undefined && colonFollows(text, end)) {
        // Escapes give one key many spellings.
        const key = JSON.stringify(JSON.parse(text.slice(at, end)));
        if (keys.has(key)) return diagnose('GG6004', { key, offset: at }, span);
        keys.add(key);
      }
      at = end;
    } else if (code === minus || (code >= zero && code <= nine)) {
      numeral.lastIndex = at;
      const [number] = numeral.exec(text) as RegExpExecArray;
      // Parsing rounds beyond 2^53 - 1, and the result may look safe; so the texts are compared.
      const isPlain = Number.isSafeInteger(Number(number)) && String(Number(number)) === number;
      if (!isPlain) return diagnose('GG6005', { number, offset: at }, span);
      at += number.length;
    } else {
      if (code === openBrace || code === openBracket) open.push(new Set());
      else if (code === closeBrace || code === closeBracket) open.pop();
      at += 1;
    }
  }
  return undefined;
}

/** The offset at which a text exceeds the nesting limit; -1 if it does not. The text need not be JSON. */
function depthExceeded(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === openBrace || code === openBracket) {
      if (depth === maxDepth) return at;
      depth += 1;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return -1;
}

const quote = 0x22;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const numeral = /[-+.\deE]+/y;

/** The offset after the string that begins at `start`; the end of the text if the string is not closed. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether a quote is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

function colonFollows(text: string, at: number): boolean {
  blankAndColon.lastIndex = at;
  return blankAndColon.test(text);
}

const blankAndColon = /[ \t\r\n]*:/y;
