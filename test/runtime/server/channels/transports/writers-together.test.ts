import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createJsonLinesChannel } from '../../../../../src/runtime/server/channels/transports/json-lines.js';
import { callOf, scratchFolder } from '../io-server.js';

const others = vi.hoisted(() => ({ before: [] as (() => void)[] }));

/** The files of the system, to which another writer may append just before a write. */
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  return {
    ...actual,
    open: async (...args: Parameters<typeof actual.open>): Promise<FileHandle> => {
      const file = await actual.open(...args);
      const write = file.write.bind(file) as (data: Buffer) => Promise<{ bytesWritten: number; buffer: Buffer }>;
      if (args[1] === 'a+') {
        file.write = ((data: Buffer) => {
          others.before.shift()?.();
          return write(data);
        }) as unknown as FileHandle['write'];
      }
      return file;
    },
  };
});

const torn = '\u0018';

test.each([
  ['half a record', '{"by":"other","te', [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]],
  ['a record without its line break', '{"by":"other"}', [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]],
  ['a record', '{"by":"other"}\n', [{ id: 1 }, { by: 'other' }, { id: 2 }, { id: 3 }, { id: 4 }]],
  ['a record and half of one', '{"by":"other"}\n{"id":', [{ id: 1 }, { by: 'other' }, { id: 2 }, { id: 3 }, { id: 4 }]],
])('no record is lost if a writer appends %s after the check of the end of the file', async (_, text, all) => {
  const path = join(scratchFolder(), 'records.jsonl');
  const channel = createJsonLinesChannel({ node: 'node', direction: 'inout', path });
  writeFileSync(path, '{"id":1}\n');
  others.before = [() => appendFileSync(path, text)];
  // The first is written alone, the others together.
  await Promise.all([2, 3, 4].map((id) => channel.write?.({ id }, callOf())));
  expect(await channel.read?.(callOf())).toEqual(all);
});

test('no record is lost if a writer is killed before each write, and every line is a record or marked', async () => {
  const path = join(scratchFolder(), 'records.jsonl');
  const channel = createJsonLinesChannel({ node: 'node', direction: 'inout', path });
  const ids = [...Array(40).keys()];
  others.before = ids.map((id) => () => appendFileSync(path, '{"id":1000}\n'.slice(0, id % 12)));
  for (const id of ids) await channel.write?.({ id, text: 'é'.repeat(id) }, callOf());
  const records = (await channel.read?.(callOf())) as { id: number }[];
  expect(records.map(({ id }) => id).filter((id) => id < 1000)).toEqual(ids);
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const line of lines) if (line !== '' && !line.endsWith(torn)) expect(() => JSON.parse(line)).not.toThrow();
});

test('the first of several lines of one write is written again after the others', async () => {
  const path = join(scratchFolder(), 'records.jsonl');
  const channel = createJsonLinesChannel({ node: 'node', direction: 'inout', path });
  others.before = [() => undefined, () => appendFileSync(path, '{"id')];
  await Promise.all([1, 2, 3].map((id) => channel.write?.({ id }, callOf())));
  expect(readFileSync(path, 'utf8')).toBe(`{"id":1}\n{"id{"id":2${torn}\n{"id":3}\n{"id":2}\n`);
});
