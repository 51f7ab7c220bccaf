/** A value for a message, at most 60 characters long. */
export function shownValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return shortened(typeof value === 'string' ? JSON.stringify(value.slice(0, longest)) : String(value));
}

const longest = 60;

/** A text for a message: its first 60 characters, or another number, the last of which is `…` if there are more. */
export function shortened(text: string, most = longest): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
