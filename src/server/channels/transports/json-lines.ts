import { type FileHandle, open, stat } from 'node:fs/promises';
import type { ChannelCall, RuntimeIoChannel } from '../binding/channel.js';
import { ChannelError } from '../binding/channel-error.js';
import { fileError, isAbsent } from './file-errors.js';
import { LineAppender } from './line-appender.js';
import { makeChannel } from './make-channel.js';
import { defaultMaxLine, LineCutter, parseLine, printLine } from './read-lines.js';
import { defaultMaxRecords, selectRecords } from './select-records.js';
import { wait } from './wait.js';

/** Options of a JSON Lines channel. */
export interface JsonLinesOptions extends Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout'> {
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
      subscribe: async ({ signal }) => {
        const start = await startOf(path, from, mayBeAbsent);
        return follow(path, start, { maxLine, interval, signal });
      },
    },
    outgoing: { write: (record, { signal }) => appender.append(printLine(record, maxLine), signal) },
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
    file = await open(path, 'r');
    const cutter = new LineCutter(options.maxLine);
    for await (const bytes of chunksOf(file, 0)) {
      call.signal.throwIfAborted();
      for (const line of cutter.cut(bytes)) {
        const parsed = parseLine(line);
        if (parsed instanceof ChannelError) throw parsed;
        if (parsed !== undefined) selection.take(parsed.record);
      }
    }
    // The last line may lack its break: complete JSON is a record, anything else is still being written.
    const last = parseLine({ bytes: cutter.rest, number: cutter.count + 1 });
    if (last !== undefined && !(last instanceof ChannelError)) selection.take(last.record);
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (!isAbsent(error) || !options.mayBeAbsent) throw fileError(error);
  } finally {
    await file?.close().catch(() => undefined);
  }
  return selection.result();
}

const chunkSize = 1 << 16;

/** The bytes of a file from a position to its end. Each chunk is valid until the next is requested. */
async function* chunksOf(file: FileHandle, position: number): AsyncGenerator<Buffer, void, void> {
  const buffer = Buffer.alloc(chunkSize);
  for (let at = position; ; ) {
    const { bytesRead } = await file.read(buffer, 0, chunkSize, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The position of a reader of new records: which file, and how many bytes of it. */
interface Place {
  readonly file: number | undefined;
  readonly position: number;
}

async function startOf(path: string, from: 'start' | 'end', mayBeAbsent: boolean): Promise<Place> {
  try {
    const { ino, size } = await stat(path);
    return { file: ino, position: from === 'start' ? 0 : size };
  } catch (error) {
    if (isAbsent(error) && mayBeAbsent) return { file: undefined, position: 0 };
    throw fileError(error);
  }
}

/**
 * The new records of a file, one per request. A file that was replaced or truncated is read from its beginning. An
 * unreadable line is yielded as an error.
 */
async function* follow(
  path: string,
  start: Place,
  { maxLine, interval, signal }: { maxLine: number; interval: number; signal: AbortSignal },
): AsyncGenerator<unknown, void, void> {
  let { file: known, position } = start;
  let cutter = new LineCutter(maxLine);
  while (!signal.aborted) {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      const { ino, size } = await file.stat();
      if ((known !== undefined && ino !== known) || size < position) {
        position = 0;
        cutter = new LineCutter(maxLine);
      }
      known = ino;
      for await (const bytes of chunksOf(file, position)) {
        position += bytes.length;
        // The next read overwrites the chunk, so all its lines are cut first.
        for (const line of cutter.cut(bytes)) {
          const parsed = parseLine(line);
          if (parsed === undefined) continue;
          yield parsed instanceof ChannelError ? parsed : parsed.record;
          if (signal.aborted) return;
        }
      }
    } catch (error) {
      // The file may be in the middle of a rotation; the next check looks again.
      if (!isAbsent(error)) throw fileError(error);
    } finally {
      await file?.close().catch(() => undefined);
    }
    if (!(await wait(interval, signal))) return;
  }
}
