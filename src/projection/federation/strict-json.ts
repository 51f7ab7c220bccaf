import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';

/** How deep the JSON of federation is nested at most. */
export const maxDepth = 16;

/** A text that was read, or why it was not. */
export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Reads JSON about which no two readers can differ: UTF-8 without a fault (GG6002), not nested too deep (GG6003),
 * no key twice in one object (GG6004), and no number but safe integers, written in digits (GG6005).
 *
 * @param name - What findings call the text.
 */
export function readStrictJson(bytes: Uint8Array, name: string): StrictJson {
  const span = { file: name, start: 0, end: 0 };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, problem: diagnose('GG6002', { reason: 'it is not UTF-8' }, span) };
  }
  const finding = new Scan(text).run();
  if (finding?.kind === 'depth') {
    return { ok: false, problem: diagnose('GG6003', { limit: maxDepth, offset: finding.offset }, span) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // What the parser quotes of the text may go over several lines.
    const reason = (error as SyntaxError).message.replace(/\s+/g, ' ');
    return { ok: false, problem: diagnose('GG6002', { reason }, span) };
  }
  if (finding === undefined) return { ok: true, value };
  const problem =
    finding.kind === 'key' ? diagnose('GG6004', finding, span) : diagnose('GG6005', finding, span);
  return { ok: false, problem };
}

type Finding =
  | { readonly kind: 'depth'; readonly offset: number }
  | { readonly kind: 'key'; readonly key: string; readonly offset: number }
  | { readonly kind: 'number'; readonly number: string; readonly offset: number };

/**
 * Looks through a text for what a JSON parser lets pass. Where the text is no JSON it looks all the same; what it
 * finds there does not count.
 */
class Scan {
  readonly #text: string;
  #finding: Finding | undefined;
  /** The keys of each object that is open; undefined stands for a list. */
  readonly #open: (Set<string> | undefined)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): Finding | undefined {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code === quote) at = this.#string(at);
      else if (code === openBrace || code === openBracket) {
        if (this.#open.length === maxDepth) return { kind: 'depth', offset: at };
        this.#open.push(code === openBrace ? new Set() : undefined);
        at += 1;
      } else if (code === closeBrace || code === closeBracket) {
        this.#open.pop();
        at += 1;
      } else if (code === minus || (code >= zero && code <= nine)) at = this.#number(at);
      else at += 1;
    }
    return this.#finding;
  }

  /** Passes a text; where a colon follows, it is a key. */
  #string(start: number): number {
    const text = this.#text;
    let end = text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    const keys = this.#open.at(-1);
    let after = end + 1;
    while (isBlank(text.charCodeAt(after))) after += 1;
    if (keys === undefined || text.charCodeAt(after) !== colon) return after;
    const raw = text.slice(start, end + 1);
    const key = raw.includes('\\') ? decoded(raw) : raw;
    if (keys.has(key)) this.#finding ??= { kind: 'key', key, offset: start };
    keys.add(key);
    return after;
  }

  #number(start: number): number {
    numeral.lastIndex = start;
    const [number] = numeral.exec(this.#text) as RegExpExecArray;
    // Digits beyond 2^53 - 1 were rounded away, and what is left may look safe: their text is compared.
    const value = Number(number);
    const isPlain = Number.isSafeInteger(value) && String(value) === number;
    if (!isPlain) this.#finding ??= { kind: 'number', number, offset: start };
    return start + number.length;
  }
}

const quote = 0x22;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const numeral = /[-+.\deE]+/y;

/** Whether a quote is part of its text: an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** One key may have many spellings. A broken one is for the parser to refuse. */
function decoded(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
}
