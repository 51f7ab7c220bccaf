/**
 * Reads a field off a parent value, as graphql-js does: an own property, or one that a class gives. What
 * every object inherits (`constructor`, `toString`) is no field value, whatever the field is called.
 */
export function readProperty(parent: unknown, name: string): unknown {
  if ((typeof parent !== 'object' && typeof parent !== 'function') || parent === null) return undefined;
  if (Object.hasOwn(parent, name) || !(name in Object.prototype)) {
    return (parent as Record<string, unknown>)[name];
  }
  return undefined;
}

/** Whether a value is a promise, or something that can be awaited like one. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
