import { type FileHandle, open } from 'node:fs/promises';
import { ChannelError } from './channel-error.js';
import { fileError } from './file-errors.js';
import { parseLine, tornMark } from './read-lines.js';

/** How lines are appended. */
export interface AppenderOptions {
  readonly path: string;
  /** How many lines may wait. */
  readonly maxPending: number;
  /** Whether a line is on the disk, and not only with the system, before it is acknowledged. */
  readonly sync: boolean;
  /** How long the line may be that is at the end of the file, in bytes. */
  readonly maxLine: number;
}

/** A line that waits to be written. */
interface Waiting {
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How many bytes are written at once, unless one line has more. */
const maxBatch = 1 << 18;

/**
 * Appends lines to a file, each whole or not at all. What waits is written by one call of the system on a file
 * that is open for appending, so several processes may append to the same one. Where a line is only half written
 * (the process was killed, the disk was full), the next writer marks it as given up and begins a line of its
 * own: nothing that was acknowledged is touched, and nothing is written twice.
 */
export class LineAppender {
  readonly #options: AppenderOptions;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(options: AppenderOptions) {
    this.#options = options;
  }

  /**
   * Settles when the line is in the file. A line whose signal is aborted while it waits is not written; one that
   * is being written is waited for.
   *
   * @param line - With its line break.
   * @throws {ChannelError} When it cannot be written, or too many wait already.
   */
  append(line: string, signal: AbortSignal): Promise<void> {
    const { maxPending } = this.#options;
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

  /** The lines that are written next. Those for which nobody waits any more are left out. */
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
      // Opened for each batch, so that a file that was moved away for keeping is followed by a new one.
      file = await open(this.#options.path, 'a+');
      const start = Buffer.from(await this.#lineStart(file));
      const bytes = Buffer.concat([start, ...batch.map((line) => line.bytes)]);
      const { bytesWritten } = await file.write(bytes);
      if (this.#options.sync) await file.datasync();
      let end = start.length;
      let cause: unknown;
      for (const line of batch) {
        end += line.bytes.length;
        if (end <= bytesWritten) {
          line.resolve();
        } else {
          cause ??= await giveUp(file);
          line.reject(fileError(cause));
        }
      }
    } catch (error) {
      for (const line of batch) line.reject(fileError(error));
    } finally {
      await file?.close().catch(() => undefined);
    }
  }

  /** What has to stand before a new line: nothing, or the end of the one before. */
  async #lineStart(file: FileHandle): Promise<string> {
    const { size } = await file.stat();
    if (size === 0) return '';
    const { maxLine } = this.#options;
    const length = Math.min(size, maxLine);
    const last = Buffer.alloc(1);
    await file.read(last, 0, 1, size - 1);
    if (last[0] === 10) return '';
    const tail = Buffer.alloc(length);
    await file.read(tail, 0, length, size - length);
    const line = { bytes: tail.subarray(tail.lastIndexOf(10) + 1), number: 0 };
    const parsed = parseLine(line);
    // Somebody's editor leaves the last line without its break; that is a record as good as any.
    return parsed instanceof ChannelError ? `${tornMark}\n` : '\n';
  }
}

/** Marks a line that was only half written, where there is room for that; says why there was none for the line. */
async function giveUp(file: FileHandle): Promise<unknown> {
  try {
    await file.write(`${tornMark}\n`);
    return new ChannelError('failed', 'the record could only be written in part');
  } catch (error) {
    return error;
  }
}
