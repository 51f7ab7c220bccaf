import { isPromiseLike } from './maybe-promise.js';

type ErrorObserver = (error: unknown) => void;

/**
 * How many promises graphql-js has received so far, in all operations. If the number does not change while graphql-js
 * completes a list item, the item has no pending promise.
 */
let promises = 0;

export function countOfPromises(): number {
  return promises;
}

/** Counts a promise before graphql-js receives it. */
export function countPromise(): void {
  promises += 1;
}

/**
 * Makes the result of a resolver safe for graphql-js 16, which trusts thenables and leaves rejections behind
 * when a list fails: a thenable becomes a promise, and a list a {@link GuardedList}.
 *
 * @param listDepth - How many list types the type of the field has around its named type.
 */
export function guardResult(value: unknown, listDepth: number, observe: ErrorObserver): unknown {
  if (!isPromiseLike(value)) return guardSettled(value, listDepth, observe);
  countPromise();
  return Promise.resolve(value).then(
    (settled) => guardSettled(settled, listDepth, observe),
    (error: unknown) => {
      observe(error);
      throw error;
    },
  );
}

function guardSettled(value: unknown, listDepth: number, observe: ErrorObserver): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) observe(value);
  else if (listDepth > 0 && isIterable(value) && !(value instanceof GuardedList)) {
    return new GuardedList(value, listDepth - 1, observe);
  } else if (listDepth > 0 && 'data' in value && !(value instanceof GuardedList)) {
    const error = new Error(wrappedList);
    observe(error);
    throw error;
  }
  return value;
}

const wrappedList = 'The resolver returned an object with “data” in place of a list: return the list itself.';

function isIterable(value: object): value is Iterable<unknown> {
  return typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function';
}

/**
 * A list for graphql-js 16. There, an item that fails synchronously abandons the list, and rejections of items that are
 * still pending end the process. So once an item has a pending promise, all later items are passed as promises, which
 * cannot fail synchronously.
 */
export class GuardedList implements Iterable<unknown> {
  constructor(
    readonly items: Iterable<unknown>,
    private readonly listDepth: number,
    private readonly observe: ErrorObserver,
  ) {}

  *[Symbol.iterator](): Generator<unknown, void, void> {
    const before = promises;
    // An array is read at once: a getter in it that throws must not abandon items that are pending.
    const items = Array.isArray(this.items) ? [...this.items] : this.items;
    let at = 0;
    try {
      for (const item of items) {
        at += 1;
        const guarded = this.#guardItem(item);
        yield promises === before ? guarded : Promise.resolve(guarded);
      }
    } catch (error) {
      if (promises === before) throw error;
      yield Promise.reject(error);
    } finally {
      const rest = Array.isArray(items) ? items.slice(at) : [];
      for (const item of rest) if (item instanceof Promise) item.catch(() => undefined);
    }
  }

  #guardItem(item: unknown): unknown {
    try {
      return guardResult(item, this.listDepth, this.observe);
    } catch (error) {
      // Its property `then` threw.
      countPromise();
      return Promise.reject(error);
    }
  }
}
