/** The depth to which events are searched; deeper or cyclic ones do not count as plain. */
const maxDepth = 32;

/**
 * Whether a value is only data: strings, numbers, lists, plain objects and dates. Reading it runs no code, so it is the
 * same for every subscriber.
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
