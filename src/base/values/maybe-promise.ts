/** A value, or a promise of it if it is not available yet. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with a value: synchronously if it is available, otherwise when its promise resolves. */
export function proceed<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromiseLike(value) ? Promise.resolve(value as PromiseLike<Value>).then(next) : next(value);
}

/** Whether a value is a promise, or has a method `then` like one. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
