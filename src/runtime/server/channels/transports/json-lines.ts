import { type ChannelCall, ChannelError, type RuntimeIoChannel } from '../binding/channel.js';
import { LineAppender } from './line-appender.js';
import { followLines } from './line-follower.js';
import { makeChannel } from './make-channel.js';
import { chunksOf, defaultMaxLine, ifPresent, LineReader, printLine } from './read-lines.js';
import { defaultMaxRecords, selectRecords } from './select-records.js';

/** Options of a JSON Lines channel. */
export interface JsonLinesOptions extends Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout' | 'badRecords'> {
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
      async read(call) {
        const selection = selectRecords(call, maxRecords);
        await ifPresent(readRecords(path, maxLine, call, selection.take), mayBeAbsent);
        call.signal.throwIfAborted();
        return selection.result();
      },
      subscribe: ({ signal }) => followLines(path, { from, mayBeAbsent, interval, maxLine, signal }),
    },
    outgoing: { stores: true, write: (record, { signal }) => appender.append(printLine(record, maxLine), signal) },
  });
}

async function readRecords(
  path: string,
  maxLine: number,
  { signal, skip }: ChannelCall,
  take: (record: unknown, place: string) => void,
): Promise<void> {
  const lines = new LineReader(maxLine);
  for await (const bytes of chunksOf(path)) {
    if (signal.aborted) return;
    for (const read of lines.read(bytes)) {
      if (read instanceof ChannelError) skip(read);
      else take(read.record, `line ${read.line}`);
    }
  }
  // The last line may lack its break: complete JSON is a record, anything else is still being written.
  const { last } = lines;
  if (last !== undefined && !(last instanceof ChannelError)) take(last.record, `line ${last.line}`);
}
