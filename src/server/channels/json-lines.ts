import { type FileHandle, open, stat } from 'node:fs/promises';
import type { ChannelCall, ChannelDirection, RuntimeIoChannel } from './binding/channel.js';
import { ChannelError } from './channel-error.js';
import { fileError, isAbsent } from './file-errors.js';
import { LineAppender } from './line-appender.js';
import { defaultMaxLine, LineCutter, parseLine, printLine } from './read-lines.js';
import { defaultMaxRecords, selectRecords } from './select-records.js';
import { wait } from './wait.js';

/** How a JSON Lines file is used. */
export interface JsonLinesOptions {
  readonly node: string;
  readonly direction: ChannelDirection;
  /** The file. Where records go out it is made when the first one is written. */
  readonly path: string;
  /** How long a read or a write may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** Whether a subscription begins with the first record, or with the next to come. `end` unless given. */
  readonly from?: 'start' | 'end';
  /** How often the file is looked at for new records, in milliseconds; 200 unless given. */
  readonly interval?: number;
  /** How long a line may be, in bytes; 1 MiB unless given. */
  readonly maxLine?: number;
  /** How many records an answer may hold; 10,000 unless given. */
  readonly maxRecords?: number;
  /** How many records may wait to be written; 1,000 unless given. */
  readonly maxPending?: number;
  /** Whether a record is on the disk before it is acknowledged, which is slower. False unless given. */
  readonly sync?: boolean;
}

/**
 * A file with one JSON value in each line. A query gets the records whose fields agree with its arguments, or
 * the last of them; a mutation appends its input, each record whole or not at all; a subscription hears what is
 * appended from now on, by whomever.
 *
 * @example
 * ```ts
 * import { createJsonLinesChannel } from 'gg-svc/channels';
 *
 * const channel = createJsonLinesChannel({ node: 'orders', direction: 'inout', path: 'orders.jsonl' });
 * ```
 */
export function createJsonLinesChannel(options: JsonLinesOptions): RuntimeIoChannel {
  const {
    node,
    direction,
    path,
    timeout,
    maxLine = defaultMaxLine,
    maxRecords = defaultMaxRecords,
  } = options;
  const { interval = 200, from = 'end', maxPending = 1_000, sync = false } = options;
  const appender = new LineAppender({ path, maxPending, sync, maxLine });
  // A file that nobody here writes must be there; one that we write is empty until we do.
  const mayBeAbsent = direction !== 'in';
  return {
    node,
    direction,
    transport: 'jsonl',
    ...(timeout === undefined ? {} : { timeout }),
    ...(direction === 'in'
      ? {}
      : { write: (record, { signal }) => appender.append(printLine(record, maxLine), signal) }),
    ...(direction === 'out'
      ? {}
      : {
          echoes: true,
          read: (call) => readFile(path, call, { maxLine, maxRecords, mayBeAbsent }),
          subscribe: async ({ signal }) => {
            const start = await startOf(path, from, mayBeAbsent);
            return follow(path, start, { maxLine, interval, signal });
          },
        }),
  };
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
    // What has no line break yet is a record when it is whole, and else one that is being written.
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

/** The bytes of a file from a position to its end; each chunk is valid until the next is asked for. */
async function* chunksOf(file: FileHandle, position: number): AsyncGenerator<Buffer, void, void> {
  const buffer = Buffer.alloc(chunkSize);
  for (let at = position; ; ) {
    const { bytesRead } = await file.read(buffer, 0, chunkSize, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Where a reader of new records has come to: which file, and how many bytes of it. */
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
 * The records that come into a file, one for each time that one is asked for. A file that was replaced, or has
 * become shorter, is read from its beginning. A line that cannot be read is given as the error that says so.
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
        // The chunk is cut as far as it goes before the next is read over it.
        for (const line of cutter.cut(bytes)) {
          const parsed = parseLine(line);
          if (parsed === undefined) continue;
          yield parsed instanceof ChannelError ? parsed : parsed.record;
          if (signal.aborted) return;
        }
      }
    } catch (error) {
      // It may be on its way from one name to another; it is looked for again.
      if (!isAbsent(error)) throw fileError(error);
    } finally {
      await file?.close().catch(() => undefined);
    }
    if (!(await wait(interval, signal))) return;
  }
}
