/** `“a”`, `“a” and “b”`, `“a”, “b” and 3 others`. */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => `“${name}”`);
  if (names.length > 3) return `${shown.join(', ')} and ${names.length - 2} others`;
  return shown.length === 1 ? (shown[0] as string) : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
