/** What of a request has to reach the execution of its operations, past Apollo, which hands on the context alone. */
export interface RequestScope {
  readonly request: Request;
  /** The context itself where it is no object: Apollo takes objects only. */
  readonly value?: unknown;
}

const key = Symbol('gg-svc');

/**
 * Makes a context for Apollo that carries the request along. Apollo copies a context before it uses it, own
 * symbols included, so this is a copy already and nothing is written on what belongs to the user.
 */
export function withScope(context: unknown, request: Request): object {
  if (typeof context !== 'object' || context === null) {
    return { [key]: { request, value: context } satisfies RequestScope };
  }
  return Object.assign(copyContext(context), { [key]: { request } satisfies RequestScope });
}

/** The copy of a context that the resolvers of one request get; what is no object is left as it is. */
export function scopeContext(context: unknown): unknown {
  return typeof context === 'object' && context !== null ? copyContext(context) : context;
}

function copyContext(context: object): object {
  return Object.assign(Object.create(Object.getPrototypeOf(context)), context) as object;
}

/** Gives the request back, where there was one, and the context as resolvers get it. */
export function takeScope(context: unknown): {
  readonly scope: RequestScope | undefined;
  readonly contextValue: unknown;
} {
  const scope = (context as { [key]?: RequestScope } | undefined)?.[key];
  return { scope, contextValue: scope !== undefined && 'value' in scope ? scope.value : context };
}
