import type { FileHandle } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { LineAppender } from '../../../../../src/runtime/server/channels/transports/line-appender.js';

const disk = vi.hoisted(() => ({ room: [] as number[], text: '', closes: true }));

/** A disk with room for so many bytes at each write; what is beyond them is left out, as the system does it. */
vi.mock('node:fs/promises', () => ({
  open: async (): Promise<Partial<FileHandle>> => ({
    stat: (async () => ({ size: disk.text.length })) as unknown as FileHandle['stat'],
    read: (async (buffer: Buffer, offset: number, length: number, position: number) => {
      const bytesRead = buffer.write(disk.text.slice(position, position + length), offset);
      return { bytesRead, buffer };
    }) as unknown as FileHandle['read'],
    write: (async (data: Buffer | string) => {
      const text = String(data);
      const room = disk.room.shift() ?? 1_000;
      if (room === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const part = text.slice(0, room);
      disk.text += part;
      return { bytesWritten: part.length, buffer: data };
    }) as unknown as FileHandle['write'],
    close: async () => {
      if (!disk.closes) throw new Error('it cannot be closed');
    },
  }),
}));

const never = new AbortController().signal;

test('acknowledges only the lines of a write that reached the file', async () => {
  const appender = new LineAppender({ path: 'disk', maxPending: 10, sync: false, maxLine: 100 });
  disk.room = [8, 2, 0];
  // The first is taken up at once, the other three go together.
  const lines = ['{"a":1}\n', '{"b":1}\n', '{"c":1}\n', '{"d":1}\n'].map((line) => appender.append(line, never));
  const settled = await Promise.allSettled(lines);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(settled[1]).toMatchObject({ reason: { reason: 'the disk is full' } });
  expect(disk.text).toBe('{"a":1}\n{"');
  disk.closes = false;
  await appender.append('{"e":1}\n', never);
  expect(disk.text).toBe('{"a":1}\n{"\u0018\n{"e":1}\n');
});

test('marks an incomplete line at once if the disk has space for the mark', async () => {
  disk.text = '';
  disk.room = [5];
  const appender = new LineAppender({ path: 'disk', maxPending: 10, sync: false, maxLine: 100 });
  await expect(appender.append('{"a":1}\n', never)).rejects.toMatchObject({
    fault: 'failed',
    reason: 'the record was written incompletely',
  });
  await appender.append('{"b":1}\n', never);
  expect(disk.text).toBe('{"a":\u0018\n{"b":1}\n');
});
