import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStream } from '../../../src/base/read/read-stream.js';

const chunkLists = fc.array(fc.uint8Array({ maxLength: 20 }));

async function* streamOf(chunks: readonly Uint8Array[], onEnd: () => void = () => undefined) {
  try {
    yield* chunks;
  } finally {
    onEnd();
  }
}

test('returns the bytes of a stream within the limit', async () => {
  await fc.assert(
    fc.asyncProperty(chunkLists, async (chunks) => {
      const all = Buffer.concat(chunks);
      expect(await readStream(streamOf(chunks), all.length)).toEqual({ ok: true, bytes: all });
    }),
  );
});

test('cancels a stream at the chunk that exceeds the limit', async () => {
  await fc.assert(
    fc.asyncProperty(chunkLists, fc.nat(50), async (chunks, limit) => {
      const all = Buffer.concat(chunks).length;
      fc.pre(all > limit);
      let taken = 0;
      let isCancelled = false;
      const counted = async function* () {
        for await (const chunk of streamOf(chunks, () => {
          isCancelled = true;
        })) {
          taken += chunk.length;
          yield chunk;
        }
      };
      expect(await readStream(counted(), limit)).toEqual({ ok: false, size: taken });
      expect(taken).toBeGreaterThan(limit);
      expect(taken).toBeLessThanOrEqual(limit + 20);
      expect(isCancelled).toBe(true);
    }),
  );
});

test('reads a response without a body as empty', async () => {
  expect(await readStream(new Response().body, 0)).toEqual({ ok: true, bytes: Buffer.alloc(0) });
});

test('rejects if the stream fails', async () => {
  const failing = async function* () {
    yield new Uint8Array(1);
    throw new Error('broken');
  };
  await expect(readStream(failing(), 10)).rejects.toThrow('broken');
});
