import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createJsonFileChannel,
  type JsonFileOptions,
} from '../../../../../src/runtime/server/channels/transports/json-file.js';
import { createTimerChannel } from '../../../../../src/runtime/server/channels/transports/timer.js';
import { subscribe } from '../../subscriber.js';
import { ask, post } from '../../topology-server.js';
import { callOf, recordsOf, scratchFolder, serveIo, take } from '../io-server.js';

const failure = (fault: string, reason: string) => expect.objectContaining({ fault, reason });

function fileOf(text?: string): string {
  const path = join(scratchFolder(), 'value.json');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

function channelOf(path: string, options: Partial<JsonFileOptions> = {}) {
  return createJsonFileChannel({ node: 'node', direction: 'inout', path, interval: 5, ...options });
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a JSON file', () => {
  test('is read as a whole, or if it is a list, only the matching records', async () => {
    const one = channelOf(fileOf('\uFEFF{"theme":"dark"}'));
    expect(await one.read?.(callOf({ many: false }))).toEqual({ theme: 'dark' });
    const list = channelOf(fileOf('[{"id":1,"a":"x"},{"id":2,"a":"x"},{"id":3,"a":"y"}]'));
    expect(await list.read?.(callOf({ match: { a: 'x' } }))).toEqual([
      { id: 1, a: 'x' },
      { id: 2, a: 'x' },
    ]);
    expect(await list.read?.(callOf({ match: { a: 'x' }, many: false }))).toEqual({ id: 2, a: 'x' });
  });

  test.each([
    ['{"half":', 'the file is not JSON'],
    ['', 'the file is not JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), 'the file is not UTF-8 text'],
    [`"${'x'.repeat(200)}"`, 'the file has more than 100 bytes'],
  ])('fails at %j', async (text, reason) => {
    const path = fileOf('');
    writeFileSync(path, text);
    const reading = channelOf(path, { maxBytes: 100 }).read?.(callOf());
    await expect(reading).rejects.toEqual(failure('unreadable', reason));
  });

  test('that is missing is null if the channel may create it, and otherwise a failure', async () => {
    expect(await channelOf(fileOf()).read?.(callOf())).toBeNull();
    await expect(channelOf(fileOf(), { direction: 'in' }).read?.(callOf())).rejects.toEqual(
      failure('failed', 'the file or folder does not exist'),
    );
    await expect(take(recordsOf(channelOf(fileOf(), { direction: 'in' })), 1)).rejects.toEqual(
      failure('failed', 'the file or folder does not exist'),
    );
    await expect(channelOf(scratchFolder()).read?.(callOf())).rejects.toEqual(failure('failed', 'it is a directory'));
  });

  test('is replaced atomically: a reader gets the old value or the new one', async () => {
    const path = fileOf('{"n":-1}');
    const channel = channelOf(path);
    const writing = Array.from({ length: 30 }, (_, n) => channel.write?.({ n, pad: 'x'.repeat(100_000) }, callOf()));
    const seen: number[] = [];
    const reading = (async () => {
      while (seen.at(-1) !== 29) {
        const value = await channel.read?.(callOf());
        seen.push((value as { n: number }).n);
      }
    })();
    await Promise.all([...writing, reading]);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(readdirSync(join(path, '..'))).toEqual(['value.json']);
  });

  test('is unchanged if it cannot be written, without temporary files', async () => {
    const path = fileOf('1');
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await expect(channelOf(path).write?.(circle, callOf())).rejects.toMatchObject({ fault: 'unreadable' });
    expect(readFileSync(path, 'utf8')).toBe('1');
    expect(readdirSync(join(path, '..'))).toEqual(['value.json']);
    await expect(channelOf('/no/such/folder/x.json').write?.(1, callOf())).rejects.toEqual(
      failure('failed', 'the file or folder does not exist'),
    );
  });

  test('sends its subscribers each new value and its errors', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const path = fileOf('{"n":1}');
    const iterator = (await recordsOf(channelOf(path)))[Symbol.asyncIterator]();
    /** Changes the file while the channel waits, and lets it look again. */
    const meanwhile = async (act: () => void) => {
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      act();
      vi.advanceTimersByTime(5);
    };
    const replace = (text: string) =>
      meanwhile(() => {
        writeFileSync(`${path}.new`, text);
        renameSync(`${path}.new`, path);
      });
    const change = async (text: string) => {
      const next = iterator.next();
      await replace(text);
      return (await next).value;
    };
    expect(await change('{"n":2}')).toEqual({ n: 2 });
    expect(await change('{"n":')).toEqual(failure('unreadable', 'the file is not JSON'));
    expect(await change('{"n":3}')).toEqual({ n: 3 });
    const next = iterator.next();
    await meanwhile(() => unlinkSync(path));
    // The size is another one: the number and the time of the new file may be those of the old one.
    await replace('{"n":44}');
    expect((await next).value).toEqual({ n: 44 });
    await iterator.return?.();
  });

  test('serves a node: read by a query, replaced by a mutation', async () => {
    const path = fileOf();
    const server = serveIo(
      `
      (root)-[:PROCESS { operation: 'settings' }]->(settings: Record { theme: String!, size: Int! = 12 })
      (form { theme: String! })-[:FOLD { operation: 'saveSettings' }]->(settings)
    `,
      [channelOf(path, { node: 'settings' })],
    );
    expect((await ask(server, '/api/settings')).body).toBeNull();
    const saved = await post(server, '/api/saveSettings', { input: { theme: 'dark' } });
    expect(saved.body).toEqual({ theme: 'dark', size: 12 });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ theme: 'dark' });
    expect((await ask(server, '/api/settings')).body).toEqual({ theme: 'dark', size: 12 });
  });
});

describe('a timer', () => {
  test('ticks, and skips ticks while the subscriber is busy', async () => {
    const start = Date.parse('2026-12-31T23:59:59.985Z');
    vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    const channel = createTimerChannel({ node: 'clock', interval: 10 });
    const iterator = (await recordsOf(channel))[Symbol.asyncIterator]();
    const nextAfter = async (milliseconds: number) => {
      const next = iterator.next();
      await vi.advanceTimersByTimeAsync(milliseconds);
      return (await next).value;
    };
    expect(await nextAfter(10)).toEqual({ count: 1, at: '2026-12-31T23:59:59.995Z' });
    vi.advanceTimersByTime(65);
    expect(await nextAfter(0)).toEqual({ count: 7, at: '2027-01-01T00:00:00.060Z' });
    expect(await nextAfter(5)).toEqual({ count: 8, at: '2027-01-01T00:00:00.065Z' });
    await iterator.return?.();
  });

  test('ends with its signal', async () => {
    const controller = new AbortController();
    const channel = createTimerChannel({ node: 'clock', interval: 1_000_000 });
    const taking = take(recordsOf(channel, { signal: controller.signal }), 1);
    await Promise.resolve();
    controller.abort();
    expect(await taking).toEqual([]);
  });

  test('serves a node: its ticks, or the records made from them', async () => {
    const server = serveIo(
      `
      (clock)-[:PROCESS { operation: 'now' }]->(moment: Record { count: Int!, at: String! })
      (clock)-[:FORK]->(tick: Event { number: Int! })
    `,
      [
        createTimerChannel({
          node: 'clock',
          interval: 5,
          record: async (tick) => ({ ...tick, number: tick.count * 100 }),
        }),
      ],
    );
    expect((await ask(server, '/api/now')).body).toMatchObject({ count: 0 });
    const ticks = await subscribe(server, 'subscription { tick { number } }');
    expect((await ticks.next()).data.tick.number % 100).toBe(0);
    await ticks.stop();
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('rejects an interval of %d ms', (interval) => {
    expect(() => createTimerChannel({ node: 'clock', interval })).toThrow(RangeError);
  });
});
