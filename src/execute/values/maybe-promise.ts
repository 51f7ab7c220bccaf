import { isPromiseLike } from './read-property.js';

/** A value, or a promise of it: what may be there at once is not made to wait. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Goes on with a value: at once where it is there, or else when it comes. */
export function proceed<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromiseLike(value) ? Promise.resolve(value as PromiseLike<Value>).then(next) : next(value);
}
