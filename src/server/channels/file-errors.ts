import { ChannelError } from './channel-error.js';

/** What the system's errors mean, in words that give no path away. */
const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file may not grow any further'],
  ['EACCES', 'the file may not be used'],
  ['EPERM', 'the file may not be used'],
  ['EROFS', 'the disk is read-only'],
  ['EISDIR', 'it is a directory'],
  ['EIO', 'the disk does not work'],
]);

/** The error of a channel whose file cannot be used. One that is explained already stays as it is. */
export function fileError(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error;
  const reason = reasons.get(codeOf(error)) ?? 'the file cannot be used';
  return new ChannelError('failed', reason, { cause: error });
}

/** Whether there is no such file. */
export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
