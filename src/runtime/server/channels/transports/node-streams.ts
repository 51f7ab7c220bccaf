import type { Readable, Writable } from 'node:stream';
import { ChannelError, type RuntimeIoChannel } from '../binding/channel.js';
import { FanOut } from './fan-out.js';
import { makeChannel } from './make-channel.js';
import { defaultMaxLine, failureOf, LineReader, printLine } from './read-lines.js';
import { SerialWork } from './serial-work.js';

/** Options of a stream channel. */
export interface StreamOptions extends Pick<RuntimeIoChannel, 'node' | 'timeout' | 'badRecords'> {
  /** The source of records, one JSON value per line, for instance `process.stdin`; in object mode, its objects. */
  readonly input?: Readable;
  /** The target of records, one per line, for instance `process.stdout`. */
  readonly output?: Writable;
  /** The maximum length of a line, in bytes. Default: 1 MiB. */
  readonly maxLine?: number;
  /** How many records may wait for one subscriber before reading pauses. Default: 100. */
  readonly buffer?: number;
  /** How long reading pauses for a slow subscriber before it is dropped, in milliseconds. Default: 10,000. */
  readonly patience?: number;
  /** The maximum number of records that wait to be written. Default: 1,000. */
  readonly maxPending?: number;
}

/**
 * Node streams of JSON Lines: standard input and output, pipes, sockets. A query takes the next record; every
 * subscription gets every record. The input is read only as fast as the slowest subscriber reads, and not at all
 * without a reader, so no record is lost. A mutation writes its input as a line.
 *
 * @throws {TypeError} If there is neither an input nor an output.
 *
 * @example
 * ```ts
 * import { createStreamChannel } from 'gg-svc/channels';
 *
 * const channel = createStreamChannel({ node: 'lines', input: process.stdin });
 * ```
 */
export function createStreamChannel(options: StreamOptions): RuntimeIoChannel {
  const { input, output, maxLine = defaultMaxLine, maxPending = 1_000 } = options;
  if (input === undefined && output === undefined) {
    throw new TypeError('A channel of streams needs an input or an output.');
  }
  const direction = output === undefined ? 'in' : input === undefined ? 'out' : 'inout';
  return makeChannel({ ...options, direction }, 'stream', {
    incoming: input && readsOf(input, maxLine, options),
    outgoing: output && writesOf(output, maxLine, maxPending),
  });
}

function readsOf(
  input: Readable,
  maxLine: number,
  { buffer, patience }: StreamOptions,
): Pick<RuntimeIoChannel, 'read' | 'subscribe' | 'close'> {
  // Without a listener, an error between two reads would end the process.
  input.on('error', () => undefined);
  const records = new FanOut({ open: () => recordsOf(input, maxLine), keepOpen: true, buffer, patience });
  return {
    read: async ({ signal, accepts, skip }) => {
      for (;;) {
        const record = await records.next(signal);
        if (record instanceof ChannelError) skip(record);
        else if (accepts(record, 'a record')) return record;
      }
    },
    subscribe: ({ signal }) => records.subscribe(signal),
    close: () => {
      records.close();
      // Once read from, standard input or a socket keeps the process alive.
      (input as { unref?: () => void }).unref?.();
    },
  };
}

async function* recordsOf(input: Readable, maxLine: number): AsyncGenerator<unknown, void, void> {
  const lines = new LineReader(maxLine);
  try {
    // The caller owns the stream, so it is not destroyed after the last reader.
    for await (const chunk of input.iterator({ destroyOnReturn: false })) {
      if (input.readableObjectMode) {
        yield chunk;
        continue;
      }
      for (const read of lines.read(Buffer.from(chunk as Buffer | string))) {
        yield read instanceof ChannelError ? read : read.record;
      }
    }
  } catch (error) {
    throw failureOf(error, 'the input failed');
  }
  const { last } = lines;
  if (last instanceof ChannelError) {
    yield new ChannelError('unreadable', 'the input ended in the middle of a record');
  } else if (last !== undefined) {
    yield last.record;
  }
}

function writesOf(output: Writable, maxLine: number, maxPending: number): Pick<RuntimeIoChannel, 'stores' | 'write'> {
  output.on('error', () => undefined);
  const writes = new SerialWork(maxPending);
  return {
    stores: true,
    // One at a time: each line waits until the one before is flushed.
    write: (record, { signal }) =>
      writes.run(signal, () => {
        const line = printLine(record, maxLine);
        return new Promise<void>((resolve, reject) => {
          output.write(output.writableObjectMode ? record : line, (error) => {
            if (error === null || error === undefined) resolve();
            else reject(failureOf(error, 'the output failed'));
          });
        });
      }),
  };
}
