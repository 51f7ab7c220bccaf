import type { Readable, Writable } from 'node:stream';
import type { ChannelDirection, RuntimeIoChannel } from './binding/channel.js';
import { ChannelError } from './channel-error.js';
import { FanOut } from './fan-out.js';
import { defaultMaxLine, LineCutter, parseLine, printLine } from './read-lines.js';
import { SerialWork } from './serial-work.js';

/** How streams of Node are used. */
export interface StreamOptions {
  readonly node: string;
  /** Where records come from, one JSON value in each line: `process.stdin`. In object mode, its objects. */
  readonly input?: Readable;
  /** Where records go, one in each line: `process.stdout`. */
  readonly output?: Writable;
  /** How long a read or a write may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** How long a line may be, in bytes; 1 MiB unless given. */
  readonly maxLine?: number;
  /** How many records may wait for a subscriber, before the input is read no further; 100 unless given. */
  readonly buffer?: number;
  /** How long the input stands still for a subscriber who does not read, in milliseconds; 10,000 unless given. */
  readonly patience?: number;
  /** How many records may wait to be written; 1,000 unless given. */
  readonly maxPending?: number;
}

/**
 * Streams of Node that carry JSON Lines: standard input and output, pipes, sockets. A query takes the next
 * record; a subscription hears all that come, and the input is read only as fast as the slowest subscriber
 * reads. While nobody asks, the input is not read, so nothing is lost. A mutation writes its input as a line.
 *
 * @throws {TypeError} When there is neither an input nor an output.
 *
 * @example
 * ```ts
 * import { createStreamChannel } from 'gg-svc/channels';
 *
 * const channel = createStreamChannel({ node: 'lines', input: process.stdin });
 * ```
 */
export function createStreamChannel(options: StreamOptions): RuntimeIoChannel {
  const { node, input, output, timeout, maxLine = defaultMaxLine, maxPending = 1_000 } = options;
  const { buffer, patience } = options;
  if (input === undefined && output === undefined) {
    throw new TypeError('A channel of streams needs an input or an output.');
  }
  return {
    node,
    direction: directionOf(input, output),
    transport: 'stream',
    ...(timeout === undefined ? {} : { timeout }),
    ...(input === undefined ? {} : readsOf(input, maxLine, { buffer, patience })),
    ...(output === undefined ? {} : writesOf(output, maxLine, maxPending)),
  };
}

function directionOf(input: Readable | undefined, output: Writable | undefined): ChannelDirection {
  return output === undefined ? 'in' : input === undefined ? 'out' : 'inout';
}

function readsOf(
  input: Readable,
  maxLine: number,
  { buffer, patience }: { buffer: number | undefined; patience: number | undefined },
): Pick<RuntimeIoChannel, 'read' | 'subscribe' | 'close'> {
  // An error that comes while nobody reads would else end the process.
  input.on('error', () => undefined);
  const records = new FanOut({
    open: () => recordsOf(input, maxLine),
    keepOpen: true,
    ...(buffer === undefined ? {} : { buffer }),
    ...(patience === undefined ? {} : { patience }),
  });
  return {
    read: async ({ signal }) => {
      const record = await records.next(signal);
      if (record instanceof ChannelError) throw record;
      return record;
    },
    subscribe: ({ signal }) => records.subscribe(signal),
    close: () => {
      records.close();
      // Standard input, or a socket, that was once read from keeps a process alive.
      (input as { unref?: () => void }).unref?.();
    },
  };
}

async function* recordsOf(input: Readable, maxLine: number): AsyncGenerator<unknown, void, void> {
  const cutter = new LineCutter(maxLine);
  try {
    // The stream is not ours to destroy when nobody reads any more.
    for await (const chunk of input.iterator({ destroyOnReturn: false })) {
      if (input.readableObjectMode) {
        yield chunk;
        continue;
      }
      for (const line of cutter.cut(Buffer.from(chunk as Buffer | string))) {
        const parsed = parseLine(line);
        if (parsed !== undefined) yield parsed instanceof ChannelError ? parsed : parsed.record;
      }
    }
  } catch (error) {
    throw error instanceof ChannelError
      ? error
      : new ChannelError('failed', 'the input broke off', { cause: error });
  }
  const last = parseLine({ bytes: cutter.rest, number: cutter.count + 1 });
  if (last instanceof ChannelError) {
    yield new ChannelError('unreadable', 'the input ended in the middle of a record');
  } else if (last !== undefined) {
    yield last.record;
  }
}

function writesOf(output: Writable, maxLine: number, maxPending: number): Pick<RuntimeIoChannel, 'write'> {
  output.on('error', () => undefined);
  const writes = new SerialWork(maxPending);
  return {
    // One at a time: a line is handed over when the one before has been taken.
    write: (record, { signal }) =>
      writes.run(signal, () => {
        const line = printLine(record, maxLine);
        return new Promise<void>((resolve, reject) => {
          output.write(output.writableObjectMode ? record : line, (error) => {
            if (error === null || error === undefined) resolve();
            else reject(new ChannelError('failed', 'the output does not take it', { cause: error }));
          });
        });
      }),
  };
}
