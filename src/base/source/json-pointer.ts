/** One step of a JSON Pointer (RFC 6901): `/~1api~1a` for `/api/a`. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The pointer of a path of GraphQL names such as `input.tags[1]`, as a URI fragment (RFC 6901, section 6): `#/input/tags/1`. */
export function fragmentOf(path: string): string {
  return `#/${path.replaceAll(']', '').split(/[.[]/).join('/')}`;
}

export function parsePointer(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a path in a document; undefined if there is none. */
export function follow(document: unknown, way: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of way) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** The part of a document that a reference such as `#/components/schemas/Book` points to; undefined if there is none. */
export function followReference(document: unknown, reference: string): unknown {
  return follow(document, parsePointer(reference.slice(reference.indexOf('#') + 1)));
}

/** The pointer and its ancestors, up to the whole document. */
export function enclosingPointers(pointer: string): readonly string[] {
  const pointers: string[] = [];
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) pointers.push(pointer.slice(0, end));
  return [...pointers, ''];
}

/** A path of names and positions behind the name of its value: `input.tags[1]`. */
export function printPath(path: readonly (string | number)[], name = ''): string {
  let text = name;
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}
