import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { readStream } from '../../read/read-stream.js';
import type { ChannelCall, ChannelDirection, RuntimeIoChannel } from './binding/channel.js';
import { ChannelError } from './channel-error.js';
import { fileError, isAbsent } from './file-errors.js';
import { printLine } from './read-lines.js';
import { defaultMaxRecords, selectRecords } from './select-records.js';
import { SerialWork } from './serial-work.js';
import { wait } from './wait.js';

/** How a JSON file is used. */
export interface JsonFileOptions {
  readonly node: string;
  readonly direction: ChannelDirection;
  /** The file. Where records go out it is made when the first one is written. */
  readonly path: string;
  /** How long a read or a write may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** How often the file is looked at for a change, in milliseconds; 500 unless given. */
  readonly interval?: number;
  /** How large the file may be, in bytes; 16 MiB unless given. */
  readonly maxBytes?: number;
  /** How many records an answer may hold; 10,000 unless given. */
  readonly maxRecords?: number;
}

/**
 * A file that holds one JSON value. A query gets it; where it is a list, those of its records whose fields agree
 * with the arguments, or the last of them. A mutation puts its input in the place of the whole: whoever reads
 * the file at any moment finds the one or the other. A subscription hears what it has become whenever it changes.
 *
 * @example
 * ```ts
 * import { createJsonFileChannel } from 'gg-svc/channels';
 *
 * const channel = createJsonFileChannel({ node: 'settings', direction: 'inout', path: 'settings.json' });
 * ```
 */
export function createJsonFileChannel(options: JsonFileOptions): RuntimeIoChannel {
  const { node, direction, path, timeout, interval = 500 } = options;
  const { maxBytes = 1 << 24, maxRecords = defaultMaxRecords } = options;
  const writes = new SerialWork(1_000);
  const mayBeAbsent = direction !== 'in';
  return {
    node,
    direction,
    transport: 'json',
    ...(timeout === undefined ? {} : { timeout }),
    ...(direction === 'in'
      ? {}
      : {
          write: (record, { signal }) =>
            writes.run(signal, () => replaceFile(path, printLine(record, maxBytes))),
        }),
    ...(direction === 'out'
      ? {}
      : {
          echoes: true,
          read: async (call) => select(await readJson(path, maxBytes, mayBeAbsent), call, maxRecords),
          subscribe: ({ signal }) => changes(path, { maxBytes, interval, signal, mayBeAbsent }),
        }),
  };
}

function select(value: unknown, call: ChannelCall, maxRecords: number): unknown {
  if (!Array.isArray(value)) return value;
  const selection = selectRecords(call, maxRecords);
  for (const record of value) selection.take(record);
  return selection.result();
}

async function readJson(path: string, maxBytes: number, mayBeAbsent: boolean): Promise<unknown> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const reading = await readStream(file.createReadStream({ autoClose: false }), maxBytes);
    if (!reading.ok) throw new ChannelError('unreadable', `the file has more than ${maxBytes} bytes`);
    return parse(reading.bytes);
  } catch (error) {
    if (isAbsent(error) && mayBeAbsent) return null;
    throw fileError(error);
  } finally {
    await file?.close().catch(() => undefined);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    throw new ChannelError('unreadable', 'the file is not JSON');
  }
}

let written = 0;

/** Writes a file beside the old one, and puts it in its place when it is whole and on the disk. */
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

interface ChangeOptions {
  readonly maxBytes: number;
  readonly interval: number;
  readonly mayBeAbsent: boolean;
  readonly signal: AbortSignal;
}

async function* changes(path: string, options: ChangeOptions): AsyncGenerator<unknown, void, void> {
  const { maxBytes, interval, mayBeAbsent, signal } = options;
  let known = await stateOf(path, mayBeAbsent);
  while (await wait(interval, signal)) {
    const state = await stateOf(path, true);
    if (state === known || state === undefined) continue;
    known = state;
    try {
      yield await readJson(path, maxBytes, false);
    } catch (error) {
      // The one state cannot be read; the next may be.
      yield error;
    }
  }
}

/** A text that is another one when the file has changed; undefined while there is none. */
async function stateOf(path: string, mayBeAbsent: boolean): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    if (isAbsent(error) && mayBeAbsent) return undefined;
    throw fileError(error);
  }
}
