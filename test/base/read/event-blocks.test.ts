import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventBlocks } from '../../../src/base/read/event-blocks.js';

/** A stream of these bytes in parts. */
function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(own) {
      for (const part of parts) own.enqueue(part);
      own.close();
    },
  });
}

async function blocksOf(parts: readonly Uint8Array[]): Promise<object[]> {
  const found: object[] = [];
  for await (const block of eventBlocks(streamOf(parts))) found.push(block);
  return found;
}

describe('the blocks of an event stream', () => {
  test('are its events and positions, without comments, other fields, and what its end cuts off', async () => {
    const text =
      ': comment\r\n\r\nretry: 1\nid: 7\n\nevent: next\r\ndata: {"a":"ä"}\r\n\r\ndata:1\ndata: 2\nid\n\nevent: complete\rdata: \r\rdata: lost';
    expect(await blocksOf([new TextEncoder().encode(text)])).toEqual([
      { event: 'message', data: undefined, id: '7' },
      { event: 'next', data: '{"a":"ä"}', id: undefined },
      { event: 'message', data: '1\n2', id: '' },
      { event: 'complete', data: '', id: undefined },
    ]);
  });

  test('are the same for any parts in which the stream arrives', async () => {
    const line = fc.constantFrom('data: a', 'data:b', 'data: ä☃', 'event: next', 'id: 1', ': ping', '', '');
    const texts = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(80), { maxLength: 5 }), async (lines, cuts) => {
        const bytes = new TextEncoder().encode(lines.flat().join(''));
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((end, at) => bytes.slice(places[at], end));
        expect(await blocksOf(parts)).toEqual(await blocksOf([bytes]));
      }),
    );
  });

  test('end with an error for a line that is too long', async () => {
    const blocks = eventBlocks(streamOf([new TextEncoder().encode(`data: ${'x'.repeat(2 ** 20)}`)]), {
      longestLine: 2 ** 20,
    });
    await expect(blocks.next()).rejects.toThrow('larger than 1 MiB');
  });

  test('of no stream are none', async () => {
    expect(await eventBlocks(null).next()).toEqual({ value: undefined, done: true });
  });
});
