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

/** Fewer headings are seen without a list. */
const least = 3;

/** Lists the headings of the page beside it. */
export function showContents(): void {
  const headings = [...document.querySelectorAll('main h2')];
  if (headings.length < least) return;
  const items = headings.map(({ id, textContent }) =>
    element('li', {}, element('a', { href: `#${id}` }, textContent ?? '')),
  );
  const title = element('p', {}, 'On this page');
  const list = element('nav', { 'aria-label': 'On this page' }, title, element('ul', {}, ...items));
  document.querySelector('main')?.after(element('aside', {}, list));
}
