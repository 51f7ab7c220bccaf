/** JSON as text, or in pieces if it is long: Node handles strings of many parts several times slower than short pieces. */
export type JsonText = string | readonly Uint8Array[];

/** From this length on, text is in pieces. */
export const pieceLength = 32_768;

const bufferLength = 2 * pieceLength;
/** A buffer that grew beyond this length is dropped after the text. */
const maxKept = 1 << 20;

// Text is printed into one buffer, since printing is synchronous. A resolver that prints another operation meanwhile
// prints behind the text that is there.
let bytes = Buffer.allocUnsafeSlow(bufferLength);
let start = 0;
let end = 0;

/** Begins a text. Returns where the one around it begins. */
export function beginText(): number {
  const outer = start;
  start = end;
  return outer;
}

/** Drops what is left of a text, and goes on with the one around it. */
export function endText(outer: number): void {
  end = start;
  start = outer;
  if (end === 0 && bytes.length > maxKept) bytes = Buffer.allocUnsafeSlow(bufferLength);
}

/** Takes what was written since the text began or was taken. */
export function takeText(): string {
  const text = bytes.toString('utf8', start, end);
  end = start;
  return text;
}

/** Takes what was written if it is long. */
export function takePiece(): Uint8Array | undefined {
  if (end - start < pieceLength) return undefined;
  const piece = Buffer.from(bytes.subarray(start, end));
  end = start;
  return piece;
}

function reserve(length: number): void {
  if (end + length <= bytes.length) return;
  const longer = Buffer.allocUnsafeSlow(2 * (end + length));
  longer.set(bytes.subarray(0, end));
  bytes = longer;
}

/** Writes a text of ASCII characters as it is. */
export function writeAscii(text: string): true {
  const { length } = text;
  reserve(length);
  // V8 reads a variable of the module again for each character.
  const [into, to] = [bytes, end];
  for (let at = 0; at < length; at++) into[to + at] = text.charCodeAt(at);
  end = to + length;
  return true;
}

/** Writes bytes as they are. They are read faster than the characters of a text. */
export function writeBytes(from: Uint8Array): true {
  const { length } = from;
  reserve(length);
  const [into, to] = [bytes, end];
  for (let at = 0; at < length; at++) into[to + at] = from[at] as number;
  end = to + length;
  return true;
}

/** Writes any text as it is. */
export function writeText(text: string): true {
  reserve(3 * text.length);
  end += bytes.write(text, end);
  return true;
}

/** Longer strings are escaped and encoded faster by the functions of Node. */
const maxLooped = 64;

/** Writes a string with its quotes. */
export function writeString(text: string): true {
  const { length } = text;
  if (length > maxLooped) return writeText(JSON.stringify(text));
  reserve(length + 2);
  const into = bytes;
  let to = end;
  into[to++] = 0x22;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    // Quotes, backslashes, control characters, and characters of more than one byte.
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return writeText(JSON.stringify(text));
    into[to++] = code;
  }
  into[to++] = 0x22;
  end = to;
  return true;
}

/** Writes a finite number. */
export function writeNumber(value: number): true {
  // V8 keeps the texts of numbers in a cache, which is slow for fractions.
  return writeAscii((value | 0) === value ? String(value) : JSON.stringify(value));
}
