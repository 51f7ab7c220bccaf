import type { RuntimeIoChannel } from '../binding/channel.js';

interface ChannelMethods extends Pick<RuntimeIoChannel, 'close'> {
  readonly incoming: Pick<RuntimeIoChannel, 'echoes' | 'read' | 'subscribe'>;
  readonly outgoing: Pick<RuntimeIoChannel, 'stores' | 'write'>;
}

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
