import { open, rename, stat, unlink } from 'node:fs/promises';
import { readStream } from '../../../../base/read/read-stream.js';
import { type ChannelCall, ChannelError, type RuntimeIoChannel } from '../binding/channel.js';
import { makeChannel } from './make-channel.js';
import { chunksOf, fileError, ifPresent, parseJson, printLine } from './read-lines.js';
import { defaultMaxRecords, selectRecords } from './select-records.js';
import { SerialWork } from './serial-work.js';
import { wait } from './wait.js';

/** Options of a JSON file channel. */
export interface JsonFileOptions extends Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout' | 'badRecords'> {
  /** The file. The first write creates it. */
  readonly path: string;
  /** The interval of checks for changes, in milliseconds. Default: 500. */
  readonly interval?: number;
  /** The maximum size of the file, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of records in an answer. Default: 10,000. */
  readonly maxRecords?: number;
}

/**
 * A file that holds one JSON value. A query returns it, or, from a list, the records that match the arguments, or the
 * last of them. A mutation replaces the file atomically. A subscription gets the new value after each change.
 *
 * @example
 * ```ts
 * import { createJsonFileChannel } from 'gg-svc/channels';
 *
 * const channel = createJsonFileChannel({ node: 'settings', direction: 'inout', path: 'settings.json' });
 * ```
 */
export function createJsonFileChannel(options: JsonFileOptions): RuntimeIoChannel {
  const { path, interval = 500, maxBytes = 1 << 24, maxRecords = defaultMaxRecords } = options;
  const writes = new SerialWork(1_000);
  const mayBeAbsent = options.direction !== 'in';
  return makeChannel(options, 'json', {
    incoming: {
      echoes: true,
      read: async (call) => select(await readJson(path, maxBytes, mayBeAbsent), call, maxRecords),
      subscribe: async function* ({ signal }) {
        let known = await stateOf(path, mayBeAbsent);
        while (await wait(interval, signal)) {
          const state = await stateOf(path, true);
          if (state === known || state === undefined) continue;
          known = state;
          // The state after one that cannot be read may be readable.
          yield await readJson(path, maxBytes, false).catch((error: unknown) => error);
        }
      },
    },
    outgoing: {
      stores: true,
      write: (record, { signal }) => writes.run(signal, () => replaceFile(path, printLine(record, maxBytes))),
    },
  });
}

function select(value: unknown, call: ChannelCall, maxRecords: number): unknown {
  if (!Array.isArray(value)) return value;
  const selection = selectRecords(call, maxRecords);
  for (const [index, record] of value.entries()) selection.take(record, `record ${index + 1}`);
  return selection.result();
}

async function readJson(path: string, maxBytes: number, mayBeAbsent: boolean): Promise<unknown> {
  const reading = await ifPresent(readStream(chunksOf(path), maxBytes), mayBeAbsent);
  if (reading === undefined) return null;
  if (!reading.ok) throw new ChannelError('unreadable', `the file has more than ${maxBytes} bytes`);
  return parseJson(reading.bytes, 'the file');
}

let written = 0;

/** Replaces a file atomically: writes and syncs a temporary file in the same folder, and renames it. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}-${++written}.tmp`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw fileError(error);
  }
}

/** Identifies a state of the file; undefined while the file does not exist. */
async function stateOf(path: string, mayBeAbsent: boolean): Promise<string | undefined> {
  const status = await ifPresent(stat(path, { bigint: true }), mayBeAbsent);
  return status && `${status.ino} ${status.size} ${status.mtimeNs}`;
}
