import { type FileHandle, open } from 'node:fs/promises';
import { readFlags } from '../../../../base/read/file-chunks.js';
import type { ChannelCall, RuntimeIoChannel } from '../binding/channel.js';
import { ChannelError } from '../binding/channel-error.js';
import { fileError, isAbsent } from './file-errors.js';
import { LineAppender } from './line-appender.js';
import { followLines } from './line-follower.js';
import { makeChannel } from './make-channel.js';
import { defaultMaxLine, LineCutter, parseLine, printLine } from './read-lines.js';
import { defaultMaxRecords, selectRecords } from './select-records.js';

/** Options of a JSON Lines channel. */
export interface JsonLinesOptions
  extends Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout' | 'badRecords'> {
  /** The file. The first write creates it. */
  readonly path: string;
  /** Whether a subscription begins with the first record or the next new one. Default: `end`. */
  readonly from?: 'start' | 'end';
  /** The interval of checks for new records, in milliseconds. Default: 200. */
  readonly interval?: number;
  /** The maximum length of a line, in bytes. Default: 1 MiB. */
  readonly maxLine?: number;
  /** The maximum number of records in an answer. Default: 10,000. */
  readonly maxRecords?: number;
  /** The maximum number of records that wait to be written. Default: 1,000. */
  readonly maxPending?: number;
  /** Whether a write is acknowledged only after `fsync`, which is slower. Default: false. */
  readonly sync?: boolean;
}

/**
 * A file with one JSON value per line. A query returns the records that match its arguments, or the last of them. A
 * mutation appends its input, each record whole or not at all. A subscription gets new records from any writer.
 *
 * @example
 * ```ts
 * import { createJsonLinesChannel } from 'gg-svc/channels';
 *
 * const channel = createJsonLinesChannel({ node: 'orders', direction: 'inout', path: 'orders.jsonl' });
 * ```
 */
export function createJsonLinesChannel(options: JsonLinesOptions): RuntimeIoChannel {
  const { path, maxLine = defaultMaxLine, maxRecords = defaultMaxRecords } = options;
  const { interval = 200, from = 'end', maxPending = 1_000, sync = false } = options;
  const appender = new LineAppender({ path, maxPending, sync, maxLine });
  // A file that only others write must exist; one that this channel writes may not exist yet.
  const mayBeAbsent = options.direction !== 'in';
  return makeChannel(options, 'jsonl', {
    incoming: {
      echoes: true,
      read: (call) => readFile(path, call, { maxLine, maxRecords, mayBeAbsent }),
      subscribe: ({ signal }) => followLines(path, { from, mayBeAbsent, interval, maxLine, signal }),
    },
    outgoing: {
      stores: true,
      write: (record, { signal }) => appender.append(printLine(record, maxLine), signal),
    },
  });
}

interface ReadOptions {
  readonly maxLine: number;
  readonly maxRecords: number;
  readonly mayBeAbsent: boolean;
}

async function readFile(path: string, call: ChannelCall, options: ReadOptions): Promise<unknown> {
  const selection = selectRecords(call, options.maxRecords);
  let file: FileHandle | undefined;
  try {
    file = await open(path, readFlags);
    const cutter = new LineCutter(options.maxLine);
    for await (const bytes of chunksOf(file)) {
      call.signal.throwIfAborted();
      for (const line of cutter.cut(bytes)) {
        const parsed = parseLine(line);
        if (parsed instanceof ChannelError) call.skip(parsed);
        else if (parsed !== undefined) selection.take(parsed.record, `line ${line.number}`);
      }
    }
    // The last line may lack its break: complete JSON is a record, anything else is still being written.
    const number = cutter.count + 1;
    const last = parseLine({ bytes: cutter.rest, number });
    if (last !== undefined && !(last instanceof ChannelError)) selection.take(last.record, `line ${number}`);
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (!isAbsent(error) || !options.mayBeAbsent) throw fileError(error);
  } finally {
    await file?.close().catch(() => undefined);
  }
  return selection.result();
}

const chunkSize = 1 << 16;

/** The bytes of a file. Each chunk is valid until the next is requested. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer, void, void> {
  const buffer = Buffer.alloc(chunkSize);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, chunkSize, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
