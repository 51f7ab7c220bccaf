import { element } from './pages.js';

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
