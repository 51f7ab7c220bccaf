import { isPromiseLike } from './read-property.js';

/** A value, or a promise of it if it is not available yet. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with a value: synchronously if it is available, otherwise when its promise resolves. */
export function proceed<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromiseLike(value) ? Promise.resolve(value as PromiseLike<Value>).then(next) : next(value);
}
