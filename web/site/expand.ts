import type { ListedMember, ListedPage } from '../../src/analysis/site/pages-list.js';
import { element, loadedPages, pathOf, siteRoot } from './pages.js';

type Pages = ReadonlyMap<string, ListedPage>;

/** Adds a button to each type of a table and of the result: it shows the members of the type in place. */
export async function offerMembers(): Promise<void> {
  const pages: Pages = new Map((await loadedPages()).map((page) => [page[1], page]));
  for (const link of document.querySelectorAll<HTMLAnchorElement>('main td a, main li a')) offer(link, pages);
}

function offer(link: HTMLAnchorElement, pages: Pages): void {
  const page = pages.get(pathOf(link.href) ?? '');
  const place = link.closest('td, li');
  if (page === undefined || place === null) return;
  const [title, , , , members] = page;
  // A link whose text says more leads to a part of the type.
  if (members.length === 0 || link.textContent?.replace(/[[\]!]/g, '') !== title) return;
  if (place.matches('li') && !place.textContent?.startsWith('Result')) return;
  const label = `Members of ${title}`;
  const button = element('button', {
    type: 'button',
    class: 'expand',
    'aria-label': label,
    'aria-expanded': 'false',
  });
  let shown: HTMLElement | undefined;
  button.addEventListener('click', () => {
    const isOpen = shown !== undefined;
    button.setAttribute('aria-expanded', String(!isOpen));
    shown?.remove();
    shown = isOpen ? undefined : memberTable(label, members, pages);
    if (shown !== undefined) place.append(shown);
  });
  link.after(button);
}

function memberTable(label: string, members: readonly ListedMember[], pages: Pages): HTMLElement {
  const rows = members.map(([name, type, page, said]) => {
    const code = element('code', {}, type);
    const shown = page === '' ? code : element('a', { href: `${siteRoot}${page}.html` }, code);
    const cell = element('td', {}, type === '' ? '' : shown);
    if (shown instanceof HTMLAnchorElement) offer(shown, pages);
    return element('tr', {}, element('th', { scope: 'row' }, element('code', {}, name)), cell, element('td', {}, said));
  });
  return element('table', { class: 'members', 'aria-label': label }, element('tbody', {}, ...rows));
}
