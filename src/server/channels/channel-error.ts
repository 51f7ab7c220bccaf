/** What went wrong with a channel: it failed, took too long, gave what cannot be read, or cannot keep up. */
export type ChannelFault = 'failed' | 'timeout' | 'unreadable' | 'overrun';

/**
 * Whether something is a `ChannelError`, by its name: a module of channels may have come by another copy of this
 * package than the server that it is loaded into.
 */
export function isChannelError(error: unknown): error is ChannelError {
  return error instanceof Error && error.name === 'ChannelError';
}

/**
 * Thrown by a channel that cannot do its work, with the reason in words that callers may see. What is for the
 * operator alone (a path, an address, a stack) belongs in the cause, which is reported on the console.
 *
 * @example
 * ```ts
 * import { ChannelError, type RuntimeIoChannel } from 'gg-svc/channels';
 *
 * const channel: RuntimeIoChannel = {
 *   node: 'stock',
 *   direction: 'in',
 *   transport: 'warehouse',
 *   read: () => {
 *     throw new ChannelError('failed', 'the warehouse is closed');
 *   },
 * };
 * ```
 */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';

  /** @param reason - A clause without a final stop: `the process has ended`. */
  constructor(
    readonly fault: ChannelFault,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
