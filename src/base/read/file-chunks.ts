import { constants, readSync, type Stats } from 'node:fs';

/**
 * The flags for opening a file to read it. Without `O_NONBLOCK`, which Windows does not have, opening a pipe waits for
 * its writer, forever if there is none.
 */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const chunkSize = 1 << 16;

/** How long a pipe may be silent, in milliseconds. */
const pipeTimeout = 10_000;

/**
 * Reads a file to its end, or to `maximum` bytes. The end may be behind the size in its status: the file may grow, or be
 * a pipe. It yields while a pipe has no bytes, and reads on when it is resumed.
 *
 * @throws {Error} If the pipe was silent for too long.
 */
export function* readToEnd(file: number, status: Stats, maximum: number): Generator<void, Buffer, void> {
  const chunks: Buffer[] = [];
  let hasWriter = !status.isFIFO();
  let since = performance.now();
  for (let rest = maximum; rest > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, rest));
    const length = readInto(chunk, file);
    if (length !== undefined && length > 0) {
      rest -= length;
      chunks.push(chunk.subarray(0, length));
      since = performance.now();
    } else if (length === 0 && hasWriter) break;
    else if (performance.now() - since >= pipeTimeout)
      throw new Error(`nothing was written to the pipe for ${pipeTimeout / 1000} seconds`);
    else yield;
    // A pipe ends when it had a writer and has none.
    hasWriter ||= length !== 0;
  }
  return Buffer.concat(chunks);
}

/** The number of bytes that were read; undefined if the pipe has a writer, but no bytes yet. */
function readInto(chunk: Buffer, file: number): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
