import { defined } from '../../../../base/values/defined.js';
import type { RuntimeIoChannel } from '../binding/channel.js';

/** Makes a channel with the methods that its direction allows. */
export function makeChannel(
  options: Pick<RuntimeIoChannel, 'node' | 'direction' | 'timeout' | 'badRecords'>,
  transport: string,
  methods: {
    readonly incoming?: Pick<RuntimeIoChannel, 'echoes' | 'read' | 'subscribe' | 'close'> | undefined;
    readonly outgoing?: Pick<RuntimeIoChannel, 'stores' | 'write'> | undefined;
    readonly close?: RuntimeIoChannel['close'];
  },
): RuntimeIoChannel {
  const { node, direction, timeout, badRecords } = options;
  return {
    ...defined({ node, direction, transport, timeout, badRecords }),
    ...(direction !== 'out' && methods.incoming),
    ...(direction !== 'in' && methods.outgoing),
    ...(methods.close && { close: methods.close }),
  };
}
