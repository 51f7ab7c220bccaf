import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createStreamChannel } from '../../../../../src/runtime/server/channels/transports/node-streams.js';
import { until } from '../../http-server.js';
import { subscribe } from '../../subscriber.js';
import { run } from '../../topology-server.js';
import { callOf, serveIo, take } from '../io-server.js';

const failure = (fault: string, reason: string) => expect.objectContaining({ fault, reason });

function inputOf(...chunks: readonly (string | Buffer)[]) {
  return createStreamChannel({
    node: 'node',
    input: Readable.from(chunks, { objectMode: false }),
    maxLine: 100,
  });
}

describe('reading a stream', () => {
  test('returns the next record each time, for any chunks', async () => {
    const bytes = Buffer.from('{"name":"Zoë"}\n\n{"name":"Ada"}\n"half"');
    const channel = inputOf(...Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(await channel.read?.(callOf())).toEqual({ name: 'Zoë' });
    expect(await channel.read?.(callOf())).toEqual({ name: 'Ada' });
    expect(await channel.read?.(callOf())).toBe('half');
    await expect(channel.read?.(callOf())).rejects.toEqual(failure('failed', 'the source has ended'));
    await expect(channel.read?.(callOf())).rejects.toEqual(failure('failed', 'the source has ended'));
  });

  test('fails at a line that is not a record, and continues with the next', async () => {
    const channel = inputOf('nonsense\n1\n{"half":');
    await expect(channel.read?.(callOf())).rejects.toEqual(failure('unreadable', 'line 1 is not JSON'));
    expect(await channel.read?.(callOf())).toBe(1);
    await expect(channel.read?.(callOf())).rejects.toEqual(
      failure('unreadable', 'the input ended in the middle of a record'),
    );
  });

  test('fails at an endless line', async () => {
    await expect(inputOf('x'.repeat(200)).read?.(callOf())).rejects.toEqual(
      failure('unreadable', 'line 1 is longer than 100 bytes'),
    );
  });

  test('fails with a stream that fails, with and without a reader', async () => {
    const input = new PassThrough();
    const channel = createStreamChannel({ node: 'node', input });
    const reading = channel.read?.(callOf());
    input.destroy(new Error('unplugged'));
    await expect(reading).rejects.toEqual(failure('failed', 'the input failed'));
    const idle = new PassThrough();
    createStreamChannel({ node: 'node', input: idle });
    idle.destroy(new Error('unplugged'));
    await until(() => idle.destroyed);
  });

  test('returns the objects of an object stream unchanged', async () => {
    const channel = createStreamChannel({ node: 'node', input: Readable.from([{ id: 1 }, { id: 2 }]) });
    expect(await take(channel.subscribe?.(callOf()), 2)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('stops waiting when cancelled, and keeps the record for the next query', async () => {
    const input = new PassThrough();
    const channel = createStreamChannel({ node: 'node', input });
    const controller = new AbortController();
    const reading = channel.read?.(callOf({ signal: controller.signal }));
    controller.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    input.write('1\n2\n');
    expect(await channel.read?.(callOf())).toBe(1);
    expect(await channel.read?.(callOf())).toBe(2);
    expect(await take(channel.subscribe?.(callOf({ signal: controller.signal })), 1)).toEqual([]);
    input.destroy();
  });

  test('releases the stream when the channel is closed', async () => {
    const input = new PassThrough();
    const channel = createStreamChannel({ node: 'node', input });
    const taking = take(channel.subscribe?.(callOf()), 1);
    await channel.close?.();
    expect(await taking).toEqual([]);
    expect(input.destroyed).toBe(false);
    input.destroy();
  });
});

describe('writing to a stream', () => {
  test('writes lines in order, each after the previous one was accepted', async () => {
    const taken: string[] = [];
    const held: (() => void)[] = [];
    const output = new Writable({
      write(chunk, _encoding, callback) {
        taken.push(String(chunk));
        held.push(callback);
      },
    });
    const channel = createStreamChannel({ node: 'node', output, maxPending: 2 });
    const first = channel.write?.({ id: 1 }, callOf());
    const controller = new AbortController();
    const second = channel.write?.({ id: 2 }, callOf({ signal: controller.signal }));
    await expect(channel.write?.({ id: 3 }, callOf())).rejects.toEqual(
      failure('overrun', '2 records wait to be written already'),
    );
    await until(() => taken.length === 1);
    controller.abort(new Error('gone'));
    held[0]?.();
    await first;
    await expect(second).rejects.toThrow('gone');
    const fourth = channel.write?.({ id: 4 }, callOf());
    await until(() => taken.length === 2);
    held[1]?.();
    await fourth;
    expect(taken).toEqual(['{"id":1}\n', '{"id":4}\n']);
  });

  test('fails with a stream that fails, and one that has ended', async () => {
    const output = new Writable({ write: (_chunk, _encoding, callback) => callback(new Error('unplugged')) });
    const channel = createStreamChannel({ node: 'node', output });
    const failed = failure('failed', 'the output failed');
    await expect(channel.write?.(1, callOf())).rejects.toEqual(failed);
    await expect(channel.write?.(1, callOf())).rejects.toEqual(failed);
    const ended = new PassThrough();
    const other = createStreamChannel({ node: 'node', output: ended.end() });
    await expect(other.write?.(1, callOf())).rejects.toEqual(failed);
  });

  test('passes objects to an object stream', async () => {
    const output = new PassThrough({ objectMode: true });
    await createStreamChannel({ node: 'node', output }).write?.({ id: 1 }, callOf());
    expect(output.read()).toEqual({ id: 1 });
  });
});

test('rejects the web streams of a browser, which are not Node.js streams', () => {
  expect(() => createStreamChannel({ node: 'node' })).toThrow('A channel of streams needs an input or an output.');
});

describe('streams behind a topology', () => {
  const source = `
    (lines)-[:PROCESS]->(line: Record { text: String! })
    (form { text: String! })-[:FOLD]->(lines_out: Record { text: String! })
    (lines)-[:FORK]->(seen: Event { text: String! })
  `;

  test('are read by queries and subscriptions, and written to by mutations', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const server = serveIo(source, [
      createStreamChannel({ node: 'lines', input, timeout: 60_000 }),
      createStreamChannel({ node: 'lines_out', output }),
    ]);
    const reading = run(server, '{ line { text } }');
    input.write('{"text":"one"}\n');
    expect(await reading).toEqual({ data: { line: { text: 'one' } } });
    const events = await subscribe(server, 'subscription { seen { text } }');
    input.write('{"text":"two"}\noh\n{"text":3}\n{"text":"four"}\n');
    expect(await events.next()).toEqual({ data: { seen: { text: 'two' } } });
    expect((await events.next()).errors[0].message).toBe(
      'The channel of the node lines (stream) returned an unusable value: line 3 is not JSON.',
    );
    expect(await events.next()).toEqual({ data: { seen: { text: '3' } } });
    expect(await events.next()).toEqual({ data: { seen: { text: 'four' } } });
    await events.stop();
    await run(server, 'mutation { linesOut(input: { text: "out" }) { text } }');
    expect(String(output.read())).toBe('{"text":"out"}\n');
    input.destroy();
  });
});
