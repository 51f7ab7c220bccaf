import type { RuntimeIoChannel } from '../binding/channel.js';

/** The methods of a channel, by the directions that have them. */
interface ChannelMethods extends Pick<RuntimeIoChannel, 'close'> {
  readonly incoming: Pick<RuntimeIoChannel, 'echoes' | 'read' | 'subscribe'>;
  readonly outgoing: Pick<RuntimeIoChannel, 'stores' | 'write'>;
}

/** Makes a channel with the methods of its direction. */
export function makeChannel(
  {
    node,
    direction,
    timeout,
    badRecords,
  }: Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout' | 'badRecords'>,
  transport: string,
  { incoming, outgoing, ...both }: ChannelMethods,
): RuntimeIoChannel {
  return {
    node,
    direction,
    transport,
    ...(timeout === undefined ? {} : { timeout }),
    ...(badRecords === undefined ? {} : { badRecords }),
    ...(direction === 'out' ? {} : incoming),
    ...(direction === 'in' ? {} : outgoing),
    ...both,
  };
}
