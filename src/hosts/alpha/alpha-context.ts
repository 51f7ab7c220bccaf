import type { Exchange } from '../../http/exchange.js';

/** What has to reach the execution of an operation through Apollo, which passes on a context only. */
export interface AlphaScope {
  readonly exchange: Exchange;
  /** The context, if it is no object: Apollo takes objects only. */
  readonly value?: unknown;
}

const key = Symbol('gg-svc.scope');

/**
 * Makes a context for Apollo that carries the exchange. Apollo copies a context before use, own symbols included; this
 * is such a copy, so nothing is written on an object of the user.
 */
export function withScope(context: unknown, exchange: Exchange): object {
  const isObject = typeof context === 'object' && context !== null;
  const scope: AlphaScope = isObject ? { exchange } : { exchange, value: context };
  return Object.assign(isObject ? copyContext(context) : {}, { [key]: scope });
}

/** The copy of a context that the resolvers of one request get; a value that is no object stays as it is. */
export function scopeContext(context: unknown): unknown {
  return typeof context === 'object' && context !== null ? copyContext(context) : context;
}

function copyContext(context: object): object {
  return Object.assign(Object.create(Object.getPrototypeOf(context)), context) as object;
}

/** Takes the exchange out of a context, if there is one, and the context as resolvers get it. */
export function takeScope(context: unknown): {
  readonly exchange: Exchange | undefined;
  readonly contextValue: unknown;
} {
  const scope = (context as { readonly [key]?: AlphaScope } | undefined)?.[key];
  const contextValue = scope !== undefined && 'value' in scope ? scope.value : context;
  return { exchange: scope?.exchange, contextValue };
}
