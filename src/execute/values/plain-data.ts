/** How deep events are looked into; one that is deeper, or runs in a circle, is not taken for plain. */
const maxDepth = 32;

/**
 * Whether a value is data alone: text, numbers, lists, plain objects and dates. Nothing in it can tell who
 * reads it, so it reads the same for everybody.
 */
export function isPlainData(value: unknown, depth = 0): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Date.prototype) return true;
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    (property) => property.get === undefined && isPlainData(property.value, depth + 1),
  );
}
