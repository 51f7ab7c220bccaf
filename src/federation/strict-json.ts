import { depthExceeded, endOfString } from '../base/source/json-scan.js';
import { refusal } from './refusal.js';

const maxDepth = 16;

/**
 * Parses JSON that every parser reads alike (I-JSON, RFC 7493, with integers only): valid UTF-8 (GG6002), limited
 * nesting (GG6003), no duplicate keys (GG6004), and only safe integers, written in digits (GG6005).
 */
export function readStrictJson(bytes: Uint8Array, name: string): unknown {
  const { value, text } = readJson(bytes, name);
  refuseAmbiguity(text, name);
  return value;
}

/**
 * Parses JSON with valid UTF-8 (GG6002) and limited nesting (GG6003). That is enough for callers that compare the text
 * with its canonical form: duplicate keys and other spellings of numbers fail that comparison.
 */
export function readJson(bytes: Uint8Array, name: string) {
  const text = decode(bytes, name);
  const offset = depthExceeded(text, maxDepth);
  if (offset !== -1) throw refusal('GG6003', { limit: maxDepth, offset }, name);
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    // The parser quotes the text, which may span several lines.
    const reason = (error as SyntaxError).message.replace(/\s+/g, ' ');
    throw refusal('GG6002', { reason }, name);
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal('GG6002', { reason: 'it is not UTF-8' }, name);
  }
}

/**
 * Refuses what `JSON.parse` accepts although parsers disagree about it: a duplicate key (GG6004), a number that is not a
 * safe integer in digits (GG6005).
 */
export function refuseAmbiguity(text: string, name: string): void {
  /** The keys of each open object. An open list has none. */
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at) + 1;
      blankAndColon.lastIndex = end;
      const keys = open.at(-1);
      if (keys !== undefined && blankAndColon.test(text)) {
        // Escapes give one key many spellings.
        const key = JSON.stringify(JSON.parse(text.slice(at, end)));
        if (keys.has(key)) throw refusal('GG6004', { key, offset: at }, name);
        keys.add(key);
      }
      at = end;
    } else if (/[-\d]/.test(character)) {
      numeral.lastIndex = at;
      const [number] = numeral.exec(text) as RegExpExecArray;
      // Parsing rounds beyond 2^53 - 1, and the result may look safe; so the texts are compared.
      const isPlain = Number.isSafeInteger(Number(number)) && String(Number(number)) === number;
      if (!isPlain) throw refusal('GG6005', { number, offset: at }, name);
      at += number.length;
    } else {
      if (character === '{' || character === '[') open.push(new Set());
      else if (character === '}' || character === ']') open.pop();
      at += 1;
    }
  }
}

const numeral = /[-+.\deE]+/y;
const blankAndColon = /[ \t\r\n]*:/y;
