/** What a page keeps for the next one: reads a word, or sets it. Some browsers keep nothing for pages from the disk. */
export function kept(name: 'theme' | 'tab', word?: string): string | null {
  try {
    if (word !== undefined) localStorage.setItem(`gg-${name}`, word);
    return localStorage.getItem(`gg-${name}`);
  } catch {
    return null;
  }
}
