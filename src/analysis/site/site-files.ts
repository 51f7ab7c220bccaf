import type { Page } from './page.js';
import { printPagesList } from './pages-list.js';
import { printHtml } from './print-html.js';
import { printMarkdown } from './print-markdown.js';
import type { Site } from './site.js';

const lists: ReadonlyMap<string, (site: Site) => string> = new Map([
  ['llms.txt', printLlms],
  // The navigation and the search of every page.
  ['pages.js', printPagesList],
]);

/** The files of a site by their paths: each page as HTML and as Markdown, the lists for language models. */
export function siteFiles(site: Site): Readonly<Record<string, string>> {
  const names = [...site.pages.flatMap(({ path }) => [`${path}.html`, `${path}.md`]), ...lists.keys()];
  return Object.fromEntries(names.map((name) => [name, printSiteFile(site, name) as string]));
}

/** One of the files of a site; undefined if it has no such file. */
export function printSiteFile(site: Site, name: string): string | undefined {
  const [, path = '', extension] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const page = site.byPath.get(path);
  if (page !== undefined && extension === 'html') return printHtml(site, page);
  return page !== undefined && extension === 'md' ? printMarkdown(page) : lists.get(name)?.(site);
}

/** The list of pages for language models, in the form of https://llmstxt.org: title, summary, sections of links. */
function printLlms({ title, pages, areas, further }: Site): string {
  const [home] = pages;
  const line = ({ title: name, path, summary }: Page) =>
    `- [${plain(name)}](${path}.md)${summary === '' ? '' : `: ${plain(summary)}`}`;
  const numbers = areas.map((area) => `${area.title}: ${area.pages.length}`).join(', ');
  const sections = areas.map((area) => `## ${area.title}\n\n${area.pages.map(line).join('\n')}`);
  return `${[
    `# ${plain(title)}`,
    `> ${plain(home?.summary || numbers)}`,
    ...sections,
    `## Optional\n\n${further.map(line).join('\n')}`,
  ].join('\n\n')}\n`;
}

function plain(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[[\]<>\\`]/g, '\\$&');
}
