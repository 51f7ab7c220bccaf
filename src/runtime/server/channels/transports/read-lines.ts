import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { readFlags } from '../../../../base/read/file-chunks.js';
import { ChannelError } from '../binding/channel.js';

/** Ends a torn line, which was neither written whole nor acknowledged. It cannot occur in JSON. */
export const tornMark = '\u0018';

export const defaultMaxLine = 1 << 20;

/** The record of a line, undefined for an empty or a torn line, or why the line is not a record. */
export type ParsedLine = { readonly record: unknown; readonly line: number } | ChannelError | undefined;

/**
 * Reads the records of lines from bytes. An incomplete line is kept until its line break arrives, up to a limit, so that
 * a line without end cannot fill the memory.
 */
export class LineReader {
  #rest: Buffer[] = [];
  #restLength = 0;
  #number = 0;

  constructor(private readonly maxLine: number) {}

  /** The last line, which lacks its line break. */
  get last(): ParsedLine {
    return parseLine(Buffer.concat(this.#rest, this.#restLength), this.#number + 1);
  }

  /** The records of the lines that these bytes complete. Throws a {@link ChannelError} if a line exceeds the limit. */
  *read(bytes: Buffer): Generator<NonNullable<ParsedLine>, void, void> {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      this.#keep(bytes.subarray(start, end));
      const line = this.last;
      this.#number += 1;
      this.#rest = [];
      this.#restLength = 0;
      start = end + 1;
      if (line !== undefined) yield line;
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

/** The error of a channel whose source or target failed. A `ChannelError` stays as it is. */
export function failureOf(error: unknown, reason: string): ChannelError {
  return error instanceof ChannelError ? error : new ChannelError('failed', reason, { cause: error });
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses one line. It never throws: later lines may be fine. */
export function parseLine(bytes: Buffer, line: number): ParsedLine {
  try {
    const text = decoder.decode(bytes).trim();
    return text === '' || text.endsWith(tornMark) ? undefined : { record: JSON.parse(text) as unknown, line };
  } catch {
    return notJson(bytes, `line ${line}`);
  }
}

/** Parses a whole file or answer. Throws a {@link ChannelError} with its name if it is not JSON. */
export function parseJson(bytes: Buffer, name: string): unknown {
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    throw notJson(bytes, name);
  }
}

function notJson(bytes: Buffer, name: string): ChannelError {
  return new ChannelError('unreadable', `${name} is not ${isUtf8(bytes) ? 'JSON' : 'UTF-8 text'}`);
}

/** Serializes a record as a line. Throws a {@link ChannelError} if it is not JSON, or longer than readers accept. */
export function printLine(record: unknown, maxLine: number): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(record);
  } catch {
    // A cycle, or a BigInt.
  }
  if (json === undefined) throw new ChannelError('unreadable', 'the record cannot be written as JSON');
  if (Buffer.byteLength(json) > maxLine) {
    throw new ChannelError('unreadable', `the record is longer than ${maxLine} bytes`);
  }
  return `${json}\n`;
}

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'the file or folder does not exist'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file has reached its maximum size'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the disk is read-only'],
  ['EISDIR', 'it is a directory'],
  ['EIO', 'the disk has an I/O error'],
]);

/** The error of a channel whose file cannot be used. A `ChannelError` stays as it is. */
export function fileError(error: unknown): ChannelError {
  const reason = reasons.get((error as NodeJS.ErrnoException | undefined)?.code) ?? 'the file cannot be used';
  return failureOf(error, reason);
}

/** The result of work with a file; undefined if the file does not exist, but may be absent. */
export async function ifPresent<T>(work: Promise<T>, mayBeAbsent = true): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (mayBeAbsent && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error);
  }
}

export async function* chunksOf(path: string): AsyncGenerator<Buffer, void, void> {
  const file = await open(path, readFlags);
  yield* file.createReadStream();
}
