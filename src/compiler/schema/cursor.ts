/** The arguments that an operation with pages has beside its own. */
export const pageArguments: ReadonlySet<string> = new Set(['first', 'after', 'last', 'before']);

/** The header that tells REST clients the number of items on all pages. */
export const totalCountHeader = 'X-Total-Count';

/** The maximum number of items in a page, unless a server has another limit. */
export const usualPageSize = 1000;

/** The place of an item of a list: its position, if the list was whole, and its key; empty if it has none. */
export interface Cursor {
  readonly position: number | null;
  readonly key: string;
}

/** A cursor as text. It is opaque to clients, and names its operation, so that cursors of other lists are refused. */
export function encodeCursor(operation: string, { position, key }: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify([operation, position, key]));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

/** Reads a cursor; undefined for any text that is not a cursor of the operation. */
export function decodeCursor(operation: string, text: string): Cursor | undefined {
  let parts: unknown;
  try {
    const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    parts = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [name, position, key] = parts as readonly unknown[];
  if (name !== operation || typeof key !== 'string') return undefined;
  if (position !== null && !(Number.isSafeInteger(position) && (position as number) >= 0)) return undefined;
  const cursor = { position: position as number | null, key };
  return encodeCursor(operation, cursor) === text ? cursor : undefined;
}
