import { ChannelError } from '../binding/channel-error.js';

/**
 * The last character of a torn line: its writer was killed, or the disk was full, before the record was complete. It
 * cannot occur in JSON. A torn line is not a record and was never acknowledged.
 */
export const tornMark = '\u0018';

export interface Line {
  readonly bytes: Buffer;
  readonly number: number;
}

export const defaultMaxLine = 1 << 20;

/**
 * Splits bytes into lines. An incomplete line is kept until its line break arrives, up to a limit, so that a line
 * without end cannot fill the memory.
 */
export class LineCutter {
  #rest: Buffer[] = [];
  #restLength = 0;
  #number = 0;

  constructor(private readonly maxLine: number) {}

  get rest(): Buffer {
    return Buffer.concat(this.#rest, this.#restLength);
  }

  get count(): number {
    return this.#number;
  }

  /** The lines that these bytes complete. Throws a {@link ChannelError} if a line exceeds the limit. */
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
    // A copy, because the caller may reuse the buffer.
    if (start < bytes.length) this.#keep(Buffer.from(bytes.subarray(start)));
  }

  #keep(part: Buffer): void {
    this.#rest.push(part);
    this.#restLength += part.length;
    if (this.#restLength > this.maxLine) {
      throw new ChannelError('unreadable', `line ${this.#number + 1} is longer than ${this.maxLine} bytes`);
    }
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A record, undefined for an empty or a torn line, or why the line is not a record. */
export type ParsedLine = { readonly record: unknown } | ChannelError | undefined;

/** Parses one line. It never throws: later lines may be fine. */
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

/** Serializes a record as a line. Throws a {@link ChannelError} if it is not JSON, or longer than readers accept. */
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
    // A cycle, or a BigInt.
    return undefined;
  }
}
