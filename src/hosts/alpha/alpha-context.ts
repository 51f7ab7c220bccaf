import type { Exchange } from '../../http/exchange.js';

/** The data that must reach the execution through Apollo, which passes on only a context. */
export interface AlphaScope {
  readonly exchange: Exchange;
  /** The context, if it is not an object: Apollo accepts only objects. */
  readonly value?: unknown;
}

const key = Symbol('gg-svc.scope');

/**
 * Makes a context for Apollo that carries the exchange. Apollo copies a context before use, including symbols. This is
 * a copy as well, so the user's object is not modified.
 */
export function withScope(context: unknown, exchange: Exchange): object {
  const isObject = typeof context === 'object' && context !== null;
  const scope: AlphaScope = isObject ? { exchange } : { exchange, value: context };
  return Object.assign(isObject ? copyContext(context) : {}, { [key]: scope });
}

/** The copy of a context for the resolvers of one request. Values that are not objects are returned unchanged. */
export function scopeContext(context: unknown): unknown {
  return typeof context === 'object' && context !== null ? copyContext(context) : context;
}

function copyContext(context: object): object {
  return Object.assign(Object.create(Object.getPrototypeOf(context)), context) as object;
}

/** Extracts the exchange, if there is one, and the context for resolvers. */
export function takeScope(context: unknown): {
  readonly exchange: Exchange | undefined;
  readonly contextValue: unknown;
} {
  const scope = (context as { readonly [key]?: AlphaScope } | undefined)?.[key];
  const contextValue = scope !== undefined && 'value' in scope ? scope.value : context;
  return { exchange: scope?.exchange, contextValue };
}
