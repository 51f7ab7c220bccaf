import { ChannelError } from '../binding/channel-error.js';

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
  if (error instanceof ChannelError) return error;
  const reason = reasons.get(codeOf(error)) ?? 'the file cannot be used';
  return new ChannelError('failed', reason, { cause: error });
}

export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
