import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';

/** How deep the JSON of federation is nested at most. */
export const maxDepth = 16;

/** A text that was read, or why it was not. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Reads JSON about which no two readers can differ: UTF-8 without a fault (GG6002), not nested too deep (GG6003),
 * no key twice in one object (GG6004), and no number but safe integers, written in digits (GG6005).
 *
 * @param name - What findings call the text.
 */
export function readStrictJson(bytes: Uint8Array, name: string): JsonReading {
  const reading = readJson(bytes, name);
  if (!reading.ok) return reading;
  const problem = findAmbiguity(reading.text, name);
  return problem === undefined ? reading : { ok: false, problem };
}

/**
 * Reads JSON as far as it can be read at all: UTF-8 without a fault (GG6002), not nested too deep (GG6003). Who
 * compares the text with its canonical form has no need of more: a key that stands twice, and a number in another
 * spelling, do not survive that.
 */
export function readJson(bytes: Uint8Array, name: string): JsonReading {
  const span = { file: name, start: 0, end: 0 };
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
    // What the parser quotes of the text may go over several lines.
    const reason = (error as SyntaxError).message.replace(/\s+/g, ' ');
    return { ok: false, problem: diagnose('GG6002', { reason }, span) };
  }
}

/**
 * Finds what a JSON parser lets pass although readers may differ about it: a key twice in one object (GG6004), a
 * number that is no safe integer in digits (GG6005). Undefined when there is nothing.
 *
 * @param text - A text that is JSON.
 */
export function findAmbiguity(text: string, name: string): Diagnostic | undefined {
  const span = { file: name, start: 0, end: 0 };
  /** The keys of each object that is open; undefined stands for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      const isKey = keys !== undefined && colonFollows(text, end);
      // One key may have many spellings.
      const key = isKey ? JSON.stringify(JSON.parse(text.slice(at, end))) : '';
      if (isKey && keys.has(key)) return diagnose('GG6004', { key, offset: at }, span);
      if (isKey) keys.add(key);
      at = end;
    } else if (code === minus || (code >= zero && code <= nine)) {
      numeral.lastIndex = at;
      const [number] = numeral.exec(text) as RegExpExecArray;
      // Digits beyond 2^53 - 1 were rounded away, and what is left may look safe: their text is compared.
      const isPlain = Number.isSafeInteger(Number(number)) && String(Number(number)) === number;
      if (!isPlain) return diagnose('GG6005', { number, offset: at }, span);
      at += number.length;
    } else {
      if (code === openBrace || code === openBracket) open.push(code === openBrace ? new Set() : undefined);
      else if (code === closeBrace || code === closeBracket) open.pop();
      at += 1;
    }
  }
  return undefined;
}

/** Where a text goes deeper than it may; -1 when it does not. Where it is no JSON, it is looked through all the same. */
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

/** Behind the closing quote of the string that begins at `start`; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether a quote is part of its string: an odd number of backslashes stands before it. */
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
