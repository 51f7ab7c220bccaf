import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ChannelError } from '../../../../../src/runtime/server/channels/binding/channel.js';
import { createJsonLinesChannel } from '../../../../../src/runtime/server/channels/transports/json-lines.js';
import { callOf, recordsOf, scratchFolder, take } from '../io-server.js';

function fileOf(text?: string): string {
  const path = join(scratchFolder(), 'records.jsonl');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

function channelOf(path: string, options: Partial<Parameters<typeof createJsonLinesChannel>[0]> = {}) {
  return createJsonLinesChannel({ node: 'node', direction: 'inout', path, interval: 5, ...options });
}

/** What a file descriptor of this process stands for; empty if it is closed meanwhile. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

const failure = (fault: string, reason: string) => expect.objectContaining({ fault, reason });

describe('reading a JSON Lines file', () => {
  test('returns all records, the matching ones, or the last match', async () => {
    const channel = channelOf(fileOf('{"id":1,"a":"x"}\r\n\n{"id":2,"a":"x"}\n{"id":3,"a":"y"}\n'));
    const ids = async (match: object, many: boolean) =>
      [await channel.read?.(callOf({ match: { ...match }, many }))]
        .flat()
        .map((record) => (record as { id: number } | null)?.id);
    expect(await ids({}, true)).toEqual([1, 2, 3]);
    expect(await ids({ a: 'x' }, true)).toEqual([1, 2]);
    expect(await ids({ a: 'x' }, false)).toEqual([2]);
    expect(await ids({ id: '3' }, false)).toEqual([3]);
    expect(await ids({ a: 'z' }, false)).toEqual([undefined]);
  });

  test('accepts a last line without a line break, unless it is incomplete', async () => {
    expect(await channelOf(fileOf('{"id":1}\n{"id":2}')).read?.(callOf())).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await channelOf(fileOf('{"id":1}\n{"id":')).read?.(callOf())).toEqual([{ id: 1 }]);
  });

  test.each([
    ['{"id":1}\nnonsense\n', 'line 2 is not JSON'],
    [Buffer.from([0x7b, 0xff, 0x0a]), 'line 1 is not UTF-8 text'],
    [`{"id":1}\n"${'x'.repeat(200)}"\n`, 'line 2 is longer than 100 bytes'],
  ])('fails at %j and names the line', async (text, reason) => {
    const path = fileOf('');
    writeFileSync(path, text);
    await expect(channelOf(path, { maxLine: 100 }).read?.(callOf())).rejects.toEqual(failure('unreadable', reason));
  });

  test('fails instead of omitting records', async () => {
    const channel = channelOf(fileOf('1\n2\n3\n'), { maxRecords: 2 });
    await expect(channel.read?.(callOf())).rejects.toEqual(
      failure('overrun', 'more than 2 records match the arguments'),
    );
  });

  test('fails if the file is missing, unless the channel may create it', async () => {
    const path = fileOf();
    await expect(channelOf(path, { direction: 'in' }).read?.(callOf())).rejects.toEqual(
      failure('failed', 'the file or folder does not exist'),
    );
    expect(await channelOf(path).read?.(callOf())).toEqual([]);
    expect(await channelOf(path).read?.(callOf({ many: false }))).toBeNull();
    await expect(channelOf(scratchFolder()).read?.(callOf())).rejects.toEqual(failure('failed', 'it is a directory'));
  });

  test('stops if the caller no longer waits', async () => {
    const controller = new AbortController();
    controller.abort(new Error('gone'));
    const reading = channelOf(fileOf('1\n')).read?.(callOf({ signal: controller.signal }));
    await expect(reading).rejects.toThrow('gone');
  });
});

describe('appending to a JSON Lines file', () => {
  test('creates the file, and keeps the order of simultaneous writes', async () => {
    const path = fileOf();
    const channel = channelOf(path, { direction: 'out', sync: true });
    await Promise.all(Array.from({ length: 500 }, (_, id) => channel.write?.({ id }, callOf())));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 500 }, (_, id) => id));
  });

  test('starts a new line after an incomplete line, which is not a record', async () => {
    const path = fileOf('{"id":1}\n{"id":2,"na');
    await channelOf(path).write?.({ id: 3 }, callOf());
    expect(readFileSync(path, 'utf8')).toBe('{"id":1}\n{"id":2,"na\u0018\n{"id":3}\n');
    expect(await channelOf(path).read?.(callOf())).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('starts a new line after a complete record without a line break, which is kept', async () => {
    const path = fileOf('{"id":1}\n{"id":2}');
    await channelOf(path).write?.({ id: 3 }, callOf());
    expect(await channelOf(path).read?.(callOf())).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('rejects records that are not JSON, or too long to be read again', async () => {
    const channel = channelOf(fileOf(), { maxLine: 20 });
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const record of [undefined, circle, { count: 1n }]) {
      expect(() => channel.write?.(record, callOf())).toThrow('the record cannot be written as JSON');
    }
    expect(() => channel.write?.('x'.repeat(30), callOf())).toThrow('the record is longer than 20 bytes');
  });

  test('skips cancelled writes', async () => {
    const path = fileOf();
    const channel = channelOf(path);
    const controller = new AbortController();
    const first = channel.write?.({ id: 1 }, callOf());
    const second = channel.write?.({ id: 2 }, callOf({ signal: controller.signal }));
    controller.abort(new Error('gone'));
    await first;
    await expect(second).rejects.toThrow('gone');
    await channel.write?.({ id: 3 }, callOf());
    expect(readFileSync(path, 'utf8')).toBe('{"id":1}\n{"id":3}\n');
  });

  test('rejects a record if too many are waiting', async () => {
    const channel = channelOf(fileOf(), { maxPending: 1 });
    const written = [1, 2].map((id) => channel.write?.({ id }, callOf()));
    const refused = channel.write?.({ id: 3 }, callOf());
    await expect(refused).rejects.toEqual(failure('overrun', '1 records wait to be written already'));
    await Promise.all(written);
  });

  test('creates a new file after a rotation', async () => {
    const path = fileOf();
    const channel = channelOf(path);
    await channel.write?.({ id: 1 }, callOf());
    renameSync(path, `${path}.1`);
    await channel.write?.({ id: 2 }, callOf());
    expect(readFileSync(path, 'utf8')).toBe('{"id":2}\n');
  });

  test('fails with a reason that has no path', async () => {
    const path = join(scratchFolder(), 'missing', 'records.jsonl');
    const writing = channelOf(path).write?.({ id: 1 }, callOf());
    const error = await Promise.resolve(writing).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ChannelError);
    expect((error as ChannelError).message).toBe('the file or folder does not exist');
    expect((error as ChannelError).cause).toMatchObject({ code: 'ENOENT' });
    expect(existsSync(path)).toBe(false);
  });
});

describe('following a JSON Lines file', () => {
  test('gets each new record once, from any writer', async () => {
    const path = fileOf('{"id":1}\n');
    const channel = channelOf(path);
    const records = await recordsOf(channel);
    const taking = take(records, 3);
    appendFileSync(path, '{"id":2}\n{"id":');
    await channel.read?.(callOf());
    appendFileSync(path, '3}\n');
    await channel.write?.({ id: 4 }, callOf());
    expect(await taking).toEqual([{ id: 2 }, { id: 3 }, { id: 4 }]);
  });

  test('begins with the first record if configured', async () => {
    const channel = channelOf(fileOf('1\n2\n'), { from: 'start' });
    expect(await take(channel.subscribe?.(callOf()), 2)).toEqual([1, 2]);
  });

  test('reports a line that is not a record, and continues', async () => {
    const channel = channelOf(fileOf('1\n{oh\n\n2\n'), { from: 'start' });
    const records = await take(channel.subscribe?.(callOf()), 3);
    expect(records).toEqual([1, failure('unreadable', 'line 2 is not JSON'), 2]);
  });

  test('ends at a line that exceeds the limit', async () => {
    const channel = channelOf(fileOf(`${'x'.repeat(200)}`), { from: 'start', maxLine: 100 });
    await expect(take(channel.subscribe?.(callOf()), 1)).rejects.toEqual(
      failure('unreadable', 'line 1 is longer than 100 bytes'),
    );
  });

  test('continues in a file that was replaced or truncated', async () => {
    const path = fileOf('1\n2\n');
    const records = await recordsOf(channelOf(path));
    const iterator = records[Symbol.asyncIterator]();
    const next = async () => (await iterator.next()).value;
    const replaced = next();
    renameSync(path, `${path}.1`);
    writeFileSync(`${path}.2`, '333333333\n');
    renameSync(`${path}.2`, path);
    expect(await replaced).toBe(333333333);
    const shortened = next();
    truncateSync(path, 0);
    // The file stays shorter than what was read of it, whenever that is noticed.
    appendFileSync(path, '4\n');
    expect(await shortened).toBe(4);
    await iterator.return?.();
  });

  test.each([
    ['renamed', (path: string, round: number) => renameSync(path, `${path}.${round}`)],
    ['removed', (path: string) => rmSync(path)],
  ])('does not lose a record that is appended just before the file is %s', async (_, rotate) => {
    const path = fileOf('');
    const records = (await recordsOf(channelOf(path)))[Symbol.asyncIterator]();
    const found: unknown[] = [];
    let wanted = 0;
    for (let round = 0; round < 10; round++) {
      for (let at = 0; at < 30; at++) appendFileSync(path, `${wanted++}\n`);
      // A writer that opened the file before still writes to it, and ends without a line break.
      const late = openSync(path, 'a');
      rotate(path, round);
      writeFileSync(path, '');
      while (found.length < wanted) found.push((await records.next()).value);
      writeSync(late, `${wanted++}`);
      closeSync(late);
    }
    while (found.length < wanted) found.push((await records.next()).value);
    await records.return?.();
    // What a late writer adds to the old file may come after the first records of the new one.
    expect(found.sort((one, other) => Number(one) - Number(other))).toEqual([...Array(wanted).keys()]);
  });

  test('reads a truncated file from its beginning, even if it is longer again', async () => {
    const path = fileOf('');
    const records = (await recordsOf(channelOf(path, { interval: 20 })))[Symbol.asyncIterator]();
    for (const [round, length] of [10, 100, 1_000, 5_000, 20_000, 3].entries()) {
      const lines = [...Array(length).keys()].map((at) => `${(round + 1) * 100_000 + at}\n`);
      writeFileSync(path, lines.join(''));
      const found: unknown[] = [];
      while (found.length < lines.length) found.push((await records.next()).value);
      expect(found).toEqual(lines.map(Number));
    }
    await records.return?.();
  });

  test('closes the file of a subscription that is never read', async () => {
    const path = fileOf('1\n');
    const open = () => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === path).length;
    const controller = new AbortController();
    await recordsOf(channelOf(path), { signal: controller.signal });
    expect(open()).toBe(1);
    controller.abort();
    await expect.poll(() => open()).toBe(0);
    await recordsOf(channelOf(path), { signal: controller.signal });
    expect(open()).toBe(0);
  });

  test('waits for a file that it writes itself, and fails for a missing input', async () => {
    const path = fileOf();
    const taking = take(channelOf(path).subscribe?.(callOf()), 1);
    // Lines that were written before the channel listens are not for it.
    const writing = setInterval(() => appendFileSync(path, '1\n'), 20);
    expect(await taking.finally(() => clearInterval(writing))).toEqual([1]);
    await expect(channelOf(fileOf(), { direction: 'in' }).subscribe?.(callOf())).rejects.toEqual(
      failure('failed', 'the file or folder does not exist'),
    );
    await expect(take(channelOf(scratchFolder()).subscribe?.(callOf()), 1)).rejects.toEqual(
      failure('failed', 'it is a directory'),
    );
  });

  test('ends with its signal', async () => {
    const controller = new AbortController();
    const call = callOf({ signal: controller.signal });
    const taking = take(channelOf(fileOf('1\n')).subscribe?.(call), 1);
    controller.abort();
    expect(await taking).toEqual([]);
    expect(await take(channelOf(fileOf('1\n')).subscribe?.(call), 1)).toEqual([]);
  });
});
