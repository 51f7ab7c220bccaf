/**
 * Reads a field from a parent value as graphql-js does: an own property, or one that a class defines. A property
 * that every object inherits (`constructor`, `toString`) is not a field value, whatever the name of the field.
 */
export function readProperty(parent: unknown, name: string): unknown {
  if ((typeof parent !== 'object' && typeof parent !== 'function') || parent === null) return undefined;
  if (Object.hasOwn(parent, name) || !(name in Object.prototype)) {
    return (parent as Record<string, unknown>)[name];
  }
  return undefined;
}
