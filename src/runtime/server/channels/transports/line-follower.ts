import { type FileHandle, open, stat } from 'node:fs/promises';
import { readFlags } from '../../../../base/read/file-chunks.js';
import { ChannelError } from '../binding/channel.js';
import { fileError, ifPresent, LineReader } from './read-lines.js';
import { wait } from './wait.js';

export interface FollowOptions {
  /** Whether to begin with the first record or the next new one. */
  readonly from: 'start' | 'end';
  readonly mayBeAbsent: boolean;
  readonly interval: number;
  readonly maxLine: number;
  readonly signal: AbortSignal;
}

/**
 * The new records of a file, one per request; an unreadable line is yielded as an error. A file that was renamed or
 * removed is read to its end before its successor, and once more at the next check, because a writer may have opened
 * it before. A file that was truncated is read from its beginning.
 */
export async function followLines(path: string, options: FollowOptions) {
  const { from, mayBeAbsent, maxLine, signal } = options;
  const first = await ifPresent(FollowedFile.open(path, from, maxLine), mayBeAbsent);
  // A generator that was never started does not run its `finally`.
  if (signal.aborted) await first?.close();
  else signal.addEventListener('abort', () => void first?.close(), { once: true });
  return follow(path, first, options);
}

async function* follow(
  path: string,
  first: FollowedFile | undefined,
  { interval, maxLine, signal }: FollowOptions,
): AsyncGenerator<unknown, void, void> {
  let former: FollowedFile | undefined;
  let current = first;
  let next: FollowedFile | undefined;
  try {
    while (!signal.aborted) {
      // Opened before the current file is read, whose end is final only after it was replaced.
      next = await ifPresent(openSuccessor(path, current, maxLine));
      for (const file of [former, current, next]) {
        for await (const record of file?.newRecords() ?? []) {
          yield record;
          if (signal.aborted) return;
        }
      }
      yield* former?.lastRecord() ?? [];
      await former?.close();
      former = undefined;
      if (next !== undefined) [former, current, next] = [current, next, undefined];
      if (!(await wait(interval, signal))) return;
    }
  } catch (error) {
    // An aborted subscription closes its files.
    if (!signal.aborted) throw fileError(error);
  } finally {
    await Promise.all([former, current, next].map((file) => file?.close()));
  }
}

/** Opens the file at the path if it is another one. There is none in the middle of a rotation. */
async function openSuccessor(path: string, current: FollowedFile | undefined, maxLine: number) {
  if (current !== undefined && current.id === idOf(await stat(path))) return undefined;
  return FollowedFile.open(path, 'start', maxLine);
}

/** The number of bytes before the position by which a truncated file is recognized that has grown past it again. */
const knownBytes = 1024;

/** A file that stays open, so that it can be read to its end after it was renamed or removed. */
class FollowedFile {
  #lines: LineReader;
  #position = 0;
  #known: Buffer = Buffer.alloc(0);

  static async open(path: string, from: 'start' | 'end', maxLine: number): Promise<FollowedFile> {
    const handle = await open(path, readFlags);
    try {
      const status = await handle.stat();
      const file = new FollowedFile(handle, idOf(status), maxLine);
      if (from === 'end' && status.isFile()) {
        file.#position = status.size;
        const length = Math.min(knownBytes, status.size);
        file.#known = await file.#readAt(status.size - length, length);
      }
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  private constructor(
    private readonly handle: FileHandle,
    readonly id: string,
    private readonly maxLine: number,
  ) {
    this.#lines = new LineReader(maxLine);
  }

  async *newRecords(): AsyncGenerator<unknown, void, void> {
    for (let bytes = await this.#read(); bytes.length > 0; bytes = await this.#read()) {
      for (const read of this.#lines.read(bytes)) yield read instanceof ChannelError ? read : read.record;
    }
  }

  /** The record of a last line without its line break, for a file that gets no more lines. */
  *lastRecord(): Generator<unknown, void, void> {
    const { last } = this.#lines;
    if (last !== undefined && !(last instanceof ChannelError)) yield last.record;
  }

  close(): Promise<void> {
    return this.handle.close().catch(() => undefined);
  }

  /** The bytes after the position; from the beginning if those before it have changed. */
  async #read(): Promise<Buffer> {
    const before = this.#known.length;
    // One read, because the file may be truncated between two.
    const read = await this.#readAt(this.#position - before, before + chunkSize);
    if (!this.#known.equals(read.subarray(0, before))) {
      this.#position = 0;
      this.#known = Buffer.alloc(0);
      this.#lines = new LineReader(this.maxLine);
      return this.#read();
    }
    this.#position += read.length - before;
    // A copy, because a part would keep the whole.
    this.#known = Buffer.from(read.subarray(-knownBytes));
    return read.subarray(before);
  }

  async #readAt(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }
}

function idOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev} ${ino}`;
}

const chunkSize = 1 << 16;
