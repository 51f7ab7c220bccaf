import type { ChainCaller } from './run-chain.js';

/**
 * A caller without a request: the program, or a run that goes on after its request.
 *
 * @param tag - Tells its keys apart from those of clients, whose headers cannot have a line break.
 */
export function detachedCaller(
  given: Pick<ChainCaller, 'principal' | 'isTrusted'> &
    Partial<Pick<ChainCaller, 'context' | 'client' | 'key'>>,
  tag = '',
): ChainCaller {
  return {
    address: undefined,
    framework: undefined,
    context: undefined,
    client: undefined,
    request: () => new Request('http://localhost/'),
    header: (name) => (name === 'authorization' ? `\n${tag}` : undefined),
    // It is not counted.
    prepaid: Number.POSITIVE_INFINITY,
    keyed: 0,
    isReplayed: false,
    receipt: undefined,
    ...given,
  };
}
