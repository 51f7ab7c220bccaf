import { type FileHandle, open } from 'node:fs/promises';
import { ChannelError } from '../binding/channel.js';
import { fileError, parseLine, tornMark } from './read-lines.js';

interface AppenderOptions {
  readonly path: string;
  readonly maxPending: number;
  /** Whether a line is acknowledged only after `fsync`. */
  readonly sync: boolean;
  /** The maximum length of the last line of the file, in bytes. */
  readonly maxLine: number;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The size of a batch, in bytes; a longer line is a batch of its own. */
const maxBatch = 1 << 18;

/**
 * Appends lines to a file, each whole or not at all. Waiting lines are written in one `write` with `O_APPEND`, so
 * several processes may append to the same file. If a line was written incompletely (process killed, disk full), the
 * next writer marks it as torn and begins a new line. If that happens after the writer has looked at the end of the
 * file, its first line continues the incomplete one: the line is marked as torn, and the record is written again.
 * Acknowledged records are never touched or written twice.
 */
export class LineAppender {
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(private readonly options: AppenderOptions) {}

  /** Settles when the line is in the file. A line whose signal is aborted before its turn is not written. */
  append(line: string, signal: AbortSignal): Promise<void> {
    const { maxPending } = this.options;
    if (this.#waiting.length >= maxPending) {
      return Promise.reject(new ChannelError('overrun', `${maxPending} records wait to be written already`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: Buffer.from(line), signal, resolve, reject });
      if (!this.#isWriting) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeBatch(this.#nextBatch());
    this.#isWriting = false;
  }

  #nextBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    let size = 0;
    let taken = 0;
    for (const line of this.#waiting) {
      if (batch.length > 0 && size + line.bytes.length > maxBatch) break;
      taken += 1;
      if (line.signal.aborted) {
        line.reject(line.signal.reason);
      } else {
        size += line.bytes.length;
        batch.push(line);
      }
    }
    this.#waiting = this.#waiting.slice(taken);
    return batch;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    let file: FileHandle | undefined;
    try {
      // Opened for each batch, so that log rotation is followed.
      file = await open(this.options.path, 'a+');
      const { size } = await file.stat();
      const start = Buffer.from(await this.#lineStart(file, size));
      const bytes = Buffer.concat([start, ...batch.map((line) => line.bytes)]);
      const { bytesWritten } = await file.write(bytes);
      const written = bytes.subarray(0, bytesWritten);
      const firstLength = batch[0]?.bytes.length ?? 0;
      const isGlued =
        start.length === 0 && bytesWritten >= firstLength && (await this.#markGlued(file, size, written, firstLength));
      if (this.options.sync) await file.datasync();
      let end = start.length;
      let cause: unknown;
      for (const [index, line] of batch.entries()) {
        end += line.bytes.length;
        if (end > bytesWritten) {
          cause ??= await giveUp(file);
          line.reject(fileError(cause));
        } else if (index > 0 || !isGlued) {
          line.resolve();
        }
      }
      if (isGlued) await this.#writeBatch(batch.slice(0, 1));
    } catch (error) {
      for (const line of batch) line.reject(fileError(error));
    } finally {
      await file?.close().catch(() => undefined);
    }
  }

  /** The bytes to write before a new line: none, or those that end an incomplete one. */
  async #lineStart(file: FileHandle, size: number): Promise<string> {
    if (size === 0) return '';
    const { maxLine } = this.options;
    const length = Math.min(size, maxLine);
    const last = Buffer.alloc(1);
    await file.read(last, 0, 1, size - 1);
    if (last[0] === 10) return '';
    const tail = Buffer.alloc(length);
    await file.read(tail, 0, length, size - length);
    const parsed = parseLine(tail.subarray(tail.lastIndexOf(10) + 1), 0);
    // A complete record without its line break, as some editors leave it, only needs the break.
    return parsed instanceof ChannelError ? `${tornMark}\n` : '\n';
  }

  /** Whether the last write continues a line that another writer began; that line is then marked as torn. */
  async #markGlued(file: FileHandle, sizeBefore: number, written: Buffer, firstLength: number): Promise<boolean> {
    const end = await endOfWrite(file, sizeBefore, written.length);
    if (end === undefined) return false;
    const start = end - written.length;
    const found = Buffer.alloc(written.length + 1);
    await file.read(found, 0, found.length, start - 1);
    if (found[0] === 10 || !found.subarray(1).equals(written)) return false;
    // Appending ignores positions, so the mark is written through another handle.
    const marker = await open(this.options.path, 'r+');
    try {
      const [one, other] = await Promise.all([file.stat(), marker.stat()]);
      if (one.ino === other.ino) await marker.write(Buffer.from(tornMark), 0, 1, start + firstLength - 2);
    } finally {
      await marker.close();
    }
    return true;
  }
}

/**
 * The position after the last write to a file that is open for appending; undefined if no other writer wrote since the
 * file had `sizeBefore` bytes, or the file has no positions. After a write in append mode, the offset of the handle is
 * the end of the written bytes.
 */
async function endOfWrite(file: FileHandle, sizeBefore: number, length: number): Promise<number | undefined> {
  let status = await file.stat();
  if (status.size === sizeBefore + length || !status.isFile()) return undefined;
  const rest = Buffer.alloc(1 << 16);
  for (let read = 0; ; ) {
    const { bytesRead } = await file.read(rest, 0, rest.length, null);
    read += bytesRead;
    if (bytesRead > 0) continue;
    const { size } = status;
    status = await file.stat();
    // Otherwise the file has grown meanwhile.
    if (status.size === size) return size - read;
  }
}

/** Marks an incomplete line as torn, if there is room for the mark. Returns why the line could not be written. */
async function giveUp(file: FileHandle): Promise<unknown> {
  try {
    await file.write(`${tornMark}\n`);
    return new ChannelError('failed', 'the record was written incompletely');
  } catch (error) {
    return error;
  }
}
