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
