import type { Readable } from 'node:stream';

/** The bytes of a stream, or the number of bytes that exceeded the limit. */
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
 * The same for a Node stream, which stays open if it exceeds the limit, because the connection must still carry an
 * answer. Listening to events is much cheaper than iterating.
 *
 * @throws {Error} If the stream is closed before its end.
 */
export function readNodeStream(stream: Readable, limit: number): Promise<StreamReading> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const finish = (reading: StreamReading): void => {
      isOver = true;
      resolve(reading);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      stream.off('data', onData);
      finish({ ok: false, size });
    };
    stream.on('data', onData);
    stream.on('end', () => {
      if (isOver) return;
      const [first] = chunks;
      finish({ ok: true, bytes: first?.length === size ? first : Buffer.concat(chunks, size) });
    });
    const onClose = (): void => {
      if (!isOver) reject(new Error('The stream was closed before its end.'));
    };
    if (stream.destroyed) onClose();
    else stream.on('close', onClose);
  });
}
