import type { RuntimeIoChannel } from '../binding/channel.js';

/** The methods of a channel, by the directions that have them. */
interface ChannelMethods extends Pick<RuntimeIoChannel, 'close'> {
  readonly incoming: Pick<RuntimeIoChannel, 'echoes' | 'read' | 'subscribe'>;
  readonly outgoing: Pick<RuntimeIoChannel, 'write'>;
}

/** Makes a channel with the methods of its direction. */
export function makeChannel(
  { node, direction, timeout }: Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout'>,
  transport: string,
  { incoming, outgoing, ...both }: ChannelMethods,
): RuntimeIoChannel {
  return {
    node,
    direction,
    transport,
    ...(timeout === undefined ? {} : { timeout }),
    ...(direction === 'out' ? {} : incoming),
    ...(direction === 'in' ? {} : outgoing),
    ...both,
  };
}
