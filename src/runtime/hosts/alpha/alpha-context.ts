import type { Exchange } from '../../http/exchange.js';

/** The data that must reach the execution through Apollo, which passes on only a context. */
interface AlphaScope {
  readonly exchange: Exchange | undefined;
  /** The context of the program. Apollo accepts only objects, so that another value is kept here. */
  readonly given: unknown;
  /** Whether the caller of the operation was checked. */
  readonly admitted: 'all' | undefined;
}

const key = Symbol('gg-svc.scope');

interface Carrier {
  /** A function, so that a program that prints its context prints neither headers nor objects of its framework. */
  readonly [key]?: () => AlphaScope;
}

function scopeOf(context: unknown): AlphaScope | undefined {
  return (context as Carrier | undefined)?.[key]?.();
}

function carry(context: object, scope: AlphaScope): object {
  return Object.assign(context, { [key]: () => scope });
}

/**
 * Makes a context for Apollo that carries the exchange. Apollo copies a context before use, including symbols. This is
 * a copy as well, so the user's object is not modified.
 */
export function withScope(context: unknown, exchange: Exchange): object {
  const copy = isObject(context) ? (scopeContext(context) as object) : {};
  return carry(copy, { exchange, given: context, admitted: undefined });
}

/** The copy of a context for the resolvers of one request. Values that are not objects are returned unchanged. */
export function scopeContext(context: unknown): unknown {
  return isObject(context) ? Object.assign(Object.create(Object.getPrototypeOf(context)), context) : context;
}

/** Notes that the caller of an operation was checked, in the context that Apollo has made for it. */
export function admitContext(context: object): void {
  carry(context, { exchange: undefined, given: context, ...scopeOf(context), admitted: 'all' });
}

/** Extracts what {@link withScope} and {@link admitContext} have added, and the context for resolvers. */
export function takeScope(context: unknown) {
  const { exchange, given, admitted }: Partial<AlphaScope> = scopeOf(context) ?? { given: context };
  return { exchange, admitted, contextValue: isObject(given) ? context : given };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
