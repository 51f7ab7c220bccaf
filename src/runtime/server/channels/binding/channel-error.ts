/** Why a channel failed: an error, a timeout, an unreadable value, or overload. */
export type ChannelFault = 'failed' | 'timeout' | 'unreadable' | 'overrun';

/**
 * Whether a value is a `ChannelError`, by its name: a module of channels may import another copy of this package than
 * the server.
 */
export function isChannelError(error: unknown): error is ChannelError {
  return error instanceof Error && error.name === 'ChannelError';
}

/**
 * Thrown by a channel that fails, with a reason that callers see unless errors are masked. Details for the operator,
 * such as paths, addresses and stacks, belong in the cause, which goes to the console.
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

  /** @param reason - A clause without a full stop: `the process has ended`. */
  constructor(
    readonly fault: ChannelFault,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
