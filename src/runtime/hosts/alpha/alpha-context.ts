import type { Exchange } from '../../http/exchange.js';

/**
 * The data that must reach the execution through Apollo, which passes on only a context. It is private, so that a
 * program that prints its context prints neither the headers of the request nor the objects of its framework.
 */
class AlphaScope {
  readonly #exchange: Exchange | undefined;
  readonly #given: unknown;

  /** @param admitted - Whether the caller of the operation was checked. */
  constructor(
    exchange: Exchange | undefined,
    given: unknown,
    readonly admitted: 'all' | undefined,
  ) {
    this.#exchange = exchange;
    this.#given = given;
  }

  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  admit(): AlphaScope {
    return new AlphaScope(this.#exchange, this.#given, 'all');
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
  const scope = new AlphaScope(exchange, context, undefined);
  return Object.assign(isObject(context) ? (scopeContext(context) as object) : {}, { [key]: scope });
}

/** The copy of a context for the resolvers of one request. Values that are not objects are returned unchanged. */
export function scopeContext(context: unknown): unknown {
  return isObject(context) ? Object.assign(Object.create(Object.getPrototypeOf(context)), context) : context;
}

/** Notes that the caller of an operation was checked, in the context that Apollo has made for it. */
export function admitContext(context: object): void {
  const scope = scopeOf(context)?.admit() ?? new AlphaScope(undefined, context, 'all');
  Object.assign(context, { [key]: scope });
}

/** Extracts what {@link withScope} and {@link admitContext} have added, and the context for resolvers. */
export function takeScope(context: unknown) {
  const scope = scopeOf(context);
  return {
    exchange: scope?.exchange,
    admitted: scope?.admitted,
    contextValue: scope === undefined ? context : scope.contextFrom(context),
  };
}

function scopeOf(context: unknown): AlphaScope | undefined {
  return (context as { readonly [key]?: AlphaScope } | undefined)?.[key];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
