import { ChannelError } from './channel-error.js';

/**
 * The last character of a line that was given up: its writer was killed, or the disk was full, before the record
 * was whole. No JSON text has it. Such a line is no record, and was never acknowledged as one.
 */
export const tornMark = '\u0018';

/** One line of a JSON Lines text. */
export interface Line {
  readonly bytes: Buffer;
  /** Counted from 1 in what was read. */
  readonly number: number;
}

/** How long a line may be unless something else is said, in bytes. */
export const defaultMaxLine = 1 << 20;

/**
 * Cuts bytes into lines. What has no line break yet is kept until it has one, up to a limit: a line without end
 * must not fill the memory.
 */
export class LineCutter {
  readonly #maxLine: number;
  #rest: Buffer[] = [];
  #restLength = 0;
  #number = 0;

  constructor(maxLine: number) {
    this.#maxLine = maxLine;
  }

  /** The bytes after the last line break. */
  get rest(): Buffer {
    return Buffer.concat(this.#rest, this.#restLength);
  }

  /** How many lines were cut. */
  get count(): number {
    return this.#number;
  }

  /**
   * The lines that are complete with these bytes.
   *
   * @throws {ChannelError} When a line is longer than the limit.
   */
  *cut(bytes: Buffer): Generator<Line, void, void> {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      this.#keep(bytes.subarray(start, end));
      const line = { bytes: this.rest, number: ++this.#number };
      this.#rest = [];
      this.#restLength = 0;
      start = end + 1;
      yield line;
    }
    // A copy: the buffer may be filled anew before the rest is read.
    if (start < bytes.length) this.#keep(Buffer.from(bytes.subarray(start)));
  }

  #keep(part: Buffer): void {
    this.#rest.push(part);
    this.#restLength += part.length;
    if (this.#restLength > this.#maxLine) {
      throw new ChannelError('unreadable', `line ${this.#number + 1} is longer than ${this.#maxLine} bytes`);
    }
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** What a line says: a record, nothing (an empty line, or one that was given up), or what is wrong with it. */
export type ParsedLine = { readonly record: unknown } | ChannelError | undefined;

/** Reads one line. It never throws: one bad line need not be the end of those that follow. */
export function parseLine({ bytes, number }: Line): ParsedLine {
  let text: string;
  try {
    text = decoder.decode(bytes).trim();
  } catch {
    return new ChannelError('unreadable', `line ${number} is not UTF-8 text`);
  }
  if (text === '' || text.endsWith(tornMark)) return undefined;
  try {
    return { record: JSON.parse(text) as unknown };
  } catch {
    return new ChannelError('unreadable', `line ${number} is not JSON`);
  }
}

/**
 * A record as a line, with its line break.
 *
 * @throws {ChannelError} When it is no JSON, or longer than those who read it would take.
 */
export function printLine(record: unknown, maxLine = defaultMaxLine): string {
  const json = toJson(record);
  if (json === undefined) throw new ChannelError('unreadable', 'the record cannot be written as JSON');
  if (Buffer.byteLength(json) > maxLine) {
    throw new ChannelError('unreadable', `the record is longer than ${maxLine} bytes`);
  }
  return `${json}\n`;
}

function toJson(record: unknown): string | undefined {
  try {
    return JSON.stringify(record) as string | undefined;
  } catch {
    // A circle, or a number that JSON does not have.
    return undefined;
  }
}
