import type { Principal } from '../../auth/principal.js';
import type { CallArgs } from '../call.js';
import { detachedCaller } from './detached-caller.js';
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
  // What steps note of the request, such as the calls that its count covers, is noted in the request itself.
  return new Proxy((source ?? programCaller({ principal })) as ChainCaller, {
    get(target, name) {
      if (name in own) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
