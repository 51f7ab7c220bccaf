import { open } from 'node:fs/promises';
import { readFlags } from '../../../../base/read/file-chunks.js';
import type { ChannelError } from '../binding/channel.js';
import { failureOf } from './read-lines.js';

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'the file or folder does not exist'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file has reached its maximum size'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the disk is read-only'],
  ['EISDIR', 'it is a directory'],
  ['EIO', 'the disk has an I/O error'],
]);

/** The error of a channel whose file cannot be used. A `ChannelError` stays as it is. */
export function fileError(error: unknown): ChannelError {
  const reason = reasons.get((error as NodeJS.ErrnoException | undefined)?.code) ?? 'the file cannot be used';
  return failureOf(error, reason);
}

/** The result of work with a file; undefined if the file does not exist, but may be absent. */
export async function ifPresent<T>(work: Promise<T>, mayBeAbsent = true): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (mayBeAbsent && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error);
  }
}

export async function* chunksOf(path: string): AsyncGenerator<Buffer, void, void> {
  const file = await open(path, readFlags);
  yield* file.createReadStream();
}
