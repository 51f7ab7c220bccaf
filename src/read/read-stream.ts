import type { Readable } from 'node:stream';

/** The bytes of a stream, or how many had come when they were more than the limit. */
export type StreamReading =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly size: number };

/**
 * Reads a stream to its end, and holds at most `limit` bytes and one chunk. A longer stream is cancelled, so an
 * endless one costs no more than the limit. An absent stream (a response without a body) is empty.
 */
export async function readStream(
  stream: AsyncIterable<Uint8Array> | null | undefined,
  limit: number,
): Promise<StreamReading> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > limit) return { ok: false, size };
    chunks.push(chunk);
  }
  return { ok: true, bytes: Buffer.concat(chunks, size) };
}

/**
 * The same for a stream of Node, which is left open when it is longer than the limit: a connection still has to carry
 * an answer. Listening to events costs a fraction of what iterating does.
 *
 * @throws {Error} When the stream is closed before its end.
 */
export function readNodeStream(stream: Readable, limit: number): Promise<StreamReading> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) {
        stop();
        resolve({ ok: false, size });
      } else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      const [first] = chunks;
      resolve({ ok: true, bytes: first?.length === size ? first : Buffer.concat(chunks, size) });
    };
    const onClose = (): void => {
      stop();
      reject(new Error('The stream was closed before its end.'));
    };
    stream.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
