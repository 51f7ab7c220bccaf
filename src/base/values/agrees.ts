import { readProperty } from './read-property.js';

/**
 * Whether a value matches a filter: a list matches values that equal one of its items, an object matches values that
 * match all of its fields.
 */
export function agrees(wanted: unknown, actual: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return wanted.some((item) => agrees(item, actual));
    return wanted.length === actual.length && wanted.every((item, index) => agrees(item, actual[index]));
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === actual || isSameText(wanted, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(wanted).every(([name, value]) => agrees(value, readProperty(actual, name)));
}

/** Inside an input object, an ID may be a number in the event and a string in the argument. */
function isSameText(wanted: unknown, actual: unknown): boolean {
  return typeof wanted === 'string' && typeof actual === 'number' && wanted === String(actual);
}
