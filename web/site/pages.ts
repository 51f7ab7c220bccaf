import type { ListedArea, ListedPage } from '../../src/analysis/site/pages-list.js';

/** The address of the folder of the site, with a slash at its end. */
export const siteRoot = new URL('.', (document.currentScript as HTMLScriptElement).src).href;

/** The path of this page below the site, as `pages.js` has it. */
export const ownPath = pathOf(location.href) || 'index';

/** The path of a page by its address; undefined outside of the site. */
export function pathOf(address: string): string | undefined {
  if (!address.startsWith(siteRoot)) return undefined;
  return address
    .slice(siteRoot.length)
    .replace(/[?#].*$/, '')
    .replace(/\.html$/, '');
}

let loading: Promise<readonly ListedArea[]> | undefined;

/** Loads the list of all pages, once. It is a script, since browsers read no other file of a site on the disk. */
export function loadPages(): Promise<readonly ListedArea[]> {
  loading ??= new Promise((resolve, reject) => {
    (window as unknown as { ggPages: typeof resolve }).ggPages = resolve;
    const script = document.createElement('script');
    script.addEventListener('error', () => reject(new Error('pages.js is missing')));
    script.src = `${siteRoot}pages.js`;
    document.head.append(script);
  });
  return loading;
}

/** All pages that have members or belong to an area. */
export async function loadedPages(): Promise<readonly ListedPage[]> {
  return (await loadPages()).flatMap(([, , pages = []]) => pages);
}

/** An element with a class, attributes and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}
