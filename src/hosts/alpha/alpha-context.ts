import type { Exchange } from '../../http/exchange.js';

/**
 * The data that must reach the execution through Apollo, which passes on only a context. It is private, so that a
 * program that prints its context prints neither the headers of the request nor the objects of its framework.
 */
class AlphaScope {
  readonly #exchange: Exchange;
  readonly #given: unknown;

  constructor(exchange: Exchange, given: unknown) {
    this.#exchange = exchange;
    this.#given = given;
  }

  get exchange(): Exchange {
    return this.#exchange;
  }

  /** The context for resolvers. Apollo accepts only objects, so that another value is kept here. */
  contextFrom(copied: unknown): unknown {
    return isObject(this.#given) ? copied : this.#given;
  }
}

const key = Symbol('gg-svc.scope');

/**
 * Makes a context for Apollo that carries the exchange. Apollo copies a context before use, including symbols. This is
 * a copy as well, so the user's object is not modified.
 */
export function withScope(context: unknown, exchange: Exchange): object {
  const scope = new AlphaScope(exchange, context);
  return Object.assign(isObject(context) ? copyContext(context) : {}, { [key]: scope });
}

/** The copy of a context for the resolvers of one request. Values that are not objects are returned unchanged. */
export function scopeContext(context: unknown): unknown {
  return isObject(context) ? copyContext(context) : context;
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
  return {
    exchange: scope?.exchange,
    contextValue: scope === undefined ? context : scope.contextFrom(context),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
