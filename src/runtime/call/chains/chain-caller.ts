import type { Principal } from '../../auth/principal.js';
import type { CallArgs } from '../call.js';
import type { ChainCaller } from './run-chain.js';

interface Program {
  readonly principal?: Principal | null | undefined;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly context?: unknown;
}

/** The program as the caller of steps. */
export function programCaller({ principal, key, signal, context }: Program): ChainCaller {
  return detachedCaller({
    principal: principal ?? null,
    isTrusted: principal === undefined,
    context: context === undefined ? undefined : () => context,
    client: signal,
    key,
  });
}

/** The caller of a GraphQL operation as the caller of steps: its request, with the context of the operation. */
export function graphqlCaller(args: CallArgs): ChainCaller {
  const { principal, source, contextValue, tracked, key, client = args.signal } = args;
  const own = {
    principal: principal ?? null,
    isTrusted: principal === undefined,
    context: () => contextValue,
    ...{ client, tracked, key },
  };
  // Notes of steps about the request, such as the calls that its count covers, stand in the request itself.
  return new Proxy((source ?? programCaller({ principal })) as ChainCaller, {
    get(target, name) {
      if (name in own) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/**
 * A caller without a request: the program, or a run that goes on after its request.
 *
 * @param tag - Tells its keys apart from those of clients, whose headers cannot have a line break.
 */
export function detachedCaller(
  given: Pick<ChainCaller, 'principal' | 'isTrusted'> &
    Partial<Pick<ChainCaller, 'context' | 'client' | 'key' | 'isRun'>>,
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
