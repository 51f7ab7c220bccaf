import { constants, readSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The flags for opening a file to read it. Without `O_NONBLOCK`, which Windows does not have, opening a pipe waits for
 * its writer, forever if there is none.
 */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const chunkSize = 1 << 16;

/**
 * The chunks of a file to its end, or to `maximum` bytes. The end may be behind the size in its status: the file may
 * grow, or be a pipe.
 */
export async function* chunksOf(
  file: FileHandle,
  status: Stats,
  maximum: number,
): AsyncGenerator<Buffer, void, void> {
  const pipe = status.isFIFO() ? new PipeReading() : undefined;
  for (let rest = maximum; rest > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, rest));
    const length = await file.read(chunk, 0, chunk.length, null).then(({ bytesRead }) => bytesRead, lengthOf);
    if (length > 0) {
      rest -= length;
      yield chunk.subarray(0, length);
    }
    if (pipe?.continuesAfter(length)) await pause(pipeInterval);
    else if (length === 0) return;
  }
}

/** The same, synchronously. */
export function* chunksOfSync(file: number, status: Stats, maximum: number): Generator<Buffer, void, void> {
  const pipe = status.isFIFO() ? new PipeReading() : undefined;
  for (let rest = maximum; rest > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, rest));
    const length = lengthOfSync(file, chunk);
    if (length > 0) {
      rest -= length;
      yield chunk.subarray(0, length);
    }
    if (pipe?.continuesAfter(length))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pipeInterval);
    else if (length === 0) return;
  }
}

/** How long a pipe may be silent, in milliseconds. */
const pipeTimeout = 10_000;

/** The interval of attempts to read a pipe, in milliseconds. */
const pipeInterval = 10;

/** Stands for a length: the pipe has a writer, but no bytes yet. */
const notYet = -1;

class PipeReading {
  #hasWriter = false;
  #since = performance.now();

  /**
   * Whether to wait and read again after a read without bytes. A pipe ends when it had a writer and has none.
   *
   * @throws {Error} If the pipe was silent for too long.
   */
  continuesAfter(length: number): boolean {
    if (length === 0 && this.#hasWriter) return false;
    if (length !== 0) this.#hasWriter = true;
    if (length > 0) {
      this.#since = performance.now();
      return false;
    }
    if (performance.now() - this.#since < pipeTimeout) return true;
    throw new Error(`nothing was written to the pipe for ${pipeTimeout / 1000} seconds`);
  }
}

function lengthOfSync(file: number, chunk: Buffer): number {
  try {
    return readSync(file, chunk);
  } catch (error) {
    return lengthOf(error);
  }
}

function lengthOf(error: unknown): number {
  if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return notYet;
  throw error;
}
