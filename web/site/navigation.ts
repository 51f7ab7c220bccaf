import { element, loadPages, ownPath, siteRoot } from './pages.js';

/** Lists the areas in the navigation, and the pages of the area of this page. */
export async function listPages(): Promise<void> {
  const link = (title: string, path: string): HTMLElement => {
    const current = path === ownPath ? { 'aria-current': 'page' } : {};
    return element('li', {}, element('a', { href: `${siteRoot}${path}.html`, ...current }, title));
  };
  const entries = (await loadPages()).map(([title, path, pages = []]) => {
    const entry = link(title, path);
    if (pages.length > 0 && ownPath.startsWith(path.replace(/index$/, '')))
      entry.append(element('ul', {}, ...pages.map(([name, page]) => link(name, page))));
    return entry;
  });
  const navigation = document.querySelector('body > nav');
  navigation?.replaceChildren(element('ul', {}, ...entries));
  navigation?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}
