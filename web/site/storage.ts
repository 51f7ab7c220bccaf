/**
 * What a page keeps for the next one: reads a word, or sets it. The studio and the playground read the same theme. Some
 * browsers keep nothing for pages from the disk.
 */
export function kept(name: 'theme' | 'tab', word?: string): string | null {
  try {
    if (word !== undefined) localStorage.setItem(`gg-svc ${name}`, word);
    return localStorage.getItem(`gg-svc ${name}`);
  } catch {
    return null;
  }
}
